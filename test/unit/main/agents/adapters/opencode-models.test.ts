import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { opencodeContextSize } from "../../../../../main/agents/adapters/opencode-models.ts";

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "patchbay-opencode-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const CONFIG = ".config/opencode/opencode.json";
const CACHE = ".cache/opencode/models.json";

function put(path: string, value: unknown): string {
  const file = join(home, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof value === "string" ? value : JSON.stringify(value));
  return file;
}
const models = (context: unknown, provider = "acme", model = "m-1") => ({
  [provider]: { id: provider, models: { [model]: { id: model, limit: { context, output: 10 } } } },
});
const size = (used = { provider: "acme", model: "m-1" }, env: Record<string, string> = {}) =>
  opencodeContextSize((name) => ({ HOME: home, ...env })[name], join(home, "work"), used);

test("the settings count before the list, and the project's before the user's", async () => {
  expect(await size()).toBeUndefined();
  put(CACHE, models(1));
  expect(await size()).toBe(1);
  put(CONFIG, { model: "acme/m-1", provider: models(2) });
  expect(await size()).toBe(2);
  const named = put("named.json", { provider: models(3) });
  expect(await size(undefined, { OPENCODE_CONFIG: named })).toBe(3);
  put("work/opencode.json", { provider: models(4) });
  expect(await size(undefined, { OPENCODE_CONFIG: named })).toBe(4);
});

test("a model is that of its provider, and a list that has changed is read again", async () => {
  put(CACHE, { ...models(1), ...models(2, "other") });
  expect(await size({ provider: "other", model: "m-1" })).toBe(2);
  expect(await size({ provider: "none", model: "m-1" })).toBeUndefined();
  put(CACHE, models(30));
  expect(await size()).toBe(30);
});

test("the list may have megabytes, and lie elsewhere", async () => {
  const many = Object.fromEntries(Array.from({ length: 2000 }, (_, index) => [`x${index}`, { pad: "y".repeat(1000) }]));
  const path = put("elsewhere.json", { ...many, ...models(7) });
  expect(await size(undefined, { OPENCODE_MODELS_PATH: path })).toBe(7);
});

test.each([
  ["no JSON", "{"],
  ["a list", []],
  ["no limit", { acme: { models: { "m-1": {} } } }],
  ["a negative limit", models(-5)],
  ["a limit that is a text", models("200000")],
  ["no models", { acme: { models: 7 } }],
  ["what every object has", {}],
])("a file with %s says nothing", async (_, value) => {
  put(CACHE, value);
  put(CONFIG, value);
  expect(await size()).toBeUndefined();
  expect(await size({ provider: "__proto__", model: "constructor" })).toBeUndefined();
});
