import type { RelayEvent } from "../../../core/protocol/events.ts";
import { limits } from "../../../core/protocol/limits.ts";

export interface LoggedEvent {
  /** Counts up by one within a boot of the relay. */
  readonly seq: number;
  readonly at: string;
  readonly event: RelayEvent;
  /** Approximate size of the event in characters. */
  readonly weight: number;
}

/** Keeps a session's last events in order, so that subscribers can resume after one of them (docs/decisions/0011). */
export class EventLog {
  readonly #kept: LoggedEvent[] = [];
  readonly #listeners = new Set<(logged: LoggedEvent) => void>();
  #nextSeq = 1;
  #weight = 0;

  append(event: RelayEvent): void {
    const weight = weightOf(event);
    const logged: LoggedEvent = { seq: this.#nextSeq++, at: new Date().toISOString(), event, weight };
    this.#kept.push(logged);
    this.#weight += weight;
    // Dropping in blocks amortises the cost of moving the rest.
    if (this.#kept.length > limits.events * 1.1) this.#drop(this.#kept.length - limits.events);
    while (this.#weight > limits.eventBytes && this.#kept.length > 1) this.#drop(Math.ceil(this.#kept.length / 10));
    for (const listener of [...this.#listeners]) listener(logged);
  }

  /** Sequence number of the newest event, 0 before the first. */
  get last(): number {
    return this.#nextSeq - 1;
  }

  /** Number of events kept. */
  get kept(): number {
    return Math.min(this.#kept.length, limits.events);
  }

  get listeners(): number {
    return this.#listeners.size;
  }

  /** Returns at most `most` events after a sequence number, and how many before them were dropped. */
  after(seq: number, most: number = limits.events): { events: readonly LoggedEvent[]; dropped: number } {
    const oldest = Math.max(0, this.#kept.length - limits.events);
    const first = this.#kept[oldest]?.seq ?? this.#nextSeq;
    const start = oldest + Math.max(0, seq + 1 - first);
    return { events: this.#kept.slice(start, start + most), dropped: Math.max(0, first - seq - 1) };
  }

  /** Returns an unsubscribe function. */
  subscribe(listener: (logged: LoggedEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #drop(count: number): void {
    for (const { weight } of this.#kept.splice(0, count)) this.#weight -= weight;
  }
}

/** What a number, a name of a property or the place of a value takes, roughly. */
const SMALL = 16;

/** Counts without making the text: every event comes by here. */
function weightOf(value: unknown): number {
  if (typeof value === "string") return SMALL + value.length;
  if (typeof value !== "object" || value === null) return SMALL;
  let weight = SMALL;
  for (const [name, inner] of Object.entries(value)) weight += name.length + weightOf(inner);
  return weight;
}
