import { createStore, type Store } from "./store.ts";

interface PersistedOptions<T> {
  readonly key: string;
  /** Parses the stored text; undefined if it is missing or invalid. */
  readonly parse: (text: string | undefined) => T | undefined;
  readonly format: (value: T) => string;
  readonly fallback: T;
}

/**
 * Returns a store for a value that is persisted in local storage, if available, and synchronized across all pages of this
 * origin.
 */
export function persistedValue<T>(window: Window, { key, parse, format, fallback }: PersistedOptions<T>): Store<T> {
  const store = createStore<T>(parse(stored()) ?? fallback);
  store.subscribe(() => {
    try {
      const text = format(store.get());
      if (stored() !== text) window.localStorage.setItem(key, text);
    } catch {
      // Storage may be disabled or full; the value then lasts as long as the page.
    }
  });
  // Never removed: the store lives as long as the page.
  window.addEventListener("storage", (event) => {
    if (event.key === key) store.set(parse(stored()) ?? fallback);
  });
  return store;

  function stored(): string | undefined {
    try {
      return window.localStorage.getItem(key) ?? undefined;
    } catch {
      return undefined;
    }
  }
}

const MAX_NAMES = 8;
const MAX_NAME_LENGTH = 200;

/** Returns a persistent store for the names that were used last, the last one first. */
export function persistedRecents(window: Window, key: string): Store<readonly string[]> {
  return persistedValue<readonly string[]>(window, { key, parse: parseNames, format: JSON.stringify, fallback: [] });
}

/** Puts a name in front of those that were used last. */
export function rememberRecent(recents: Store<readonly string[]>, name: string): void {
  recents.set([name, ...recents.get().filter((other) => other !== name)].slice(0, MAX_NAMES));
}

function parseNames(text: string | undefined): readonly string[] | undefined {
  try {
    const parsed: unknown = JSON.parse(text ?? "");
    if (!Array.isArray(parsed)) return undefined;
    return parsed
      .filter((name): name is string => typeof name === "string" && name.length <= MAX_NAME_LENGTH)
      .slice(0, MAX_NAMES);
  } catch {
    return undefined;
  }
}
