import { z } from "zod";
import { persistedNumber } from "../../ui/persisted-number.ts";
import type { Store } from "../../ui/store.ts";

/** CSS pixels of the terminals' font. */
export const fontSizes = { smallest: 8, normal: 13, largest: 32 } as const;

const FontSize = z.coerce.number().min(fontSizes.smallest).max(fontSizes.largest);

export function clampFontSize(size: number): number {
  return Math.min(fontSizes.largest, Math.max(fontSizes.smallest, size));
}

/** The user's font size. */
export function persistedFontSize(window: Window): Store<number> {
  return persistedNumber(window, { key: "patchbay.font-size", schema: FontSize, fallback: fontSizes.normal });
}
