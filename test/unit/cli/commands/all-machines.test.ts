import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { newRemoteId, Remotes } from "../../../../main/system/remotes.ts";
import { ok, sessions, startFakeRelay } from "../fake-relay.ts";
import { runCli } from "../run-cli.ts";

let data = "";
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), "patchbay-cli-"));
});
afterEach(() => rmSync(data, { recursive: true, force: true }));

test("on a terminal each machine has a heading and a table, and one that is away says since when", async () => {
  await using relay = await startFakeRelay(({ url }, response) => {
    if (url === "/v1/health") response.end(JSON.stringify({ ok: true, version: "1.2.3" }));
    else ok(response, [{ ...sessions[0], name: "work\u001b[2J" }]);
  });
  const remotes = new Remotes(data);
  const addedAt = "2026-11-21T04:00:00.000Z";
  remotes.add("box", { id: newRemoteId(), url: relay.url, addedAt });
  remotes.add("pi", { id: newRemoteId(), url: "http://127.0.0.1:1", addedAt });
  remotes.noteSeen("pi", new Date(2026, 10, 21, 4, 5, 6));
  const env = { PATCHBAY_DATA: data, SERVICE_TOKEN_BOX: "pb_box", NO_COLOR: "1" };
  const { code, out, err } = await runCli(["sessions", "--all"], { env, isTTY: true, columns: 120 });
  expect([code, err]).toEqual([0, ""]);
  expect(out.split("\n")).toEqual([
    `box  ${relay.url}`,
    expect.stringMatching(/^id +name +owner/),
    expect.stringContaining("work\\u001b[2J"),
    "",
    "pi  http://127.0.0.1:1",
    "away since 2026-11-21 04:05:06: pi (http://127.0.0.1:1) does not answer: nothing listens there.",
    "",
  ]);
});

test("noting that a remote answers does not bring back one that was removed", () => {
  const remotes = new Remotes(data);
  remotes.add("box", { id: newRemoteId(), url: "http://127.0.0.1:1", addedAt: "2026-11-21T04:00:00.000Z" });
  remotes.remove("box");
  remotes.noteSeen("box");
  expect(remotes.list()).toEqual([]);
  expect(remotes.find("../../etc/passwd")).toBeUndefined();
});
