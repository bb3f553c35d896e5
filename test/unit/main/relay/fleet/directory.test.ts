import { setImmediate as turnOfTheLoop } from "node:timers/promises";
import type { KV, KvEntry } from "@nats-io/kv";
import { expect, onTestFinished, test, vi } from "vitest";
import { Directory, type RelayRecord } from "../../../../../main/relay/fleet/directory.ts";
import { until } from "../../../../support/until.ts";

const createdAt = "2026-11-22T10:00:00.000Z";
const quiet = () => undefined;
const OWN = memberOf("A");
const BOX = memberOf("B");
const DESK = memberOf("C");

test("a session is found where the latest record has it, and nowhere once its relay has removed it", async () => {
  using bucket = new Bucket();
  using directory = await openDirectory(bucket);
  await bucket.tell(BOX, record("box", ["one", "two"]));
  expect(directory.find("one")?.record.name).toBe("box");
  await bucket.tell(BOX, record("box", ["two", "three"]));
  await bucket.tell(DESK, record("desk", ["one"]));
  const found = ["one", "two", "three"].map((id) => directory.find(id)?.record.name);
  expect(found).toEqual(["desk", "box", "box"]);
  await bucket.tell(BOX, undefined);
  expect(["one", "two", "three"].map((id) => directory.find(id)?.record.name)).toEqual(["desk", undefined, undefined]);
});

test("the record of a relay of a newer version is read without what that has added", async () => {
  using bucket = new Bucket();
  using directory = await openDirectory(bucket);
  const { sessions, ...more } = record("box", ["one"]);
  await bucket.tell(BOX, {
    ...more,
    newer: 1,
    sessions: sessions.map((session) => ({ ...session, newer: 1 })),
  } as never);
  expect(directory.others().map((other) => other.record)).toEqual([{ ...more, sessions }]);
});

test("of two relays with one session the earlier serves it while it is there, and the other one after it has left", async () => {
  using bucket = new Bucket();
  using directory = await openDirectory(bucket);
  await bucket.tell(BOX, record("box", ["one"], 2));
  await bucket.tell(DESK, record("desk", ["one"], 1));
  expect(directory.find("one")?.record.name).toBe("desk");
  await bucket.leave(DESK);
  expect(directory.find("one")?.record.name).toBe("box");
  expect(directory.others().map(({ record: { name }, isPresent }) => [name, isPresent])).toEqual([
    ["box", true],
    ["desk", false],
  ]);
});

test("a name that two relays say names neither of them, and each again once it is the only one", async () => {
  using bucket = new Bucket();
  using directory = await openDirectory(bucket);
  const names = () => directory.others().map(({ record: { name } }) => name);
  await bucket.tell(BOX, record("box", ["one"]));
  await bucket.tell(DESK, record("box", ["two"]));
  const both = [BOX, DESK].map((member) => `box~${member.slice(0, 12)}`);
  expect([names(), [BOX, DESK].map((member) => directory.nameOf(member))]).toEqual([both, both]);
  await bucket.tell(DESK, record("desk", ["two"]));
  expect(names()).toEqual(["box", "desk"]);
  // Nor does one take the name of this relay.
  await bucket.tell(OWN, record("laptop", []));
  await bucket.tell(DESK, record("laptop", ["two"]));
  expect(names()).toEqual(["box", `laptop~${DESK.slice(0, 12)}`]);
});

test("a relay of which nothing was heard for a week is forgotten, with its name and its sessions", async () => {
  using bucket = new Bucket();
  using directory = await openDirectory(bucket);
  await bucket.tell(BOX, record("box", ["one"]));
  await bucket.tell(DESK, record("box", ["two"]));
  const week = 7 * 24 * 3600_000;
  await bucket.beat(BOX, new Date(Date.now() - week - 60_000));
  await bucket.beat(DESK, new Date(Date.now() - week + 60_000));
  await until("the next look", () => directory.find("one") === undefined);
  expect([directory.find("two")?.member, directory.nameOf(DESK)]).toEqual([DESK, "box"]);
});

test("a relay that is there is told once, however many heartbeats it sends", async () => {
  using bucket = new Bucket();
  let changes = 0;
  using _directory = await openDirectory(bucket, () => changes++);
  await bucket.tell(BOX, record("box", []));
  const before = changes;
  for (let beat = 0; beat < 5; beat++) await bucket.beat(BOX);
  expect(changes).toBe(before);
  await bucket.leave(BOX);
  expect(changes).toBe(before + 1);
});

test("a connection that is lost while the directory is opened leaves no watcher and no heartbeat behind", async () => {
  const told: string[] = [];
  let begin: (watcher: { stop(): void }) => void = quiet;
  const watching = new Promise((resolve) => {
    begin = resolve;
  });
  const put = async (key: string) => told.push(key);
  using directory = new Directory({
    member: OWN,
    log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
    onChange: quiet,
  });
  const opened = directory.open({ watch: () => watching, put } as unknown as KV);
  directory.suspend();
  begin({ stop: () => told.push("stopped") });
  await opened;
  expect(told).toEqual(["stopped"]);
});

test("a watcher that is told nothing is replaced, sooner at first than later, until one hears this relay's heartbeat", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  using bucket = new Bucket();
  let watchers = 0;
  const deaf = () => ({ stop: quiet, async *[Symbol.asyncIterator]() {} });
  const watch = () => (++watchers > 3 ? bucket.kv.watch() : deaf());
  const log = { debug: quiet, info: quiet, warn: quiet, error: quiet };
  using directory = new Directory({ member: OWN, log, onChange: quiet });
  await directory.open({ ...bucket.kv, watch } as unknown as KV);
  const seen: number[] = [];
  for (let second = 0; second < 40; second++) {
    await vi.advanceTimersByTimeAsync(1_000);
    seen.push(watchers);
  }
  // After 3 s, 6 s more and 12 s more.
  expect([1, 2, 3, 4].map((count) => seen.lastIndexOf(count) + 1)).toEqual([2, 8, 20, 40]);
  expect(directory.now()).toBeGreaterThan(0);
});

function memberOf(letter: string): string {
  return `U${letter.repeat(55)}`;
}

function record(name: string, sessions: readonly string[], joinedAt = 1): RelayRecord {
  const entries = sessions.map((id) => ({ id, name: "default", owner: "tester", createdAt }));
  return { name, version: "1", joinedAt, sessions: entries };
}

/** Resolves when the directory knows the broker's time, by its own heartbeat. */
async function openDirectory(bucket: Bucket, onChange: () => void = quiet): Promise<Directory> {
  const log = { debug: quiet, info: quiet, warn: quiet, error: quiet };
  const directory = new Directory({ member: OWN, log, onChange });
  await directory.open(bucket.kv);
  await turnOfTheLoop();
  expect(directory.now()).toBeGreaterThan(0);
  return directory;
}

/** Stands for the broker's bucket: what is put comes to the watcher. */
class Bucket implements Disposable {
  readonly #entries: KvEntry[] = [];
  #arrived: () => void = quiet;
  #isStopped = false;

  get kv(): KV {
    const put = async (key: string, value: string) => {
      this.#give(key, "PUT", value);
      return 1;
    };
    const watch = async () => Object.assign(this.#read(), { stop: () => this[Symbol.dispose]() });
    return { put, watch, delete: async () => undefined } as unknown as KV;
  }

  /** A relay's record and heartbeat, or the removal of its record. */
  async tell(member: string, told: RelayRecord | undefined): Promise<void> {
    this.#give(`relays.${member}`, told === undefined ? "DEL" : "PUT", JSON.stringify(told ?? null));
    await this.beat(member);
  }

  async beat(member: string, created = new Date()): Promise<void> {
    this.#give(`beats.${member}`, "PUT", "", created);
    await turnOfTheLoop();
  }

  async leave(member: string): Promise<void> {
    this.#give(`beats.${member}`, "DEL", "");
    await turnOfTheLoop();
  }

  [Symbol.dispose](): void {
    this.#isStopped = true;
    this.#arrived();
  }

  #give(key: string, operation: KvEntry["operation"], value: string, created = new Date()): void {
    const bytes = new TextEncoder().encode(value);
    this.#entries.push({ key, operation, created, value: bytes } as unknown as KvEntry);
    this.#arrived();
  }

  async *#read(): AsyncGenerator<KvEntry> {
    while (!this.#isStopped) {
      for (let next = this.#entries.shift(); next !== undefined; next = this.#entries.shift()) yield next;
      await new Promise<void>((resolve) => {
        this.#arrived = resolve;
      });
    }
  }
}
