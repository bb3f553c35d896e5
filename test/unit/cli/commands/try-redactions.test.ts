import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { setOwnRules } from "../../../../main/system/redact-secrets.ts";
import { ok, startFakeRelay } from "../fake-relay.ts";
import { runCli } from "../run-cli.ts";

afterEach(() => setOwnRules({}));

const status = {
  ...{ choice: "on", encrypted: true, days: 30, maxBytes: 2 ** 31, except: [], patterns: { ticket: "ACME-[0-9]+" } },
  ...{ recording: true, trouble: null, waiting: 0, lost: 0, bytes: 0, segments: 0, redacted: 0, oldest: null },
  unreadable: [],
};
const TEXT = "first\nkey ghp_abcdefghijklmnopqrstuvwxyz0123456789 of ACME-17\r\nlast\n";

/** Runs `history WORDS`; resolves to what was printed, and what the relay was asked. */
async function trying(words: string[], stdin?: string) {
  await using relay = await startFakeRelay((_, response) => ok(response, status));
  const env = { SERVICE_URL: relay.url, SERVICE_TOKEN: "k" };
  async function* input() {
    yield Buffer.from(stdin ?? "");
  }
  const ran = await runCli(["history", ...words], { env, ...(stdin === undefined ? {} : { stdin: input }) });
  return { ...ran, asked: relay.received.map(({ method, url }) => `${method} ${url}`) };
}

const found = [
  { rule: "GitHub", line: 2, column: 9, length: 36, shown: `key ghp_${"•".repeat(36)} of •••••••` },
  { rule: "ticket", line: 2, column: 49, length: 7, shown: `key ghp_${"•".repeat(36)} of •••••••` },
];

test("a file and the standard input are tried with the relay's rules, and sent nowhere", async () => {
  const folder = mkdtempSync(join(tmpdir(), "redactions-"));
  const file = join(folder, "some.log");
  writeFileSync(file, TEXT);
  for (const { code, out, asked } of [
    await trying(["redactions", "--test", file]),
    await trying(["redactions", "--test", "-"], TEXT),
  ]) {
    expect({ code, asked }).toEqual({ code: 0, asked: ["GET /v1/history"] });
    expect(JSON.parse(out)).toEqual(found);
  }
  rmSync(folder, { recursive: true });
});

test("what cannot be read is said, and so is another action with the option", async () => {
  expect(await trying(["redactions", "--test", "/none/such"])).toMatchObject({ code: 2, out: "" });
  for (const [words, said] of [
    [["status", "--test", "x"], "unknown option '--test'"],
    [["--test", "x"], "--test is not an option of `history list`"],
  ] as const) {
    expect(await trying([...words])).toMatchObject({ code: 2, err: expect.stringContaining(said) });
  }
});
