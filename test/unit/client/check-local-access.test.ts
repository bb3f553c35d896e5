import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { checkLocalAccess } from "../../../client/check-local-access.ts";
import { freePort } from "../../support/free-port.ts";
import type { TestRelay } from "../../support/test-relay.ts";
import { startPaperRelay } from "../main/relay/paper-relay.ts";

let relay: TestRelay;
let data: string;
beforeEach(async () => {
  relay = await startPaperRelay();
  data = mkdtempSync(join(tmpdir(), "patchbay-access-"));
});
afterEach(async () => {
  await relay[Symbol.asyncDispose]();
  rmSync(data, { recursive: true, force: true });
});

const shellToken = () => relay.relay.keys.createShellToken(relay.relay.user, relay.session, 3 as never).token;
/** The environment of a shell. */
const inShell = (more: Record<string, string> = {}) => ({
  ...{ PATCHBAY_DATA: data, SERVICE_SHELL_ID: "3", SERVICE_URL: relay.url, SERVICE_TOKEN: shellToken() },
  ...more,
});
const outside = "so its permissions are unknown: run it outside of Patchbay's shells.";

describe("what belongs to the user alone", () => {
  test("may be used outside of shells", async () => {
    await checkLocalAccess({ PATCHBAY_DATA: data });
    expect(relay.relay.audit.list({ limit: 10 })).toEqual([]);
  });

  test("may be used in a shell that may manage keys", async () => {
    await expect(checkLocalAccess(inShell())).rejects.toMatchObject({ code: expect.any(String) });
    const key = relay.key;
    await checkLocalAccess(inShell({ SERVICE_TOKEN: key }));
  });

  test("is asked for at the relay of the data folder in use, before the one that the environment names", async () => {
    const { port } = new URL(relay.url);
    const file = { url: `http://127.0.0.1:${port}`, pid: process.pid, version: "1", startedAt: "x", session: "s" };
    writeFileSync(join(data, "relay.json"), JSON.stringify(file));
    const faked = inShell({ SERVICE_URL: "http://127.0.0.1:1", SERVICE_TOKEN: relay.key });
    await checkLocalAccess(faked, { data });
    await checkLocalAccess(faked);
  });

  test.each<[string, Record<string, string>, RegExp]>([
    [
      "whose environment has no token",
      { SERVICE_TOKEN: "" },
      /^This runs in shell 3, without its SERVICE_URL and SERVICE_TOKEN, /,
    ],
    [
      "whose environment has no address",
      { SERVICE_URL: "" },
      /^This runs in shell 3, without its SERVICE_URL and SERVICE_TOKEN, /,
    ],
  ])("may not be used in a shell %s", async (_what, env, sentence) => {
    await expect(checkLocalAccess(inShell(env))).rejects.toMatchObject({
      reason: "no_key",
      message: expect.stringMatching(sentence),
    });
  });

  test("may not be used in a shell whose relay does not answer", async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    await expect(checkLocalAccess(inShell({ SERVICE_URL: url }))).rejects.toMatchObject({
      reason: "unreachable",
      message: `This runs in shell 3, whose relay at ${url} does not answer, ${outside}`,
    });
  });

  test("may not be used in a shell whose token the relay does not know", async () => {
    await expect(checkLocalAccess(inShell({ SERVICE_TOKEN: "pbs_unknown" }))).rejects.toMatchObject({
      code: "unauthenticated",
    });
  });
});
