import type { z } from "zod";
import { createStore, type Store } from "./store.ts";

interface PersistedNumberOptions {
  readonly key: string;
  readonly schema: z.ZodType<number>;
  readonly fallback: number;
}

/**
 * A number of the user's, kept across visits where the page may keep something, and the same in all pages of this origin:
 * what one of them changes, the others hear.
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
      // Storage may be off or full; the number then lasts as long as the page.
    }
  });
  // For as long as the page: what is remembered belongs to it as a whole.
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
