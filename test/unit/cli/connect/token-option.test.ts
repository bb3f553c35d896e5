import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ok, startFakeRelay } from "../fake-relay.ts";
import { runCli } from "../run-cli.ts";

const WARNING =
  "patchbay: other users of this machine can see a key in the arguments: use --token - (standard input), ";

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "patchbay-token-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

function input(text: string) {
  return async function* () {
    yield Buffer.from(text);
  };
}

async function listTiles(token: string, more: Parameters<typeof runCli>[1] = {}) {
  await using relay = await startFakeRelay((_, response) => ok(response, []));
  const ran = await runCli(
    ["func", "list-tiles", "--url", relay.url, "--session", "Abcdefgh12345678", "--token", token],
    more,
  );
  return { ...ran, sent: relay.received.map(({ headers }) => headers["x-service-token"]) };
}

test("a key in the arguments works, with one warning", async () => {
  const ran = await listTiles("pb_given");
  expect(ran).toMatchObject({ code: 0, sent: ["pb_given"] });
  expect(ran.err).toMatch(/^[^\n]+\n$/);
  expect(ran.err.startsWith(WARNING)).toBe(true);
  expect(ran.err).not.toContain("pb_given");
});

test("the standard input, a terminal and a file give the key without a warning", async () => {
  const file = join(folder, "key");
  writeFileSync(file, "pb_file\n");
  expect(await listTiles("-", { stdin: input("pb_input\n") })).toMatchObject({ code: 0, err: "", sent: ["pb_input"] });
  expect(await listTiles(`@${file}`)).toMatchObject({ code: 0, err: "", sent: ["pb_file"] });
  const asked: unknown[] = [];
  const ask = async (...question: unknown[]) => {
    asked.push(question);
    return "pb_typed";
  };
  expect(await listTiles("-", { ask })).toMatchObject({ code: 0, err: "", sent: ["pb_typed"] });
  expect(asked).toEqual([["API key: ", { secret: true }]]);
});

test.each([
  ["-", "", 3, /not an API key/],
  ["-", "x".repeat(5000), 2, /too long/],
  ["@/nowhere/key", "", 2, /cannot be read \(ENOENT\)/],
  ["@/", "", 2, /cannot be read \(EISDIR\)/],
])("%s without a key (%#) is a sentence, and nothing is sent", async (token, text, code, sentence) => {
  const ran = await listTiles(token, { stdin: input(text) });
  expect(ran).toMatchObject({ code, err: expect.stringMatching(sentence), sent: [] });
});

test("status reads the key once, and warns once", async () => {
  await using relay = await startFakeRelay((_, response) => ok(response, { user: "me", key: null }));
  const words = ["status", "--url", relay.url, "--token"];
  expect((await runCli([...words, "pb_given"])).err.split(WARNING)).toHaveLength(2);
  const before = relay.received.length;
  await runCli([...words, "-"], { stdin: input("pb_input") });
  const sent = relay.received.slice(before).map(({ headers }) => headers["x-service-token"]);
  expect(new Set(sent)).toEqual(new Set(["pb_input"]));
});

test("the standard input is not both the key and the data", async () => {
  await using relay = await startFakeRelay((_, response) => ok(response, {}));
  const words = ["func", "write-to-shell", "1", "-", "--token", "-", "--url", relay.url];
  expect(await runCli(words, { stdin: input("x") })).toMatchObject({ code: 2, err: expect.stringContaining("@FILE") });
  expect(relay.received).toEqual([]);
});
