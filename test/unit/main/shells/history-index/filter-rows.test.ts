import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { masterKey } from "../../../../../main/shells/history/segment.ts";
import { openIndex } from "../../../../../main/shells/history-index/database.ts";
import { FilterRows } from "../../../../../main/shells/history-index/filter-rows.ts";

const KEY = masterKey(Buffer.alloc(32, 7));

function filterLab() {
  const folder = mkdtempSync(join(tmpdir(), "patchbay-filters-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const database = openIndex(join(folder, "index.db"));
  onTestFinished(() => void database.close());
  const rows = new FilterRows(database, KEY);
  return {
    rows,
    add(set: number, first: number, last: number, isFinal = true) {
      for (let doc = first; doc <= last; doc++) rows.add(set, doc, { text: `common word ${doc}.`, isFinal });
      rows.close(set);
    },
    found: (set: number, ...texts: string[]) => [...rows.candidates(set, texts)],
    count: (table: string) => database.prepare(`SELECT 1 FROM ${table}`).all([]).length,
  };
}

const down = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, index) => from - index);

test("documents are found in blocks and beside them, the latest first, each once", () => {
  const { add, found, count } = filterLab();
  add(1, 1, 2500);
  expect(count("filter_blocks")).toBe(2);
  expect(count("open_filters")).toBe(2500 - 2048);
  expect(found(1, "COMMON word")).toEqual(down(2500, 1));
  expect(found(1, "common", "word 7.")).toEqual([7]);
  expect(found(1, "word 1024.")).toEqual([1024]);
  expect(found(1, "word 2222.")).toEqual([2222]);
  expect(found(1, "not there at all")).toEqual([]);
});

test("a document that may still change stays out of blocks, and is found in its place", () => {
  const { rows, add, found, count } = filterLab();
  add(1, 1, 10);
  add(1, 11, 11, false);
  add(1, 12, 2100);
  expect(count("open_filters")).toBe(2100 - 2048);
  expect(found(1, "common")).toEqual(down(2100, 1));
  rows.remove(1, 11);
  expect(found(1, "word 11.")).toEqual([]);
  expect(found(1, "common")).toHaveLength(2099);
});

test("sets are searched by themselves", () => {
  const { add, found } = filterLab();
  add(1, 1, 1100);
  add(2, 1101, 1110);
  expect(found(2, "common")).toEqual(down(1110, 1101));
  expect(found(3, "common")).toEqual([]);
});

test("a block goes with the last of its documents", () => {
  const { rows, add, found, count } = filterLab();
  add(1, 1, 2048);
  for (let doc = 1; doc < 1024; doc++) rows.remove(1, doc);
  expect(count("filter_blocks")).toBe(2);
  rows.remove(1, 1024);
  expect(count("filter_blocks")).toBe(1);
  expect(found(1, "common")).toEqual(down(2048, 1025));
  for (let doc = 1025; doc <= 2048; doc++) rows.remove(1, doc);
  expect(count("filter_slices")).toBe(0);
  expect(found(1, "common")).toEqual([]);
});

test("a text of fewer than three characters is refused", () => {
  const { found } = filterLab();
  expect(() => found(1, "ab")).toThrow("expected three characters or more");
});
