import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { loadBundle } from "../../../../cli/connect/load-bundle.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "bundle-here-"));
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  write(
    "main.cjs",
    'const part = require("./part.cjs"); module.exports = () => [part.word, require("node:path").sep, __filename, __dirname, require.resolve !== undefined];',
  );
  write("part.cjs", 'exports.word = "first"; exports.same = require("./main.cjs") !== undefined;');
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(folder, { recursive: true, force: true });
});

const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
const load = () => (loadBundle(join(folder, "main.cjs")) as () => unknown[])();
const kept = () =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".cache"))
    .sort();

test("a bundle is loaded with its chunks, which may name each other, and the modules of Node", () => {
  expect(load()).toEqual(["first", "/", join(folder, "main.cjs"), folder, true]);
});

test("its compiled code is kept for each file once the process has run for two seconds, and not written again", () => {
  load();
  vi.advanceTimersByTime(1_999);
  expect(kept()).toEqual([]);
  vi.advanceTimersByTime(1);
  const { v8 } = process.versions;
  const nameOf = (name: string) => {
    const { mtimeMs, size } = statSync(join(folder, name));
    return `${name}.${v8}-${Math.trunc(mtimeMs)}-${size}.cache`;
  };
  expect(kept()).toEqual(["main.cjs", "part.cjs"].map(nameOf));
  expect(readdirSync(folder)).toHaveLength(4);
  const times = kept().map((name) => statSync(join(folder, name)).mtimeMs);
  expect(load()[0]).toBe("first");
  vi.advanceTimersByTime(10_000);
  expect(kept().map((name) => statSync(join(folder, name)).mtimeMs)).toEqual(times);
});

test("it is kept at the end of a process that ends sooner, and no listener stays", () => {
  const before = process.listenerCount("exit");
  load();
  expect(process.listenerCount("exit")).toBe(before + 1);
  const keep = process.listeners("exit").at(-1);
  keep?.(0);
  expect(kept()).toHaveLength(2);
  expect(process.listenerCount("exit")).toBe(before);
  rmSync(join(folder, kept()[0] ?? ""));
  vi.advanceTimersByTime(10_000);
  expect(kept()).toHaveLength(1);
});

test("a changed file is compiled anew, and kept code that is not whole is not run", () => {
  load();
  vi.advanceTimersByTime(2_000);
  const [cache = ""] = kept().filter((name) => name.startsWith("part"));
  const bytes = readFileSync(join(folder, cache));
  for (const damaged of [Buffer.alloc(0), bytes.subarray(0, 100), Buffer.concat([bytes, Buffer.from("x")])]) {
    writeFileSync(join(folder, cache), damaged);
    expect(load()[0]).toBe("first");
    vi.advanceTimersByTime(2_000);
    expect(readFileSync(join(folder, cache)).length).toBeGreaterThan(100);
  }
  write("part.cjs", 'exports.word = "other";');
  utimesSync(join(folder, "part.cjs"), 1, 1);
  expect(load()[0]).toBe("other");
});

test("a file that is not there is told as the system tells it", () => {
  expect(() => loadBundle(join(folder, "none.cjs"))).toThrow(expect.objectContaining({ code: "ENOENT" }));
});
