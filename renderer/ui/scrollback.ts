import { z } from "zod";
import { persistedNumber } from "./persisted-number.ts";
import type { Store } from "./store.ts";

/** Lines that a terminal may keep above its screen. */
export const scrollbacks = [1_000, 5_000, 10_000, 50_000, 100_000] as const;

const Scrollback = z.coerce.number().refine((lines) => scrollbacks.some((one) => one === lines));

/** The user's number of lines, for all terminals of this origin. */
export function persistedScrollback(window: Window): Store<number> {
  return persistedNumber(window, { key: "patchbay.scrollback", schema: Scrollback, fallback: 10_000 });
}
