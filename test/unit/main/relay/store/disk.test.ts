import { expect, test, vi } from "vitest";
import type { SessionId } from "../../../../../core/protocol/ids.ts";
import { durably, keepSynced } from "../../../../../main/relay/store/keep-synced.ts";
import { openStore } from "../../../../../main/relay/store/open-store.ts";
import { Store } from "../../../../../main/relay/store/store.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const row = { id: "session-1" as SessionId, name: "default", owner: "ann", createdAt: new Date(0).toISOString() };

test("what the full disk refuses is told as such, changes nothing, and works again when there is room", () => {
  using folder = temporaryFolder();
  const { database } = openStore(folder.path);
  const store = new Store(database);
  const { page_count: pages } = database.prepare("PRAGMA page_count").get() as { page_count: number };
  database.pragma(`max_page_count = ${pages}`);
  const long = { ...row, name: "x".repeat(100_000) };
  expect(() => store.sessions.add(long)).toThrow(expect.objectContaining({ code: "storage_failed" }));
  // What is only for people to read is passed over.
  expect(() => store.keys.setLastUsed("x".repeat(100_000), "now")).not.toThrow();
  expect(store.sessions.list()).toEqual([]);
  database.pragma("max_page_count = 1000000");
  store.sessions.add(row);
  expect(store.sessions.list()).toEqual([row]);
  database.close();
});

test("a statement that is wrong is no fault of the disk", () => {
  using folder = temporaryFolder();
  const store = new Store(openStore(folder.path).database);
  store.sessions.add(row);
  expect(() => store.sessions.add(row)).toThrow(expect.not.objectContaining({ code: "storage_failed" }));
  store[Symbol.dispose]();
});

test("a durable write is synced, and only that one", () => {
  using folder = temporaryFolder();
  const { database } = openStore(folder.path);
  const mode = () => (database.prepare("PRAGMA synchronous").get() as { synchronous: number }).synchronous;
  expect([mode(), durably(database, mode), mode()]).toEqual([1, 2, 1]);
  expect(() =>
    durably(database, () => {
      throw new Error("no");
    }),
  ).toThrow("no");
  expect(mode()).toBe(1);
  database.close();
});

test("the rest is looked after once a second, until that is stopped", () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  using folder = temporaryFolder();
  const { database } = openStore(folder.path);
  const stop = keepSynced(database);
  expect(vi.getTimerCount()).toBe(1);
  stop();
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
  database.close();
});
