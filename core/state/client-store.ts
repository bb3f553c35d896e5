import { type ClientState, focusOf, settled, withFocus, withFocusHistory } from "./client-state.ts";

/** Reads and changes a client's state. */
export type StateChanger = Pick<ClientStore, "now" | "update">;

/** Owns a client's state. Changes are pure functions of the current state. */
export class ClientStore {
  #now: ClientState;
  #listeners = new Set<(now: ClientState, before: ClientState) => void>();

  constructor(start: ClientState) {
    this.#now = start;
  }

  get now(): ClientState {
    return this.#now;
  }

  /** Applies a change and notifies subscribers. A change that throws or returns its argument has no effect. */
  update(change: (now: ClientState) => ClientState): void {
    const before = this.#now;
    const next = settled(change(before), before);
    if (next === before) return;
    this.#now = next;
    for (const listener of [...this.#listeners]) listener(next, before);
  }

  /**
   * Returns the same state for a caller that may not move the keyboard: the tile that has the focus keeps it, and those that
   * had it before are the next to get it.
   */
  keepingFocus(): StateChanger {
    const store = this;
    return {
      get now() {
        return store.now;
      },
      update: (change) =>
        store.update((now) => {
          const focus = focusOf(now);
          const next = change(now);
          return focus === null || next === now ? next : withFocus(withFocusHistory(next, now), focus);
        }),
    };
  }

  subscribe(listener: (now: ClientState, before: ClientState) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
