import { z } from "zod";
import { persistedNumber } from "./persisted.ts";
import type { Store } from "./store.ts";

/** The selectable numbers of scrollback lines. */
export const scrollbacks = [1_000, 5_000, 10_000, 50_000, 100_000] as const;

const Scrollback = z.coerce.number().refine((lines) => scrollbacks.some((one) => one === lines));

/** Returns the user's number of scrollback lines, as a persistent store. */
export function persistedScrollback(window: Window): Store<number> {
  return persistedNumber(window, { key: "patchbay.scrollback", schema: Scrollback, fallback: 10_000 });
}
