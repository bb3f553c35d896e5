import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import type { SessionId, ShellId } from "../../../../../core/protocol/ids.ts";
import { Keys } from "../../../../../main/relay/access/keys.ts";
import { openStore } from "../../../../../main/relay/store/open-store.ts";
import { Store } from "../../../../../main/relay/store/store.ts";
import { temporaryFolder } from "../temporary-folder.ts";

afterEach(() => {
  vi.useRealTimers();
});

function lab() {
  const folder = temporaryFolder();
  const stores: Store[] = [];
  return {
    path: folder.path,
    /** The keys as a process of their own would have them. */
    keys() {
      const store = new Store(openStore(folder.path).database);
      stores.push(store);
      return new Keys(store.keys);
    },
    [Symbol.dispose]() {
      for (const store of stores) store[Symbol.dispose]();
      folder[Symbol.dispose]();
    },
  };
}

test("a key speaks for its owner, under its own scheme only", () => {
  using test = lab();
  const keys = test.keys();
  const api = keys.create({ owner: "ann", name: "laptop" });
  const bearer = keys.create({ owner: "ann", name: "token", scheme: "bearer", scopes: ["plugins:install"] });
  expect(keys.verify(api.secret, "api")).toEqual({
    user: "ann",
    scheme: "api",
    scopes: [],
    keyName: "laptop",
    key: api.key.id,
  });
  expect(keys.verify(bearer.secret, "bearer")).toMatchObject({ scopes: ["plugins:install"] });
  expect([keys.verify(api.secret, "bearer"), keys.verify(bearer.secret, "api")]).toEqual([undefined, undefined]);
  for (const wrong of ["", "pb_", api.secret.slice(0, -1), `${api.secret}x`, api.key.digest]) {
    expect(keys.verify(wrong, "api"), wrong).toBeUndefined();
  }
});

test("no secret is at rest, only digests", () => {
  using test = lab();
  const keys = test.keys();
  const { secret, key } = keys.create({ owner: "ann", name: "laptop" });
  const { token } = keys.createShellToken("ann", "session-1" as SessionId, 1 as ShellId);
  keys.verify(secret, "api");
  const files = ["patchbay.db", "patchbay.db-wal"]
    .map((name) => readFileSync(join(test.path, name), "latin1"))
    .join("");
  expect(files).toContain(key.digest);
  for (const hidden of [secret, secret.slice(3), token, token.slice(4)]) expect(files).not.toContain(hidden);
  expect(JSON.stringify(keys.list())).not.toContain(secret);
});

test("a shell's token is good for its session and shell, until it is forgotten", () => {
  using test = lab();
  const keys = test.keys();
  const { token, revoke } = keys.createShellToken("ann", "session-1" as SessionId, 4 as ShellId);
  expect(keys.verify(token, "api")).toMatchObject({ user: "ann", session: "session-1", shell: 4 });
  expect(keys.verify(token, "bearer")).toBeUndefined();
  expect(test.keys().verify(token, "api")).toBeUndefined();
  revoke();
  expect(keys.verify(token, "api")).toBeUndefined();
});

test("a shell's token has the lowest rights of those who had the shell, for good", () => {
  using test = lab();
  const keys = test.keys();
  const [session, shell] = ["session-1" as SessionId, 4 as ShellId];
  const { token } = keys.createShellToken("ann", session, shell, { role: "admin", guest: false });
  const other = keys.createShellToken("ann", session, 5 as ShellId, { role: "admin", guest: false });
  const membership = () => keys.verify(token, "api")?.membership;
  keys.lowerShellToken(session, shell, { role: "writer", guest: true });
  expect(membership()).toEqual({ role: "writer", guest: true });
  keys.lowerShellToken(session, shell, { role: "admin", guest: false });
  expect(membership()).toEqual({ role: "writer", guest: true });
  keys.lowerShellToken(session, shell, { role: "reader", guest: false });
  expect(membership()).toEqual({ role: "reader", guest: true });
  expect(keys.verify(other.token, "api")?.membership).toEqual({ role: "admin", guest: false });
});

test("a key expires, also one that was used before", () => {
  using test = lab();
  vi.useFakeTimers({ toFake: ["Date"], now: 1_000_000 });
  const keys = test.keys();
  const { secret } = keys.create({ owner: "ann", name: "short", ttlMs: 1000 });
  vi.setSystemTime(1_000_999);
  expect(keys.verify(secret, "api")).toBeDefined();
  vi.setSystemTime(1_001_000);
  expect(keys.verify(secret, "api")).toBeUndefined();
});

test("what another process makes or revokes is noticed", () => {
  using test = lab();
  vi.useFakeTimers({ toFake: ["Date", "performance"], now: 0 });
  const [relay, other] = [test.keys(), test.keys()];
  const made = other.create({ owner: "ann", name: "new" });
  expect(relay.verify(made.secret, "api")).toMatchObject({ user: "ann" });
  other.revoke("new");
  vi.advanceTimersByTime(100);
  expect(relay.verify(made.secret, "api")).toBeUndefined();
});

test("keys are listed with their last use, and revoked by name or id", () => {
  using test = lab();
  vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2026-11-21T00:00:00Z") });
  const keys = test.keys();
  const first = keys.create({ owner: "ann", name: "first" });
  const second = keys.create({ owner: "ann", name: "second" });
  keys.verify(second.secret, "api");
  expect(keys.list().map(({ name, lastUsedAt }) => [name, lastUsedAt])).toEqual([
    ["first", null],
    ["second", "2026-11-21T00:00:00.000Z"],
  ]);
  expect(keys.revoke("first").id).toBe(first.key.id);
  expect(keys.verify(first.secret, "api")).toBeUndefined();
  expect(keys.revoke(second.key.id).name).toBe("second");
  expect(keys.verify(second.secret, "api")).toBeUndefined();
  expect(() => keys.revoke("first")).toThrow(expect.objectContaining({ code: "unknown_key" }));
});

test("a key's restrictions come back from the store, and what cannot be read closes the key", () => {
  using test = lab();
  const keys = test.keys();
  const restrictions = { readOnly: true, ownShells: true, methods: ["get*"] } as const;
  const { secret, key } = keys.create({
    owner: "ann",
    name: "bot",
    restrictions: { ...restrictions, methods: [...restrictions.methods] },
  });
  expect(test.keys().verify(secret, "api")).toMatchObject({ key: key.id, restrictions });
  const { database } = openStore(test.path);
  database.prepare("UPDATE keys SET restrictions = ?").run([JSON.stringify({ readOnly: "yes" })]);
  database.close();
  expect(test.keys().verify(secret, "api")).toMatchObject({ restrictions: { methods: [] } });
});

test("whoever has a secret may end it; an unknown one is passed over", () => {
  using test = lab();
  const keys = test.keys();
  const { secret } = keys.create({ owner: "ann", name: "laptop" });
  keys.revokeSecret(`${secret}x`);
  expect(keys.verify(secret, "api")).toBeDefined();
  keys.revokeSecret(secret);
  expect(keys.verify(secret, "api")).toBeUndefined();
});

test("expired tokens are removed; expired keys stay in the list, so that their owner sees why they are refused", () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  using test = lab();
  const keys = test.keys();
  const token = { owner: "ann", scheme: "bearer", ttlMs: 1000 } as const;
  keys.create({ owner: "ann", name: "expired key", ttlMs: 1000 });
  keys.create({ ...token, name: "expired token" });
  keys.create({ ...token, name: "later token", ttlMs: 1001 });
  keys.create({ owner: "ann", scheme: "bearer", name: "lasting token" });
  vi.setSystemTime(Date.now() + 1000);
  keys.removeExpiredTokens();
  expect(keys.list().map(({ name }) => name)).toEqual(["expired key", "later token", "lasting token"]);
});
