import { open } from "node:fs/promises";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import type { ClientId, SessionId } from "../../../../../core/protocol/ids.ts";
import { durably, keepSynced } from "../../../../../main/relay/store/keep-synced.ts";
import { openStore } from "../../../../../main/relay/store/open-store.ts";
import { Store } from "../../../../../main/relay/store/store.ts";
import { shellRecord } from "../small-session.ts";
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

test("sessions, chat, keys and plugins are synced, and only those", () => {
  using folder = temporaryFolder();
  const { database } = openStore(folder.path);
  const store = new Store(database);
  const syncsIn = (write: () => void) => {
    const pragma = vi.spyOn(database, "pragma");
    write();
    const synced = pragma.mock.calls.some(([sql]) => sql === "synchronous = FULL");
    pragma.mockRestore();
    return synced;
  };
  const session = row.id;
  const message = { id: 1, from: { clientId: 1 as ClientId, name: "ann" }, text: "hello", at: row.createdAt };
  const at = { createdAt: row.createdAt, expiresAt: null, lastUsedAt: null, madeBy: null };
  const key = { id: "k", owner: "ann", name: "k", scheme: "api", scopes: [], restrictions: {}, digest: "d", ...at };
  const plugin = {
    ...{ id: "p", manifest: "{}", manifestUrl: "", entryUrl: "", entrySha256: "", allowed: [], answered: null },
    ...{ installedAt: row.createdAt, updatedAt: row.createdAt },
  };
  const writes: Record<string, () => void> = {
    session: () => store.sessions.add(row),
    chat: () => store.chat.add(session, message),
    key: () => store.keys.add({ ...key, scheme: "api" }),
    "end of a key": () => store.keys.remove("k"),
    plugin: () => void store.plugins.put(session, plugin, Buffer.from("")),
    layout: () => store.clients.put(session, "desktop", { id: 1 as ClientId, state: {}, holder: null }),
    shell: () => store.shells.put(session, shellRecord(1)),
  };
  const synced = Object.keys(writes).filter((name) => syncsIn(writes[name] ?? (() => undefined)));
  expect(synced).toEqual(["session", "chat", "key", "end of a key", "plugin"]);
  database.close();
});

test("the rest is synced within a second, and only after a change, until that is stopped", async () => {
  using folder = temporaryFolder();
  const { database } = openStore(folder.path);
  const store = new Store(database);
  store.sessions.add(row);
  const handle = await open(join(folder.path, "patchbay.db"), "r");
  const datasync = vi.spyOn(Object.getPrototypeOf(handle) as typeof handle, "datasync");
  await handle.close();
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  try {
    const stop = keepSynced(database);
    vi.advanceTimersByTime(1000);
    await new Promise(setImmediate);
    expect(datasync).not.toHaveBeenCalled();
    store.shells.put(row.id, shellRecord(1));
    vi.advanceTimersByTime(1000);
    await vi.waitFor(() => expect(datasync).toHaveBeenCalledTimes(1));
    await datasync.mock.results[0]?.value;
    stop();
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
    database.close();
  }
});

test("what a read-only disk refuses is told with that reason", () => {
  using folder = temporaryFolder();
  const { database } = openStore(folder.path);
  const store = new Store(database);
  database.pragma("query_only = ON");
  expect(() => store.sessions.add(row)).toThrow(
    expect.objectContaining({ code: "storage_failed", message: expect.stringContaining("read-only") }),
  );
  database.pragma("query_only = OFF");
  store.sessions.add(row);
  expect(store.sessions.list()).toEqual([row]);
  database.close();
});
