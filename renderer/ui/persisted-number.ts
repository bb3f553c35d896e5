import type { z } from "zod";
import { createStore, type Store } from "./store.ts";

interface PersistedNumberOptions {
  readonly key: string;
  readonly schema: z.ZodType<number>;
  readonly fallback: number;
}

/**
 * Returns a store for a number that is persisted in local storage, if available, and synchronized across all pages of this
 * origin.
 */
export function persistedNumber(
  window: Window,
  { key, schema, fallback: normal }: PersistedNumberOptions,
): Store<number> {
  const store = createStore<number>(stored() ?? normal);
  store.subscribe(() => {
    try {
      if (stored() !== store.get()) window.localStorage.setItem(key, String(store.get()));
    } catch {
      // Storage may be disabled or full; the number then lasts as long as the page.
    }
  });
  // Never removed: the store lives as long as the page.
  window.addEventListener("storage", (event) => {
    if (event.key === key) store.set(stored() ?? normal);
  });
  return store;

  function stored(): number | undefined {
    try {
      return schema.safeParse(window.localStorage.getItem(key) ?? undefined).data;
    } catch {
      return undefined;
    }
  }
}
