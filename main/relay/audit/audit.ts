import type { AuditEntry, AuditQuery, AuditVerification } from "../../../core/protocol/audit.ts";
import type { Log } from "../../system/log.ts";
import type { AuditRows, NewAuditEntry } from "../store/audit-rows.ts";
import { maskedTexts } from "./audit-fields.ts";
import { verifyChain } from "./verify-chain.ts";

/** Entries that repeat within this time are counted: the first is written at once, the number of the others at its end. */
const REPEAT_WINDOW_MS = 60_000;
const MOST_REMEMBERED = 1000;
const TRIM_EVERY = 1000;

/** An entry whose repetitions are counted. */
interface CountedEntry {
  readonly entry: NewAuditEntry;
  /** By the monotonic clock, in milliseconds. */
  readonly until: number;
  /** Repetitions that are not written yet. */
  more: number;
  /** Undefined until the entry is written. */
  id: number | undefined;
}

type CallEntry = Omit<NewAuditEntry, "kind" | "count" | "at">;

interface QueuedEntry {
  readonly entry: NewAuditEntry;
  readonly counted: CountedEntry | undefined;
}

/**
 * The audit log: every authentication, and every call that changes something. The entries of one turn of the event loop
 * are written together at its end, so no call waits for them and a SIGKILL loses at most that turn's entries, and the
 * last minute's counts of repetitions.
 */
export class Audit implements Disposable {
  readonly #rows: AuditRows;
  readonly #log: Log;
  readonly #counted = new Map<string, CountedEntry>();
  #queue: QueuedEntry[] = [];
  #flush: NodeJS.Immediate | undefined;
  #expiry: NodeJS.Timeout | undefined;
  #verifying: Promise<unknown> = Promise.resolve();
  #untilTrim = 0;

  constructor(rows: AuditRows, log: Log) {
    this.#rows = rows;
    this.#log = log;
  }

  /**
   * Records a call that changes something. Calls with the same `repeats` text within a minute are counted in one entry,
   * such as keys typed into one shell.
   *
   * @param entry a function is called only for an entry that is not merely counted
   */
  call(entry: CallEntry | (() => CallEntry), { repeats }: { readonly repeats?: string } = {}): void {
    const call = () => ({ ...(typeof entry === "function" ? entry() : entry), kind: "call" }) as const;
    if (repeats === undefined) this.#enqueue(newEntry(call()), undefined);
    else this.#count(repeats, call);
  }

  /** Records a credential check. The same credential from the same address is counted in one entry for a minute. */
  authentication(entry: Omit<NewAuditEntry, "kind" | "count" | "at" | "params" | "client" | "durationMs">): void {
    const { who, credential, from, session, outcome } = entry;
    const name = [who, credential, from, session, outcome].join("\n");
    this.#count(name, () => ({ ...entry, kind: "authentication", params: {}, client: null, durationMs: null }));
  }

  /** Returns the entries that match, newest first, including those recorded just before the call. */
  list(query: AuditQuery): AuditEntry[] {
    this.#write();
    const more = new Map([...this.#counted.values()].map((counted) => [counted.id, counted.more]));
    return this.#rows.list(query).map((entry) => ({ ...entry, count: entry.count + (more.get(entry.id) ?? 0) }));
  }

  /**
   * Checks the chain of entries. One check runs at a time.
   *
   * @param head of an earlier check; the log must still contain it
   * @throws RemoteError `invalid_params` for a head that is older than the chain's first entry
   */
  async verify(head?: string): Promise<AuditVerification> {
    const verification = this.#verifying.then(() => {
      this.#write();
      return verifyChain(this.#rows, head);
    });
    this.#verifying = verification.catch(() => undefined);
    return verification;
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#expiry);
    this.#expireCounted(Number.POSITIVE_INFINITY);
    this.#write();
  }

  /** `make` makes the entry where there is none yet: every request comes by here. */
  #count(name: string, make: () => Omit<NewAuditEntry, "count" | "at">): void {
    const now = performance.now();
    const counted = this.#counted.get(name);
    if (counted !== undefined && now < counted.until) {
      counted.more += 1;
      return;
    }
    this.#expireCounted(this.#counted.size < MOST_REMEMBERED ? now : Number.POSITIVE_INFINITY);
    const entry = newEntry(make());
    const fresh: CountedEntry = { entry, until: now + REPEAT_WINDOW_MS, more: 0, id: undefined };
    this.#counted.set(name, fresh);
    this.#enqueue(entry, fresh);
    this.#expireLater();
  }

  /** Writes the counts of entries whose time was over at `now`, and forgets these entries. */
  #expireCounted(now: number): void {
    // In the order of their times, because all have the same duration.
    for (const [name, counted] of this.#counted) {
      if (counted.until > now) break;
      if (counted.id === undefined && counted.more > 0) this.#write();
      this.#counted.delete(name);
      const { entry, id, more } = counted;
      if (id !== undefined && more > 0) {
        this.#enqueue({ ...entry, at: new Date().toISOString(), repeats: id, count: more }, undefined);
      }
    }
  }

  #expireLater(): void {
    this.#expiry ??= setTimeout(() => {
      this.#expiry = undefined;
      this.#expireCounted(performance.now());
      if (this.#counted.size > 0) this.#expireLater();
    }, REPEAT_WINDOW_MS).unref();
  }

  #enqueue(entry: NewAuditEntry, counted: CountedEntry | undefined): void {
    this.#queue.push({ entry: maskedTexts(entry), counted });
    this.#flush ??= setImmediate(() => this.#write());
  }

  #write(): void {
    if (this.#flush !== undefined) clearImmediate(this.#flush);
    this.#flush = undefined;
    if (this.#queue.length === 0) return;
    const queue = this.#queue;
    this.#queue = [];
    try {
      const ids = this.#rows.add(queue.map(({ entry }) => entry));
      for (const [index, { counted }] of queue.entries()) if (counted !== undefined) counted.id = ids[index];
      this.#untilTrim -= queue.length;
      if (this.#untilTrim < 0) {
        this.#untilTrim = TRIM_EVERY;
        this.#rows.trim();
      }
    } catch (error) {
      this.#log.error("the audit log could not be written", { error, entries: queue.length });
      // What repeats a lost entry begins an entry of its own: nobody would see the count of one that is not there.
      for (const [name, { id }] of this.#counted) if (id === undefined) this.#counted.delete(name);
    }
  }
}

function newEntry(entry: Omit<NewAuditEntry, "count" | "at">): NewAuditEntry {
  return { ...entry, count: 1, at: new Date().toISOString() };
}
