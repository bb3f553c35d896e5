import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { parseDuration } from "../../../../../core/protocol/parse-duration.ts";
import { runLocal as patchbay } from "../../../../support/run-local.ts";
import { bearerOf, startPluginRelay } from "./start-plugin-relay.ts";
import { manifestWith, startTestSite } from "./test-site.ts";

const folder = mkdtempSync(join(tmpdir(), "patchbay-token-"));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("patchbay token", () => {
  test("prints a token that installs a plugin in the relay that runs", async () => {
    await using relay = await startPluginRelay();
    await using site = await startTestSite();
    site.on("/manifest.json", manifestWith());
    site.on("/index.html", "");
    const { code, out } = await patchbay("token", "--scope", "plugins:install", "--data", relay.folder);
    expect([code, out]).toEqual([0, expect.stringMatching(/^pbt_[\w-]{43}\n$/)]);
    const body = { manifest_url: `${site.url}/manifest.json`, plugin_id: "agent-cost" };
    const answer = await relay.call("POST", `${relay.session}/plugins`, bearerOf(out.trim()), body);
    expect(answer).toMatchObject({ status: 200, text: '{"ok":true}' });
  });

  test("the token ends in an hour, or when asked; ended ones are dropped", async () => {
    const before = Date.now();
    await patchbay("token", "--scope", "plugins:install", "--data", folder);
    await patchbay("token", "--scope", "plugins:install", "--ttl", "7d", "--data", folder);
    const rows = await keys();
    expect(rows.map(({ scheme, scopes }) => ({ scheme, scopes }))).toEqual([
      { scheme: "bearer", scopes: ["plugins:install"] },
      { scheme: "bearer", scopes: ["plugins:install"] },
    ]);
    const [hour = 0, week = 0] = rows.map(({ expiresAt }) => Date.parse(expiresAt) - before);
    expect([Math.round(hour / 60_000), Math.round(week / 60_000)]).toEqual([60, 7 * 24 * 60]);
    vi.useFakeTimers({ now: before + 2 * 3_600_000, toFake: ["Date"] });
    await patchbay("token", "--scope", "plugins:install", "--data", folder);
    vi.useRealTimers();
    const ends = (await keys()).map(({ expiresAt }) => Math.round((Date.parse(expiresAt) - before) / 3_600_000));
    expect(ends).toEqual([7 * 24, 3]);
  });

  test.each([
    [["--scope", "plugin:install"], "known scopes: plugins:install. Did you mean plugins:install?"],
    [["--scope", "everything"], "known scopes: plugins:install."],
    [[], "token needs --scope SCOPE"],
    [["--scope", "plugins:install", "--ttl", "soon"], "--ttl: expected a time such as 30m"],
    [["--scope", "plugins:install", "--ttl", "0s"], "--ttl"],
    [["--scope", "plugins:install", "--ttl", "366d"], "up to 365d"],
    [["--scop", "plugins:install"], "--scop"],
    [["plugins:install", "--scope", "plugins:install"], "plugins:install"],
  ])("%j is a usage error", async (args, message) => {
    const { code, out, err } = await patchbay("token", ...args, "--data", folder);
    expect([code, out, err]).toEqual([2, "", expect.stringContaining(message)]);
    expect(err).toContain("Usage: patchbay token");
  });

  test("helps", async () => {
    const { code, out } = await patchbay("token", "--help");
    expect([code, out]).toEqual([0, expect.stringContaining("plugins:install")]);
  });
});

test("patchbay keys still makes, lists and revokes keys", async () => {
  const made = await patchbay("keys", "create", "--name", "laptop", "--data", folder);
  expect([made.code, made.out]).toEqual([0, expect.stringMatching(/^pb_[\w-]{43}\n$/)]);
  expect(await keys()).toMatchObject([{ name: "laptop", scheme: "api" }]);
  expect(await patchbay("keys", "revoke", "laptop", "--data", folder)).toMatchObject({ code: 0 });
  expect(await patchbay("keys", "revoke", "laptop", "--data", folder)).toMatchObject({ code: 1 });
  expect(await patchbay("keys", "--data", folder)).toMatchObject({ code: 2 });
  expect(await patchbay("nonsense")).toMatchObject({ code: 2 });
});

test("a duration is a number with one unit", () => {
  expect(["45s", "30m", "1h", "7d", "0s"].map(parseDuration)).toEqual([45_000, 1_800_000, 3_600_000, 604_800_000, 0]);
  const wrong = ["", "1", "h", "1.5h", "-1h", "1h30m", "1 h", "1H", "9999999s"];
  expect(wrong.map(parseDuration)).toEqual(wrong.map(() => undefined));
});

async function keys(): Promise<{ name: string; scheme: string; scopes: string[]; expiresAt: string }[]> {
  return JSON.parse((await patchbay("keys", "list", "--json", "--data", folder)).out);
}
