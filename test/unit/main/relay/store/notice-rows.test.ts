import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { NoticeRows } from "../../../../../main/relay/store/notice-rows.ts";
import { openStore } from "../../../../../main/relay/store/open-store.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "patchbay-notices-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const notice = { session: "s", sessionName: "api", title: "Bell", body: "", shell: null, shown: true };
const at = (second: number) => new Date(Date.UTC(2026, 2, 14, 12, 0, second)).toISOString();

test("past notifications are there after a restart, the newest first, the long ones cut", () => {
  const first = openStore(folder, {}).database;
  const rows = new NoticeRows(first);
  rows.add({ ...notice, at: at(1), shell: 2, shown: false });
  rows.add({ ...notice, at: at(2), title: "x".repeat(5000) });
  first.close();
  const { database } = openStore(folder, {});
  expect(new NoticeRows(database).list()).toEqual([
    { ...notice, id: 2, at: at(2), title: "x".repeat(1000) },
    { ...notice, id: 1, at: at(1), shell: 2, shown: false },
  ]);
  database.close();
});

test("only the last 500 are kept", () => {
  const { database } = openStore(folder, {});
  const rows = new NoticeRows(database);
  for (let number = 1; number <= 510; number++) rows.add({ ...notice, at: at(number), title: `${number}` });
  const kept = rows.list();
  expect([kept.length, kept[0]?.title, kept.at(-1)?.title]).toEqual([500, "510", "11"]);
  database.close();
});
