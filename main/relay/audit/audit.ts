import type { AuditEntry, AuditQuery } from "../../../core/protocol/audit.ts";
import type { Log } from "../../system/log.ts";
import type { AuditRows, NewAuditEntry } from "../store/audit-rows.ts";

/** An entry that repeats within this time increments the count of the first instead of being added. */
const REPEAT_WINDOW_MS = 60_000;
const MOST_REMEMBERED = 1000;
const TRIM_EVERY = 1000;

/** An entry whose repetitions are counted. */
interface CountedEntry {
  readonly since: number;
  count: number;
  /** Undefined until the entry is written. */
  id: number | undefined;
}

interface QueuedEntry {
  readonly entry: NewAuditEntry;
  readonly counted: CountedEntry | undefined;
}

/**
 * The audit log: every authentication, and every call that changes something. The entries of one turn of the event loop
 * are written together at its end, so no call waits for them and a SIGKILL loses at most that turn's entries.
 */
export class Audit implements Disposable {
  readonly #rows: AuditRows;
  readonly #log: Log;
  readonly #counted = new Map<string, CountedEntry>();
  readonly #changedCounts = new Set<CountedEntry>();
  #queue: QueuedEntry[] = [];
  #flush: NodeJS.Immediate | undefined;
  #untilTrim = 0;

  constructor(rows: AuditRows, log: Log) {
    this.#rows = rows;
    this.#log = log;
  }

  /**
   * Records a call that changes something. Calls with the same `repeats` text within a minute are counted in one entry,
   * such as keys typed into one shell.
   */
  call(entry: Omit<NewAuditEntry, "kind" | "count" | "at">, { repeats }: { readonly repeats?: string } = {}): void {
    const call = () => ({ ...entry, kind: "call" }) as const;
    if (repeats === undefined) this.#enqueue({ ...call(), count: 1, at: new Date().toISOString() }, undefined);
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
    return this.#rows.list(query);
  }

  [Symbol.dispose](): void {
    this.#write();
  }

  /** `entry` makes the entry where there is none yet: every request comes by here. */
  #count(name: string, entry: () => Omit<NewAuditEntry, "count" | "at">): void {
    const now = Date.now();
    const counted = this.#counted.get(name);
    if (counted !== undefined && now - counted.since < REPEAT_WINDOW_MS) {
      counted.count += 1;
      this.#changedCounts.add(counted);
      // Later counts are written with the next entry, or at the end.
      if (counted.count === 2) this.#scheduleWrite();
      return;
    }
    if (this.#counted.size >= MOST_REMEMBERED) this.#counted.clear();
    const fresh: CountedEntry = { since: now, count: 1, id: undefined };
    this.#counted.set(name, fresh);
    this.#enqueue({ ...entry(), count: 1, at: new Date(now).toISOString() }, fresh);
  }

  #enqueue(entry: NewAuditEntry, counted: CountedEntry | undefined): void {
    this.#queue.push({ entry, counted });
    this.#scheduleWrite();
  }

  #scheduleWrite(): void {
    this.#flush ??= setImmediate(() => this.#write());
  }

  #write(): void {
    if (this.#flush !== undefined) clearImmediate(this.#flush);
    this.#flush = undefined;
    if (this.#queue.length === 0 && this.#changedCounts.size === 0) return;
    const queue = this.#queue;
    this.#queue = [];
    try {
      const repeated = [...this.#changedCounts].flatMap(({ id, count }) => (id === undefined ? [] : [{ id, count }]));
      const ids = this.#rows.add(
        queue.map(({ entry }) => entry),
        repeated,
      );
      for (const [index, { counted }] of queue.entries()) if (counted !== undefined) counted.id = ids[index];
      this.#changedCounts.clear();
      this.#untilTrim -= queue.length;
      if (this.#untilTrim < 0) {
        this.#untilTrim = TRIM_EVERY;
        this.#rows.trim(new Date());
      }
    } catch (error) {
      this.#log.error("the audit log could not be written", { error, entries: queue.length });
    }
  }
}
