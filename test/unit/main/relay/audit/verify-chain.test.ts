import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { AuditEntry } from "../../../../../core/protocol/audit.ts";
import { Audit } from "../../../../../main/relay/audit/audit.ts";
import { verifyChain } from "../../../../../main/relay/audit/verify-chain.ts";
import { type AuditLimits, AuditRows } from "../../../../../main/relay/store/audit-rows.ts";
import { migrations } from "../../../../../main/relay/store/migrations.ts";
import { openStore, type StoreDatabase } from "../../../../../main/relay/store/open-store.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const quiet = () => undefined;
const log = { debug: quiet, info: quiet, warn: quiet, error: quiet };
const call = { session: "s", action: "renameTile", params: { title: "x" }, outcome: "ok", client: 1, durationMs: 1 };
const everything = { limit: 1000 };

let folder: ReturnType<typeof temporaryFolder>;
let database: StoreDatabase;

beforeEach(() => {
  folder = temporaryFolder();
  ({ database } = openStore(folder.path));
});

afterEach(() => {
  vi.useRealTimers();
  database.close();
  folder[Symbol.dispose]();
});

function openAudit(limits?: AuditLimits): Audit {
  return new Audit(new AuditRows(database, limits), log);
}

function record(audit: Audit, count: number, who = "laptop", credential: AuditEntry["credential"] = "key"): void {
  for (let n = 0; n < count; n += 1) audit.call({ ...call, who, credential, from: "127.0.0.1", params: { n } });
}

test("an untouched log is verified, from start to end, also after it is opened again", async () => {
  const audit = openAudit();
  record(audit, 3);
  const head = expect.stringMatching(/^3:[0-9a-f]{64}$/);
  expect(await audit.verify()).toStrictEqual({ ok: true, entries: 3, removed: 0, unchained: 0, head });
  audit[Symbol.dispose]();
  const again = openAudit();
  record(again, 2);
  expect(await again.verify()).toMatchObject({ ok: true, entries: 5 });
});

test("a text that the database would not give back as it is breaks no chain", async () => {
  const audit = openAudit();
  for (const text of ["\0", "a\0b", "\ud800", "\udc00a", `${"x".repeat(199)}😀`, "ü😀"]) {
    audit.call({ ...call, who: text, credential: "key", from: text, session: text, action: text, params: { text } });
  }
  expect(await audit.verify()).toMatchObject({ ok: true, entries: 6 });
  expect(audit.list(everything).map(({ from }) => from)).toEqual(
    ["\u2400", "a\u2400b", "\ufffd", "\ufffda", "x".repeat(64), "ü😀"].reverse(),
  );
});

test.each([
  ["changed", "UPDATE audit SET who = 'someone' WHERE id = 2", 2, /changed/],
  ["changed with its own hash", "UPDATE audit SET digest = '00', hash = '00' WHERE id = 2", 2, /changed/],
  ["removed", "DELETE FROM audit WHERE id = 2", 2, /^the entry is missing$/],
  ["removed at the start", "DELETE FROM audit WHERE id <= 2", 1, /2 entries are missing/],
  ["put in the place of the last", "UPDATE audit_chain SET head_hash = '00'", 5, /not the one that the log ended with/],
  ["removed at the end", "DELETE FROM audit WHERE id > 3", 4, /newest entries are missing/],
  ["counted at the end but is not there", "UPDATE audit_chain SET head_id = 9", 6, /the log ended with 9$/],
  ["declared trimmed", "INSERT INTO audit_removed VALUES (2, 'x'); DELETE FROM audit WHERE id = 2", 3, /follow/],
  ["exchanged", "UPDATE audit SET id = 9 WHERE id = 2; UPDATE audit SET id = 2 WHERE id = 3", 2, /follow/],
  [
    "added",
    "INSERT INTO audit SELECT 6, at, kind, who, credential, address, session, action, params, outcome, client, duration_ms, count, repeats, digest, hash FROM audit WHERE id = 5",
    6,
    /follow/,
  ],
  ["counted down", "UPDATE audit SET count = 2 WHERE id = 1", 1, /changed/],
])("an entry that was %s is found", async (_what, sql, id, reason) => {
  const audit = openAudit();
  record(audit, 5);
  expect(await audit.verify()).toMatchObject({ ok: true });
  database.exec(sql);
  expect(await audit.verify()).toMatchObject({ ok: false, broken: { id, reason: expect.stringMatching(reason) } });
  // The log is still written.
  record(audit, 1);
  expect(audit.list(everything)[0]?.params).toEqual({ n: 0 });
});

test("a log that was computed anew is found with the head that was kept elsewhere", async () => {
  const audit = openAudit();
  record(audit, 5);
  const { head } = await audit.verify();
  record(audit, 2);
  expect(await audit.verify(head)).toMatchObject({ ok: true, entries: 7 });
  database.exec("DELETE FROM audit; UPDATE audit_chain SET head_id = 0, head_hash = ''");
  record(audit, 7);
  expect(await audit.verify()).toMatchObject({ ok: true });
  expect(await audit.verify(head)).toMatchObject({ ok: false, broken: { id: 5 } });
});

test("a log whose newest entries and own head were cut off is found with the head that was kept elsewhere", async () => {
  const audit = openAudit();
  record(audit, 3);
  const shorter = await audit.verify();
  record(audit, 2);
  const { head } = await audit.verify();
  const [id, hash] = shorter.head.split(":");
  database.exec(`DELETE FROM audit WHERE id > 3; UPDATE audit_chain SET head_id = ${id}, head_hash = '${hash}'`);
  expect(await audit.verify()).toMatchObject({ ok: true, entries: 3 });
  expect(await audit.verify(shorter.head)).toMatchObject({ ok: true });
  expect(await audit.verify(head)).toMatchObject({
    ok: false,
    broken: { id: 4, reason: "the newest entries are missing: the log ended with 5" },
  });
  expect(await audit.verify(`3:${"0".repeat(64)}`)).toMatchObject({
    broken: { id: 3, reason: "the log up to this entry is not the one that the given head belongs to" },
  });
});

test("a head of an empty log is of the log that begins with it", async () => {
  const audit = openAudit();
  const { head } = await audit.verify();
  expect(head).toBe("0:");
  record(audit, 1);
  expect(await audit.verify(head)).toMatchObject({ ok: true, entries: 1 });
  await expect(audit.verify("0:x")).rejects.toMatchObject({ code: "invalid_params" });
});

test("a log of several batches is followed to its end", async () => {
  const audit = openAudit();
  record(audit, 2500);
  expect(await audit.verify()).toMatchObject({ ok: true, entries: 2500 });
  database.exec("UPDATE audit SET who = 'someone' WHERE id = 2400");
  expect(await audit.verify()).toMatchObject({ ok: false, entries: 2399, broken: { id: 2400 } });
});

test("one caller cannot push out the entries of the others, and what was removed does not break the chain", async () => {
  const audit = openAudit({ entries: 100, removed: 100_000 });
  record(audit, 5, "owner");
  record(audit, 5, "alice", "guest");
  for (let round = 0; round < 10; round += 1) {
    record(audit, 500, `mallory-${round % 5}`, "guest");
    record(audit, 500, "script");
    record(audit, 1, "owner");
    audit.list(everything);
  }
  // The log trims after every thousand entries.
  record(audit, 1001, "script");
  const kept = audit.list({ limit: 1000 });
  expect(kept.length).toBeLessThanOrEqual(100);
  expect(kept.filter(({ who }) => who === "owner")).toHaveLength(15);
  expect(kept.filter(({ who }) => who === "alice")).toHaveLength(5);
  const verification = await audit.verify();
  expect(verification).toMatchObject({ ok: true, entries: kept.length });
  database.exec("UPDATE audit SET action = 'x' WHERE id = 3");
  expect(await audit.verify()).toMatchObject({ ok: false, broken: { id: 3 } });
});

test("of too many removed entries the hashes go too, and the chain begins later", async () => {
  const audit = openAudit({ entries: 100, removed: 50 });
  record(audit, 5, "owner");
  record(audit, 3000, "script");
  const { head } = await audit.verify();
  audit[Symbol.dispose]();
  const verification = await audit.verify(head);
  expect(verification).toMatchObject({ ok: true, unchained: 5 });
  expect(verification.removed).toBeLessThanOrEqual(1100);
  expect(audit.list({ limit: 1000 }).filter(({ who }) => who === "owner")).toHaveLength(5);
  await expect(audit.verify(`3:${"0".repeat(64)}`)).rejects.toThrow(/begins after/);
});

test("a check goes on with a chain that trimming lets begin after the entries that it has seen", async () => {
  const audit = openAudit();
  record(audit, 2500);
  const { head } = await audit.verify();
  // The first batch is read at once.
  const verification = verifyChain(new AuditRows(database), head);
  new AuditRows(database, { entries: 100, removed: 50 }).trim();
  expect(await verification).toStrictEqual({ ok: true, entries: 100, removed: 50, unchained: 0, head });
});

test("entries that trimming removes after a check has seen them are part of what it has checked", async () => {
  const audit = openAudit();
  record(audit, 2500);
  const { head } = await audit.verify();
  const verification = verifyChain(new AuditRows(database), head);
  new AuditRows(database, { entries: 1500, removed: 500 }).trim();
  expect(await verification).toStrictEqual({ ok: true, entries: 2500, removed: 0, unchained: 0, head });
  expect(await audit.verify()).toStrictEqual({ ok: true, entries: 1500, removed: 500, unchained: 0, head });
});

test("a head of before the chain's first entry is refused, even with the hash that the chain begins with", async () => {
  const audit = openAudit();
  record(audit, 5);
  const { head } = await audit.verify();
  record(audit, 5);
  audit.list(everything);
  new AuditRows(database, { entries: 3, removed: 2 }).trim();
  expect(await audit.verify(head)).toStrictEqual({
    ...{ ok: true, entries: 3, removed: 2, unchained: 0 },
    head: expect.stringMatching(/^10:/),
  });
  const [, hash] = head.split(":");
  await expect(audit.verify(`4:${hash}`)).rejects.toThrow(/begins after entry 5\b/);
});

test("a log without a record of its ends is followed from its first entry, and one that is empty begins anew", async () => {
  const audit = openAudit();
  database.exec("DELETE FROM audit_chain");
  expect(await audit.verify()).toMatchObject({ ok: true, entries: 0, head: "0:" });
  record(audit, 3);
  expect(await audit.verify()).toMatchObject({ ok: true, entries: 3 });
  database.exec("DELETE FROM audit_chain");
  expect(await audit.verify()).toMatchObject({ ok: true, entries: 3 });
  record(audit, 1);
  expect(audit.list(everything)).toHaveLength(4);
  const broken = { id: 4, reason: "the entry does not follow the one before it" };
  expect(await audit.verify()).toMatchObject({ ok: false, broken });
});

test.each([
  ["without its hash", "UPDATE audit SET digest = NULL WHERE id = 2", "the entry was changed"],
  ["missing", "DELETE FROM audit WHERE id = 2", "the entry is missing"],
])("an entry that is %s is found after trimming too: the chain does not begin after it", async (_what, sql, reason) => {
  const audit = openAudit();
  record(audit, 1, "script");
  record(audit, 1, "owner");
  record(audit, 50, "script");
  audit.list(everything);
  database.exec(sql);
  new AuditRows(database, { entries: 20, removed: 5 }).trim();
  expect(audit.list(everything)).toHaveLength(20);
  expect(await audit.verify()).toMatchObject({ ok: false, broken: { id: 2, reason } });
});

test("a clock that jumps removes nothing", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const audit = openAudit();
  record(audit, 5, "owner");
  audit.list(everything);
  vi.setSystemTime(Date.now() + 91 * 86_400_000);
  record(audit, 1001, "script");
  expect(audit.list(everything).length).toBe(1000);
  expect(audit.list({ limit: 1000, text: "owner" })).toHaveLength(5);
});

test("repetitions are counted in one entry, part of the chain, also after the log is opened again", async () => {
  const audit = openAudit();
  for (let n = 0; n < 5; n += 1) {
    audit.call({ ...call, who: null, credential: "none", from: "127.0.0.1" }, { repeats: "same" });
  }
  expect(audit.list(everything).map(({ count }) => count)).toEqual([5]);
  audit[Symbol.dispose]();
  const again = openAudit();
  expect(again.list(everything).map(({ count }) => count)).toEqual([5]);
  expect(await again.verify()).toMatchObject({ ok: true });
});

test("entries of an older version are kept, and told to be older than the chain", async () => {
  const before = migrations.findIndex((step) => step.includes("audit_chain"));
  database.exec(`DROP TABLE audit; DROP TABLE audit_chain; DROP TABLE audit_removed; ${migrations[6]};
    INSERT INTO audit VALUES (1, '2026-01-01T00:00:00Z', 'call', 'x', 'key', '', NULL, 'a', '{}', 'ok', NULL, NULL, 1);
    INSERT INTO audit VALUES (2, '2026-01-01T00:00:00Z', 'call', 'x', 'key', '', NULL, 'a', '{}', 'ok', NULL, NULL, 1);
    ${migrations[before]}`);
  const audit = new Audit(new AuditRows(database), log);
  record(audit, 3);
  expect(audit.list(everything)).toHaveLength(5);
  expect(await audit.verify()).toMatchObject({ ok: true, entries: 3, unchained: 2 });
});
