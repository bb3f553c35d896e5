import { useSyncExternalStore } from "react";

/** An observable value for `useSyncExternalStore`. */
export interface Store<T> {
  get(): T;
  set(next: T): void;
  subscribe(changed: () => void): () => void;
}

export function createStore<T>(start: T): Store<T> {
  let now = start;
  const listeners = new Set<() => void>();
  return {
    get: () => now,
    set(next) {
      if (Object.is(next, now)) return;
      now = next;
      for (const changed of [...listeners]) changed();
    },
    subscribe(changed) {
      listeners.add(changed);
      return () => listeners.delete(changed);
    },
  };
}

export function useStore<T>(store: Pick<Store<T>, "get" | "subscribe">): T {
  return useSyncExternalStore(store.subscribe, store.get);
}
