import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { AuditQuery } from "../../../../../core/protocol/audit.ts";
import { AuditRows, type NewAuditEntry } from "../../../../../main/relay/store/audit-rows.ts";
import { openStore, type StoreDatabase } from "../../../../../main/relay/store/open-store.ts";
import { temporaryFolder } from "../temporary-folder.ts";

let folder: ReturnType<typeof temporaryFolder>;
let database: StoreDatabase;
let rows: AuditRows;
beforeEach(() => {
  folder = temporaryFolder();
  ({ database } = openStore(folder.path));
  rows = new AuditRows(database);
});
afterEach(() => {
  database.close();
  folder[Symbol.dispose]();
});

const entry = (more: Partial<NewAuditEntry>): NewAuditEntry => ({
  ...{ at: "2026-01-01T00:00:00.000Z", kind: "call", who: "laptop", credential: "key", from: "127.0.0.1" },
  ...{ session: "session-1", action: "renameTile", params: {}, outcome: "ok", client: 1, durationMs: 2, count: 1 },
  ...more,
});
const found = (query: Partial<AuditQuery> = {}) => rows.list({ limit: 100, ...query }).map(({ id }) => id);

test("entries are listed newest first, as they were added", () => {
  expect(rows.add([entry({}), entry({ who: null, client: null, durationMs: null })])).toEqual([1, 2]);
  const [second, first] = rows.list({ limit: 100 });
  expect(first).toEqual({ id: 1, ...entry({}) });
  expect(second).toMatchObject({ id: 2, who: null, client: null, durationMs: null });
  expect([found({ limit: 1 }), found({ before: 2 }), found({ before: 1 })]).toEqual([[2], [1], []]);
});

test("a filter finds what fits it, and nothing else", () => {
  rows.add([
    entry({}),
    entry({ session: "session-2", outcome: "role_forbids" }),
    entry({ kind: "authentication", outcome: "unauthenticated", session: null }),
  ]);
  expect(found({ outcome: "failed" })).toEqual([3, 2]);
  expect(found({ outcome: "ok" })).toEqual([1]);
  expect(found({ outcome: "role_forbids" })).toEqual([2]);
  expect(found({ session: "session-2" })).toEqual([2]);
  expect(found({ kind: "call" })).toEqual([2, 1]);
  expect(found({ kind: "call", outcome: "failed", session: "session-1" })).toEqual([]);
});

test("a text is found as it is written, in each column that is searched", () => {
  rows.add([
    entry({ params: { title: "100%X4" } }),
    entry({ params: { title: "100 and X4" } }),
    entry({ action: "close_shell" }),
    entry({ action: "closeXshell" }),
    entry({ params: { path: "a\\b" } }),
    entry({ who: "phone", from: "10.1.2.3", outcome: "role_forbids" }),
  ]);
  expect(found({ text: "100%X4" })).toEqual([1]);
  expect(found({ text: "close_shell" })).toEqual([3]);
  expect(found({ text: "%" })).toEqual([1]);
  expect(found({ text: "\\" })).toEqual([5]);
  expect(found({ text: "" })).toEqual([6, 5, 4, 3, 2, 1]);
  for (const text of ["phone", "10.1.2.", "role_for", "PHONE"]) expect(found({ text })).toEqual([6]);
});

test("repetitions count in the entry that they repeat, and are no entries of their own", () => {
  rows.add([entry({}), entry({ count: 3, repeats: 1 }), entry({})]);
  rows.add([entry({ count: 2, repeats: 1 })]);
  expect(rows.list({ limit: 100 }).map(({ id, count }) => [id, count])).toEqual([
    [3, 1],
    [1, 6],
  ]);
});

describe("a log that is trimmed", () => {
  const trim = (entries: number, removed = 1000) => new AuditRows(database, { entries, removed }).trim();
  const add = (count: number, more: Partial<NewAuditEntry> = {}) =>
    void rows.add(Array.from({ length: count }, () => entry(more)));
  const kept = () => {
    const counts = new Map<string | null, number>();
    for (const { who } of rows.list({ limit: 1000 })) counts.set(who, (counts.get(who) ?? 0) + 1);
    return Object.fromEntries(counts);
  };
  const digests = () => database.prepare("SELECT min(id), max(id), count(*) FROM audit_removed").raw().get([]);

  test("keeps the newest entries, and of removed ones their digests", () => {
    add(10);
    trim(10);
    expect(found()).toHaveLength(10);
    trim(7);
    expect(found()).toEqual([10, 9, 8, 7, 6, 5, 4]);
    expect(digests()).toEqual([1, 3, 3]);
    expect(rows.links(0, 4).map(({ id, content }) => [id, content === null])).toEqual([
      ...[1, 2, 3].map((id) => [id, true]),
      [4, false],
    ]);
  });

  test("loses entries of the credentials that have the most in sum, though a caller with another one has more", () => {
    for (const who of ["ann", "ben", "cem"]) add(40, { who, credential: "guest" });
    add(100, { who: "script", credential: "key" });
    trim(210);
    expect(kept()).toMatchObject({ script: 100 });
  });

  test("loses entries of the caller with the most among those with one kind of credential, in whatever order", () => {
    for (const [who, count] of [
      ["ann", 5],
      ["ben", 50],
      ["cem", 5],
    ] as const)
      add(count, { who });
    trim(30);
    expect(kept()).toEqual({ ann: 5, ben: 20, cem: 5 });
  });

  test("keeps as many digests as its limit, and the chain begins after those that it has dropped", () => {
    add(150);
    trim(100, 50);
    expect(digests()).toEqual([1, 50, 50]);
    expect(rows.chainEnds().anchor).toEqual({ id: 0, hash: "" });
    add(1);
    const [{ id, hash } = { id: 0, hash: null }] = rows.links(150, 1);
    trim(100, 50);
    expect(digests()).toEqual([2, 51, 50]);
    expect(rows.chainEnds()).toMatchObject({ anchor: { id: 1 }, head: { id, hash } });
    add(2500);
    trim(100, 50);
    expect(digests()).toEqual([2502, 2551, 50]);
    expect(rows.chainEnds().anchor.id).toBe(2501);
  });
});
