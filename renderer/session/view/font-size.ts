import { z } from "zod";
import { persistedNumber } from "../../ui/persisted.ts";
import type { Store } from "../../ui/store.ts";

/** Font sizes of terminals, in CSS pixels. */
export const fontSizes = { smallest: 8, normal: 13, largest: 32 } as const;

const FontSize = z.coerce.number().min(fontSizes.smallest).max(fontSizes.largest);

export function clampFontSize(size: number): number {
  return Math.min(fontSizes.largest, Math.max(fontSizes.smallest, size));
}

/** Returns the user's font size, as a persistent store. */
export function persistedFontSize(window: Window): Store<number> {
  return persistedNumber(window, { key: "patchbay.font-size", schema: FontSize, fallback: fontSizes.normal });
}
