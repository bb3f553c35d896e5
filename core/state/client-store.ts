import type { ClientState } from "./client-state.ts";

/** The one owner of a client's state. Changes are pure functions of the state as it is now, never of an older copy. */
export class ClientStore {
  #now: ClientState;
  #listeners = new Set<(now: ClientState, before: ClientState) => void>();

  constructor(start: ClientState) {
    this.#now = start;
  }

  get now(): ClientState {
    return this.#now;
  }

  /** Applies a change and tells the listeners; a change that throws, or that returns its argument, changes nothing. */
  update(change: (now: ClientState) => ClientState): void {
    const before = this.#now;
    const next = change(before);
    if (next === before) return;
    this.#now = next;
    for (const listener of [...this.#listeners]) listener(next, before);
  }

  subscribe(listener: (now: ClientState, before: ClientState) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
