import { randomBytes } from "node:crypto";
import type { KV, KvEntry } from "@nats-io/kv";
import { z } from "zod";
import type { Log } from "../../system/log.ts";
import { RELAY_NAME } from "./credentials.ts";
import { MemberId } from "./wire.ts";

const HEARTBEAT_MS = 10_000;
/** A relay that has sent no heartbeat for so long is away. */
const AWAY_AFTER_MS = 30_000;
/** A record is written again this often, so that it outlives the time that the directory keeps it. */
const RENEW_EVERY_MS = 24 * 3600_000;
/** The broker removes an entry that no relay renews after a week, and so do the relays that have read it. */
export const ENTRY_TTL_MS = 7 * 24 * 3600_000;
const MOST_RECORD_BYTES = 512 * 1024;
const MOST_MEMBERS = 10_000;
/** Characters of a member's public key in its name, where others have that name too. */
const SHOWN_OF_KEY = 12;
/** How soon it is noticed that a relay has fallen silent. */
const CHECK_EVERY_MS = 1_000;
/** A heartbeat comes back sooner than that on any broker that is well; then twice as long, until one does. */
const RETURN_MS = { first: 3_000, longest: 60_000 };

/** Read without what a relay of a newer version adds. */
const SessionEntry = z.object({
  id: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/),
  name: z.string().max(200),
  owner: z.string().max(256),
  createdAt: z.iso.datetime(),
});

const RelayRecord = z.object({
  name: z.string().regex(RELAY_NAME),
  version: z.string().max(64),
  /** When it joined, by the broker's clock: of two relays with one session the earlier one serves it. */
  joinedAt: z.int().min(0),
  sessions: z.array(SessionEntry).max(2_000),
});
export type RelayRecord = z.infer<typeof RelayRecord>;

/** A relay of the fleet. */
export interface DirectoryMember {
  readonly member: string;
  readonly record: RelayRecord;
  readonly isPresent: boolean;
  /** When it was last heard of, in milliseconds since 1970 by the broker's clock. */
  readonly lastSeen: number;
}

interface DirectoryOptions {
  readonly member: string;
  readonly log: Log;
  readonly onChange: () => void;
}

/**
 * What the relays of the fleet tell each other of themselves: a record for each, and a heartbeat. It may be stale and is
 * never trusted for permission; each member can write its own entries only, which the broker checks. One watcher serves
 * all of the relay. Times are the broker's, so that the clocks of the machines need not agree.
 */
export class Directory implements Disposable {
  readonly #options: DirectoryOptions;
  readonly #records = new Map<string, RelayRecord>();
  readonly #beats = new Map<string, { readonly at: number; readonly hasLeft: boolean }>();
  readonly #check: NodeJS.Timeout;
  /** The relays that were there when it was last told of. */
  readonly #present = new Set<string>();
  /** The relays whose records have a session, by its id. It follows each record, so that a change costs the same in a large fleet. */
  readonly #claimants = new Map<string, Set<string>>();
  /** The relays that call themselves so, by the name. */
  readonly #named = new Map<string, Set<string>>();
  #kv: KV | undefined;
  #watcher: { stop(): void } | undefined;
  /** Broker's clock minus the monotonic clock, in milliseconds. */
  #offset: number | undefined;
  /** The heartbeat that has not come back yet. */
  #sent: { readonly at: number; readonly token: string } | undefined;
  #heartbeat: NodeJS.Timeout | undefined;
  /** How long its own heartbeat may take to come back, in milliseconds, and when it is late. */
  #patience = RETURN_MS.first;
  #lateAt = Number.POSITIVE_INFINITY;
  #record: Omit<RelayRecord, "joinedAt"> | undefined;
  #joinedAt: number | undefined;
  #written = { text: "", at: Number.NEGATIVE_INFINITY };

  constructor(options: DirectoryOptions) {
    this.#options = options;
    this.#check = setInterval(() => {
      this.#forgetSilent();
      this.#tellPresence();
      this.#noticeSilence();
    }, CHECK_EVERY_MS);
    this.#check.unref();
  }

  /** Milliseconds of the broker's clock; undefined before this relay's first heartbeat. */
  now(): number | undefined {
    return this.#offset === undefined ? undefined : performance.now() + this.#offset;
  }

  /** Reads the directory from now on, and tells of this relay. Called at each connection to the broker. */
  async open(kv: KV): Promise<void> {
    this.suspend();
    this.#kv = kv;
    await this.#watch(kv);
  }

  /** Stops until `open`: the connection to the broker is lost. */
  suspend(): void {
    this.#endWatch();
    this.#kv = undefined;
  }

  /** Tells the other relays of this one. */
  announce(record: Omit<RelayRecord, "joinedAt">): void {
    this.#record = record;
    this.#write();
  }

  /** Tells the other relays that this one is away. */
  async leave(): Promise<void> {
    const kv = this.#kv;
    // Nothing may send a heartbeat after the removal of the last one.
    this.suspend();
    await kv?.delete(`beats.${this.#options.member}`).catch(() => undefined);
  }

  /** All relays but this one, by name. */
  others(): DirectoryMember[] {
    const all = [...this.#records.keys()].flatMap((member) => this.#memberOf(member) ?? []);
    return all
      .filter(({ member }) => member !== this.#options.member)
      .sort((one, other) => (one.record.name < other.record.name ? -1 : 1));
  }

  /**
   * The name of a relay. Each relay says its own, and one could say another's: so a name that several have names none of
   * them, and each is told by its key as well. No relay can have that as its name.
   */
  nameOf(member: string): string {
    const key = member.slice(0, SHOWN_OF_KEY);
    const name = this.#records.get(member)?.name;
    if (name === undefined) return key;
    return this.#named.get(name)?.size === 1 ? name : `${name}~${key}`;
  }

  /** Returns the other relay that serves a session: one that is present, before one that is away, and the earliest to join. */
  find(session: string): DirectoryMember | undefined {
    return this.#claimsOf(session).find(({ member }) => member !== this.#options.member);
  }

  /** Returns whether this relay is to serve a session of its own: not if a relay that joined before it does. */
  isServedHere(session: string): boolean {
    const [first] = this.#claimsOf(session).filter(({ isPresent }) => isPresent);
    return first === undefined || first.member === this.#options.member;
  }

  [Symbol.dispose](): void {
    clearInterval(this.#check);
    this.suspend();
  }

  async #watch(kv: KV): Promise<void> {
    const watcher = await kv.watch({ key: ">" });
    // The connection was lost meanwhile, or opened again: another call is in charge.
    if (this.#kv !== kv) return watcher.stop();
    this.#watcher = watcher;
    void this.#read(watcher);
    this.#heartbeat = setInterval(() => this.#beat(), HEARTBEAT_MS);
    this.#heartbeat.unref();
    this.#beat();
    this.#lateAt = performance.now() + this.#patience;
  }

  #endWatch(): void {
    clearInterval(this.#heartbeat);
    this.#watcher?.stop();
    this.#watcher = undefined;
    this.#lateAt = Number.POSITIVE_INFINITY;
  }

  /**
   * Watches anew when this relay's own heartbeat does not come back. nats-server 2.9.10 at times sends a new watcher nothing,
   * though it counts what it sends as delivered; the library notices after a minute.
   */
  #noticeSilence(): void {
    const kv = this.#kv;
    if (kv === undefined || performance.now() < this.#lateAt) return;
    this.#options.log.warn("the fleet's directory is silent; it is watched anew", { afterMs: this.#patience });
    this.#patience = Math.min(RETURN_MS.longest, 2 * this.#patience);
    this.#endWatch();
    this.#watch(kv).catch((error: unknown) => {
      this.#options.log.warn("the fleet's directory cannot be watched", { error: String(error) });
      if (this.#kv === kv) this.#lateAt = performance.now() + this.#patience;
    });
  }

  #claimsOf(session: string): readonly DirectoryMember[] {
    const members = [...(this.#claimants.get(session) ?? [])];
    return members.flatMap((member) => this.#memberOf(member) ?? []).sort(byPrecedence);
  }

  #memberOf(member: string): DirectoryMember | undefined {
    const record = this.#records.get(member);
    if (record === undefined) return undefined;
    const named = { ...record, name: this.nameOf(member) };
    return { member, record: named, lastSeen: this.#beats.get(member)?.at ?? 0, isPresent: this.#isPresent(member) };
  }

  #isPresent(member: string): boolean {
    const beat = this.#beats.get(member);
    const now = this.now();
    return beat !== undefined && !beat.hasLeft && now !== undefined && now - beat.at < AWAY_AFTER_MS;
  }

  async #read(watcher: AsyncIterable<KvEntry>): Promise<void> {
    try {
      for await (const entry of watcher) this.#take(entry);
    } catch (error) {
      this.#options.log.warn("the fleet's directory cannot be read", { error: String(error) });
    }
  }

  #take(entry: KvEntry): void {
    const [kind, id] = entry.key.split(".", 2);
    const member = MemberId.safeParse(id).data;
    if (member === undefined) return;
    if (kind === "beats") this.#takeBeat(member, entry);
    else if (kind === "relays") this.#takeRecord(member, entry);
  }

  #takeBeat(member: string, { operation, created, value }: KvEntry): void {
    // A relay that leaves says so by removing its heartbeat.
    const hasLeft = operation !== "PUT";
    this.#beats.set(member, { at: created.getTime(), hasLeft });
    if (member === this.#options.member && !hasLeft) this.#setClock({ created, value });
    if (this.#notePresence(member)) this.#options.onChange();
  }

  #setClock({ created, value }: Pick<KvEntry, "created" | "value">): void {
    // The directory also has the heartbeat of an earlier run or connection.
    if (this.#sent === undefined || new TextDecoder().decode(value) !== this.#sent.token) return;
    // The broker's time lies between the sending of the heartbeat and its return.
    const middle = (this.#sent.at + performance.now()) / 2;
    const isFirst = this.#offset === undefined;
    this.#sent = undefined;
    this.#patience = RETURN_MS.first;
    this.#lateAt = performance.now() + HEARTBEAT_MS + this.#patience;
    this.#offset = created.getTime() - middle;
    this.#joinedAt ??= created.getTime();
    this.#write();
    if (isFirst) this.#tellPresence();
  }

  #takeRecord(member: string, entry: KvEntry): void {
    const record = entry.operation === "PUT" ? recordOf(entry) : undefined;
    if (record !== undefined && this.#records.size >= MOST_MEMBERS && !this.#records.has(member)) return;
    this.#replaceRecord(member, record);
    this.#options.onChange();
  }

  #replaceRecord(member: string, record: RelayRecord | undefined): void {
    const before = this.#records.get(member);
    for (const { id } of before?.sessions ?? []) removeFrom(this.#claimants, id, member);
    if (before !== undefined) removeFrom(this.#named, before.name, member);
    if (record === undefined) this.#records.delete(member);
    else this.#records.set(member, record);
    for (const { id } of record?.sessions ?? []) addTo(this.#claimants, id, member);
    if (record !== undefined) addTo(this.#named, record.name, member);
  }

  #beat(): void {
    const token = randomBytes(9).toString("base64url");
    this.#sent = { at: performance.now(), token };
    this.#kv?.put(`beats.${this.#options.member}`, token).catch((error: unknown) => {
      this.#options.log.warn("the fleet's directory takes no heartbeat", { error: String(error) });
    });
    this.#write();
  }

  #write(): void {
    const kv = this.#kv;
    if (kv === undefined || this.#record === undefined || this.#joinedAt === undefined) return;
    const text = JSON.stringify({ ...this.#record, joinedAt: this.#joinedAt } satisfies RelayRecord);
    const now = performance.now();
    if (text === this.#written.text && now - this.#written.at < RENEW_EVERY_MS) return;
    this.#written = { text, at: now };
    kv.put(`relays.${this.#options.member}`, text).catch((error: unknown) => {
      this.#written = { text: "", at: Number.NEGATIVE_INFINITY };
      this.#options.log.warn("the fleet's directory takes no record", { error: String(error) });
    });
  }

  /** Tells of relays that fell silent, and of those that were there before the broker's clock was known. */
  #tellPresence(): void {
    const changed = [...this.#beats.keys()].filter((member) => this.#notePresence(member));
    if (changed.length > 0) this.#options.onChange();
  }

  #forgetSilent(): void {
    const before = (this.now() ?? 0) - ENTRY_TTL_MS;
    const silent = [...this.#beats].filter(([member, { at }]) => at < before && this.#records.has(member));
    for (const [member] of silent) this.#replaceRecord(member, undefined);
    if (silent.length > 0) this.#options.onChange();
  }

  /** Returns whether a relay came or left since it was last told of. */
  #notePresence(member: string): boolean {
    const isPresent = this.#isPresent(member);
    if (isPresent === this.#present.has(member)) return false;
    if (isPresent) this.#present.add(member);
    else this.#present.delete(member);
    return true;
  }
}

type Members = Map<string, Set<string>>;

function addTo(members: Members, key: string, member: string): void {
  members.set(key, (members.get(key) ?? new Set()).add(member));
}

function removeFrom(members: Members, key: string, member: string): void {
  members.get(key)?.delete(member);
  if (members.get(key)?.size === 0) members.delete(key);
}

function byPrecedence(one: DirectoryMember, other: DirectoryMember): number {
  if (one.isPresent !== other.isPresent) return one.isPresent ? -1 : 1;
  const earlier = one.record.joinedAt - other.record.joinedAt;
  return earlier === 0 ? (one.member < other.member ? -1 : 1) : earlier;
}

function recordOf({ value }: KvEntry): RelayRecord | undefined {
  if (value.length > MOST_RECORD_BYTES) return undefined;
  try {
    return RelayRecord.safeParse(JSON.parse(new TextDecoder().decode(value))).data;
  } catch {
    return undefined;
  }
}
