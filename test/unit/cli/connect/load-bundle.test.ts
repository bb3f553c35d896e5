import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { rolldown } from "rolldown";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";

let folder: string;
let loader: string;
let bundles: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "bundle-"));
  loader = join(folder, "loader.mjs");
  const source = join(folder, "run.ts");
  const module = JSON.stringify(resolve("cli/connect/load-bundle.ts"));
  writeFileSync(
    source,
    `import { loadBundle } from ${module}; console.log(JSON.stringify(loadBundle(process.argv[2]).answer()));`,
  );
  const bundle = await rolldown({ input: source, platform: "node", logLevel: "silent" });
  await bundle.write({ file: loader, format: "esm" });
  await bundle.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

beforeEach(() => {
  bundles = mkdtempSync(join(folder, "files-"));
  write(
    "main.cjs",
    'const part = require("./part.cjs"); exports.answer = () => [part.word, require("node:path").sep];',
  );
  write("part.cjs", 'exports.word = "first";');
});

function write(name: string, text: string): void {
  writeFileSync(join(bundles, name), text);
}

function run(): unknown {
  return JSON.parse(execFileSync(process.execPath, [loader, join(bundles, "main.cjs")], { encoding: "utf8" }));
}

function caches(): string[] {
  return readdirSync(bundles).filter((name) => name.endsWith(".cache"));
}

test("a bundle and its chunks give the same with and without kept code", () => {
  expect(run()).toEqual(["first", "/"]);
  expect(caches().length).toBe(2);
  const before = caches().map((name) => statSync(join(bundles, name)).mtimeMs);
  expect(run()).toEqual(["first", "/"]);
  expect(caches().map((name) => statSync(join(bundles, name)).mtimeMs)).toEqual(before);
});

test("a file that was built again is not run from the code of the one before", () => {
  run();
  write("part.cjs", 'exports.word = "other";');
  utimesSync(join(bundles, "part.cjs"), new Date(), new Date(Date.now() + 5000));
  expect(run()).toEqual(["other", "/"]);
});

test.each([
  ["cut off", (bytes: Buffer) => bytes.subarray(0, bytes.length / 2)],
  ["empty", () => Buffer.alloc(0)],
  ["of other bytes", (bytes: Buffer) => Buffer.from(bytes.map((byte, at) => (at > 100 ? byte ^ 0x55 : byte)))],
])("kept code that is %s is not used", (_what, damage) => {
  run();
  for (const name of caches()) {
    const file = join(bundles, name);
    writeFileSync(file, damage(readFileSync(file)));
  }
  expect(run()).toEqual(["first", "/"]);
});

test("where nothing can be kept, a bundle runs and ends as elsewhere", () => {
  // The longest name that a file has: that of its code would be longer. Modes would not hold for root.
  const name = `${"m".repeat(251)}.cjs`;
  write(name, 'exports.answer = () => "alone";');
  const out = execFileSync(process.execPath, [loader, join(bundles, name)], { encoding: "utf8" });
  expect([JSON.parse(out), caches()]).toEqual(["alone", []]);
});

test("an error names the file and line of the bundle", () => {
  write("part.cjs", '\n\nthrow new Error("here");');
  expect(() => execFileSync(process.execPath, [loader, join(bundles, "main.cjs")], { stdio: "pipe" })).toThrow(
    "part.cjs:3",
  );
});
