import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { writeAtomically, writeIfOther } from "../../../../main/system/write-atomically.ts";

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "write-"));
  file = join(folder, "file");
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

test.each([true, false])("a file is replaced in one step, synced or not (%s), for this user only", (synced) => {
  writeFileSync(file, "old", { mode: 0o644 });
  const before = statSync(file).ino;
  writeAtomically(file, "new", { synced });
  expect(readFileSync(file, "utf8")).toBe("new");
  expect(statSync(file).ino).not.toBe(before);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(["file"]);
});

test("a file that holds the text already is not written again", () => {
  writeIfOther(file, "text");
  const { ino, mtimeNs } = statSync(file, { bigint: true });
  writeIfOther(file, "text");
  expect(statSync(file, { bigint: true })).toMatchObject({ ino, mtimeNs });
  writeIfOther(file, "other");
  expect(readFileSync(file, "utf8")).toBe("other");
});

test("a link in the place of the file is replaced, not followed", () => {
  const other = join(folder, "other");
  writeFileSync(other, "kept");
  symlinkSync(other, file);
  writeAtomically(file, "new");
  expect(readFileSync(other, "utf8")).toBe("kept");
  expect(readFileSync(file, "utf8")).toBe("new");
});

test("what cannot be written leaves nothing behind", () => {
  expect(() => writeAtomically(join(folder, "missing", "file"), "text")).toThrow("ENOENT");
  expect(() => writeIfOther(folder, "text")).toThrow();
  expect(readdirSync(folder)).toEqual([]);
});
