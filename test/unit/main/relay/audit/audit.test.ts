import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Audit } from "../../../../../main/relay/audit/audit.ts";
import { AuditRows } from "../../../../../main/relay/store/audit-rows.ts";
import { openStore, type StoreDatabase } from "../../../../../main/relay/store/open-store.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const MINUTE_MS = 60_000;

const everything = { limit: 1000 };
const unnamed = { who: "laptop", credential: "key", from: "127.0.0.1", session: "s", outcome: "ok" } as const;
const entryOf = (action: string) => ({ ...unnamed, action, params: {}, client: 1, durationMs: 1 });

let folder: ReturnType<typeof temporaryFolder>;
let database: StoreDatabase;
let rows: AuditRows;
let audit: Audit;
let errors: { message: string; fields: Record<string, unknown> | undefined }[];

beforeEach(() => {
  folder = temporaryFolder();
  ({ database } = openStore(folder.path));
  rows = new AuditRows(database);
  errors = [];
  const quiet = () => undefined;
  const error = (message: string, fields?: Record<string, unknown>) => void errors.push({ message, fields });
  audit = new Audit(rows, { debug: quiet, info: quiet, warn: quiet, error });
});
afterEach(() => {
  audit[Symbol.dispose]();
  vi.useRealTimers();
  database.close();
  folder[Symbol.dispose]();
});

/** Records a call whose repetitions are counted. */
const repeat = (action: string, times = 1) => {
  for (let n = 0; n < times; n += 1) audit.call(entryOf(action), { repeats: action });
};
/** What the log tells, newest first. */
const listed = () => audit.list(everything).map(({ action, count }) => `${action} ${count}`);
/** What of it would be left after a SIGKILL. */
const stored = () => rows.list(everything).map(({ action, count }) => `${action} ${count}`);
const storedRows = () => database.prepare("SELECT action, count FROM audit ORDER BY id").raw().all([]);
const failWrites = () =>
  database.exec(`CREATE TRIGGER full BEFORE INSERT ON audit BEGIN SELECT RAISE(ABORT, 'the disk is full'); END`);
const mendWrites = () => database.exec("DROP TRIGGER full");

describe("with time that the test turns", () => {
  /** Runs what a timer or a call has left to the end of the turn: the fake clock has it a millisecond later. */
  const endTurn = () => vi.advanceTimersByTime(1);

  beforeEach(() => {
    vi.useFakeTimers({
      toFake: ["setTimeout", "clearTimeout", "setImmediate", "clearImmediate", "performance", "Date"],
    });
  });

  test("the entries of a turn are stored together at its end, and no call waits for that", () => {
    const add = vi.spyOn(rows, "add");
    audit.call(entryOf("first"));
    audit.call(() => entryOf("second"));
    expect(stored()).toEqual([]);
    endTurn();
    expect(stored()).toEqual(["second 1", "first 1"]);
    expect(add).toHaveBeenCalledTimes(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("a call that is merely counted makes no entry", () => {
    const make = vi.fn(() => entryOf("keys"));
    for (let n = 0; n < 3; n += 1) audit.call(make, { repeats: "keys" });
    expect(make).toHaveBeenCalledTimes(1);
    expect(listed()).toEqual(["keys 3"]);
  });

  test("the number of repetitions is stored a minute after the first call, with the time of that", () => {
    vi.setSystemTime("2026-01-01T10:00:00Z");
    repeat("keys", 3);
    vi.advanceTimersByTime(MINUTE_MS - 1);
    expect(stored()).toEqual(["keys 1"]);
    expect(listed()).toEqual(["keys 3"]);
    vi.advanceTimersByTime(1);
    endTurn();
    expect(stored()).toEqual(["keys 3"]);
    expect(listed()).toEqual(["keys 3"]);
    expect(database.prepare("SELECT at, count, repeats FROM audit ORDER BY id").raw().all([])).toEqual([
      ["2026-01-01T10:00:00.000Z", 1, null],
      ["2026-01-01T10:01:00.000Z", 2, 1],
    ]);
  });

  test("a call that nothing has repeated leaves one row, and no timer after its minute", () => {
    repeat("keys");
    vi.advanceTimersByTime(MINUTE_MS);
    endTurn();
    expect(storedRows()).toEqual([["keys", 1]]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("repetitions that began while those of another call were counted are stored too", () => {
    repeat("keys", 2);
    vi.advanceTimersByTime(MINUTE_MS / 2);
    repeat("resize", 2);
    vi.advanceTimersByTime(MINUTE_MS / 2);
    endTurn();
    expect(stored()).toEqual(["resize 1", "keys 2"]);
    vi.advanceTimersByTime(MINUTE_MS);
    endTurn();
    expect(stored()).toEqual(["resize 2", "keys 2"]);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("while timers are late", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["performance"] });
  });

  test("a call a minute after the first is an entry of its own, and what was counted until then is kept", () => {
    repeat("keys", 3);
    vi.advanceTimersByTime(MINUTE_MS - 1);
    repeat("keys");
    vi.advanceTimersByTime(1);
    repeat("keys", 2);
    expect(listed()).toEqual(["keys 2", "keys 4"]);
    audit[Symbol.dispose]();
    expect(stored()).toEqual(["keys 2", "keys 4"]);
  });

  test("each call is counted for its own minute, whatever else is called in it", () => {
    repeat("keys");
    vi.advanceTimersByTime(MINUTE_MS / 2);
    repeat("resize");
    repeat("keys");
    vi.advanceTimersByTime(MINUTE_MS / 2);
    repeat("paste");
    repeat("resize");
    repeat("keys");
    expect(listed()).toEqual(["keys 1", "paste 1", "resize 2", "keys 2"]);
  });
});

test("a thousand different calls are remembered; with the next one their counts are stored, and counting begins anew", () => {
  for (let n = 0; n < 1000; n += 1) repeat(`call-${n}`);
  repeat("call-0");
  expect(listed()).toHaveLength(1000);
  repeat("one-more");
  repeat("call-0");
  repeat("one-more");
  expect(listed().slice(0, 3)).toEqual(["call-0 1", "one-more 2", "call-999 1"]);
  expect(rows.list({ ...everything, text: "call-0" }).map(({ count }) => count)).toEqual([1, 2]);
});

test("what was counted in the turn in which the log ends is stored, all counts together", () => {
  const add = vi.spyOn(rows, "add");
  for (const action of ["a", "b", "c", "d"]) repeat(action, 3);
  repeat("once");
  audit[Symbol.dispose]();
  expect(stored()).toEqual(["once 1", "d 3", "c 3", "b 3", "a 3"]);
  expect(storedRows()).toHaveLength(9);
  expect(add).toHaveBeenCalledTimes(2);
});

test("the log is read without a write where nothing is new", () => {
  repeat("keys");
  expect(listed()).toEqual(["keys 1"]);
  const changes = () => database.prepare("SELECT total_changes()").raw().get([]);
  const before = changes();
  expect(listed()).toEqual(["keys 1"]);
  expect(changes()).toEqual(before);
});

describe("credential checks", () => {
  const check = (more: object) => audit.authentication({ ...unnamed, action: "Authorization: Bearer", ...more });

  test("of one credential from one address are one entry", () => {
    for (let n = 0; n < 3; n += 1) check({});
    expect(audit.list(everything)).toMatchObject([
      { ...unnamed, kind: "authentication", params: {}, client: null, durationMs: null, count: 3 },
    ]);
  });

  test.each<[string, object, object]>([
    ["names", { who: "laptop" }, { who: "phone" }],
    ["kinds of credential", { credential: "key" }, { credential: "token" }],
    ["addresses", { from: "10.0.0.1" }, { from: "10.0.0.2" }],
    ["sessions", { session: "s" }, { session: null }],
    ["outcomes", { outcome: "ok" }, { outcome: "unauthenticated" }],
    [
      "addresses and sessions that read alike in a row",
      { from: "10.0.0.1", session: "23" },
      { from: "10.0.0.12", session: "3" },
    ],
  ])("of different %s have an entry each", (_what, one, other) => {
    for (let n = 0; n < 2; n += 1) {
      check(one);
      check(other);
    }
    expect(audit.list(everything)).toMatchObject([
      { ...other, count: 2 },
      { ...one, count: 2 },
    ]);
  });
});

describe("while the database cannot be written", () => {
  test("the entries that are lost are told to the operator, and later ones are stored", () => {
    failWrites();
    audit.call(entryOf("first"));
    audit.call(entryOf("second"));
    expect(listed()).toEqual([]);
    const error = expect.objectContaining({ message: expect.stringContaining("the disk is full") });
    expect(errors).toEqual([{ message: "the audit log could not be written", fields: { error, entries: 2 } }]);
    mendWrites();
    audit.call(entryOf("third"));
    expect(listed()).toEqual(["third 1"]);
    expect(errors).toHaveLength(1);
  });

  test("a call whose entry was lost has a new one at its next repetition, not a count that nobody sees", () => {
    repeat("kept");
    expect(listed()).toEqual(["kept 1"]);
    failWrites();
    repeat("keys", 2);
    expect(listed()).toEqual(["kept 1"]);
    mendWrites();
    repeat("keys", 2);
    repeat("kept");
    expect(listed()).toEqual(["keys 2", "kept 2"]);
    audit[Symbol.dispose]();
    expect(stored()).toEqual(["keys 2", "kept 2"]);
  });
});
