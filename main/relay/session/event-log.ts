import type { RelayEvent } from "../../../core/protocol/events.ts";
import { limits } from "../../../core/protocol/limits.ts";

export interface LoggedEvent {
  /** Counts up by one within a boot of the relay. */
  readonly seq: number;
  readonly at: string;
  readonly event: RelayEvent;
  /** About how much its payload weighs; 0 for all whose size is bounded by their kind. */
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
    // Dropping in blocks keeps the cost of a full log at a fraction of a move an event.
    if (this.#kept.length > limits.events * 1.1) this.#drop(this.#kept.length - limits.events);
    else if (this.#weight > limits.eventBytes) this.#drop(Math.ceil(this.#kept.length / 10));
    for (const listener of [...this.#listeners]) listener(logged);
  }

  /** Sequence number of the newest event, 0 before the first. */
  get last(): number {
    return this.#nextSeq - 1;
  }

  /** How many are kept. */
  get kept(): number {
    return Math.min(this.#kept.length, limits.events);
  }

  get listeners(): number {
    return this.#listeners.size;
  }

  /** The kept events after a sequence number, at most so many, and how many before them are no longer kept. */
  after(seq: number, most: number = limits.events): { events: readonly LoggedEvent[]; dropped: number } {
    const oldest = Math.max(0, this.#kept.length - limits.events);
    const first = this.#kept[oldest]?.seq ?? this.#nextSeq;
    const start = oldest + Math.max(0, seq + 1 - first);
    return { events: this.#kept.slice(start, start + most), dropped: Math.max(0, first - seq - 1) };
  }

  subscribe(listener: (logged: LoggedEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #drop(count: number): void {
    for (const { weight } of this.#kept.splice(0, count)) this.#weight -= weight;
  }
}

function weightOf(event: RelayEvent): number {
  return event.type === "plugin.event" && event.data.data !== undefined ? JSON.stringify(event.data.data).length : 0;
}
