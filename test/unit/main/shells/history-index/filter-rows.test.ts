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
    add(set: number, first: number, last: number) {
      for (let doc = first; doc <= last; doc++) rows.add(set, doc, `common word ${doc}.`);
      rows.close(set);
    },
    found: (set: number, ...texts: string[]) => [...rows.candidates(set, texts)],
    change: (statement: string) => database.exec(statement),
    count: (table: string) => database.prepare(`SELECT 1 FROM ${table}`).all([]).length,
  };
}

const down = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, index) => from - index);

test("documents are found in blocks and beside them, the latest first, each once", () => {
  const { add, found, count } = filterLab();
  add(1, 1, 2500);
  expect(count("filter_blocks")).toBe(1);
  expect(count("open_filters")).toBe(2500 - 1024);
  expect(found(1, "COMMON word")).toEqual(down(2500, 1));
  expect(found(1, "common", "word 7.")).toEqual([7]);
  expect(found(1, "word 1024.")).toEqual([1024]);
  expect(found(1, "word 2222.")).toEqual([2222]);
  expect(found(1, "not there at all")).toEqual([]);
});

test("a document that is replaced is found as it is now; a block may still list the one before", () => {
  const { rows, add, found } = filterLab();
  add(1, 1, 3000);
  for (const doc of [11, 2999]) rows.remove(1, doc);
  rows.add(1, 3001, "common word 11, longer");
  expect(found(1, "word 2999.")).toEqual([]);
  expect(found(1, "word 11,")).toEqual([3001]);
  expect(found(1, "word 11.")).toEqual([11]);
});

test("documents that become a block during a search are found once", () => {
  const { rows, add } = filterLab();
  add(1, 1, 2000);
  const search = rows.candidates(1, ["common"]);
  expect(search.next().value).toBe(2000);
  add(1, 2001, 2100);
  expect([...search]).toEqual(down(1999, 1));
});

test("sets are searched by themselves", () => {
  const { add, found } = filterLab();
  add(1, 1, 2100);
  add(2, 2101, 2110);
  expect(found(2, "common")).toEqual(down(2110, 2101));
  expect(found(3, "common")).toEqual([]);
});

test("a block goes with the last of its documents", () => {
  const { rows, add, found, count } = filterLab();
  add(1, 1, 3072);
  expect(count("filter_blocks")).toBe(2);
  for (let doc = 1; doc < 1024; doc++) rows.remove(1, doc);
  expect(count("filter_blocks")).toBe(2);
  rows.remove(1, 1024);
  expect(count("filter_blocks")).toBe(1);
  expect(found(1, "common")).toEqual(down(3072, 1025));
  for (let doc = 1025; doc <= 3072; doc++) rows.remove(1, doc);
  expect(count("filter_slices")).toBe(0);
  expect(found(1, "common")).toEqual([]);
});

test("the oldest block is removed, whichever set it is of, but for those before the first that is meant", () => {
  const { rows, add, found, count } = filterLab();
  add(0, 1, 2048);
  add(2, 2049, 5120);
  add(1, 5121, 7168);
  expect(rows.blockBytes(1) * 4).toBe(rows.blockBytes(0) * 3);
  expect(rows.removeOldest(1)).toEqual({ set: 2, lowest: 2049, highest: 3072 });
  expect(found(2, "common")).toEqual(down(5120, 3073));
  expect(rows.removeOldest(1)).toEqual({ set: 2, lowest: 3073, highest: 4096 });
  expect(rows.removeOldest(1)).toEqual({ set: 1, lowest: 5121, highest: 6144 });
  expect(rows.removeOldest(1)).toBeUndefined();
  expect(count("filter_blocks")).toBe(1);
  expect(found(0, "common")).toEqual(down(2048, 1));
});

test.each(["open_filters", "filter_slices"])(
  "a value of %s that the disk has changed is damage of the file",
  (table) => {
    const { add, found, change } = filterLab();
    add(1, 1, 2048);
    expect(found(1, "common word")).toHaveLength(2048);
    change(`UPDATE ${table} SET bits = CAST(substr(bits, 1, 99) || x'ff' || substr(bits, 101) AS BLOB)`);
    expect(() => found(1, "common word")).toThrow(expect.objectContaining({ code: "SQLITE_CORRUPT" }));
  },
);

test("documents are found by two characters in blocks and beside them", () => {
  const { rows, found } = filterLab();
  for (let doc = 1; doc <= 2048; doc++) rows.add(1, doc, doc % 1000 === 0 ? "設定を変更" : "nothing changed");
  rows.close(1);
  expect(found(1, "変更")).toEqual([2000, 1000]);
});

test("a text of fewer than three characters is refused", () => {
  const { found } = filterLab();
  expect(() => found(1, "ab")).toThrow("expected three characters or more");
});
