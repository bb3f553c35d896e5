import type { AuditEntry, AuditQuery } from "../../../core/protocol/audit.ts";
import type { Log } from "../../system/log.ts";
import type { StoreDatabase } from "../store/open-store.ts";
import { AuditRows, type NewEntry } from "./audit-rows.ts";

/** The same again within this time is counted, not written again. */
const SAME_WITHIN_MS = 60_000;
const MOST_REMEMBERED = 1000;
const TRIM_EVERY = 1000;

interface Seen {
  readonly since: number;
  count: number;
  /** Undefined until it is written. */
  id: number | undefined;
}

interface Waiting {
  readonly entry: NewEntry;
  readonly seen: Seen | undefined;
}

/**
 * The audit log: every authentication, and every call that changes something. Entries are written together, when the turn
 * of the event loop that made them is over: a kill -9 can cost the entries of one turn, a call never waits for them.
 */
export class Audit implements Disposable {
  readonly #rows: AuditRows;
  readonly #log: Log;
  readonly #seen = new Map<string, Seen>();
  readonly #recount = new Set<Seen>();
  #waiting: Waiting[] = [];
  #due: NodeJS.Immediate | undefined;
  #untilTrim = 0;

  constructor(database: StoreDatabase, log: Log) {
    this.#rows = new AuditRows(database);
    this.#log = log;
  }

  /**
   * Takes a call that changes something. With `repeats`, calls with the same text within a minute are counted, not
   * written again: keys typed into one shell.
   */
  call(entry: Omit<NewEntry, "kind" | "count" | "at">, { repeats }: { readonly repeats?: string } = {}): void {
    const taken = { ...entry, kind: "call" } as const;
    if (repeats === undefined) this.#take({ ...taken, count: 1, at: new Date().toISOString() }, undefined);
    else this.#count(repeats, taken);
  }

  /** Takes a credential that was checked; the same one from the same address is counted up for a minute. */
  authentication(entry: Omit<NewEntry, "kind" | "count" | "at" | "params" | "client" | "durationMs">): void {
    const { who, credential, from, session, outcome } = entry;
    const name = [who, credential, from, session, outcome].join("\n");
    this.#count(name, { ...entry, kind: "authentication", params: {}, client: null, durationMs: null });
  }

  /** The newest first, all that was taken before the call among them. */
  list(query: AuditQuery): AuditEntry[] {
    this.#write();
    return this.#rows.list(query);
  }

  [Symbol.dispose](): void {
    this.#write();
  }

  #count(name: string, entry: Omit<NewEntry, "count" | "at">): void {
    const now = Date.now();
    const seen = this.#seen.get(name);
    if (seen !== undefined && now - seen.since < SAME_WITHIN_MS) {
      seen.count += 1;
      this.#recount.add(seen);
      // The last count of a minute is written with whatever comes next, or at the end.
      if (seen.count === 2) this.#soon();
      return;
    }
    if (this.#seen.size >= MOST_REMEMBERED) this.#seen.clear();
    const fresh: Seen = { since: now, count: 1, id: undefined };
    this.#seen.set(name, fresh);
    this.#take({ ...entry, count: 1, at: new Date(now).toISOString() }, fresh);
  }

  #take(entry: NewEntry, seen: Seen | undefined): void {
    this.#waiting.push({ entry, seen });
    this.#soon();
  }

  #soon(): void {
    this.#due ??= setImmediate(() => this.#write());
  }

  #write(): void {
    if (this.#due !== undefined) clearImmediate(this.#due);
    this.#due = undefined;
    if (this.#waiting.length === 0 && this.#recount.size === 0) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    try {
      const repeated = [...this.#recount].flatMap(({ id, count }) => (id === undefined ? [] : [{ id, count }]));
      const ids = this.#rows.add(
        waiting.map(({ entry }) => entry),
        repeated,
      );
      for (const [index, { seen }] of waiting.entries()) if (seen !== undefined) seen.id = ids[index];
      this.#recount.clear();
      this.#untilTrim -= waiting.length;
      if (this.#untilTrim < 0) {
        this.#untilTrim = TRIM_EVERY;
        this.#rows.trim(new Date());
      }
    } catch (error) {
      this.#log.error("the audit log could not be written", { error, entries: waiting.length });
    }
  }
}
