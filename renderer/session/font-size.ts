import { z } from "zod";
import { createStore, type Store } from "../ui/store.ts";

/** CSS pixels of the terminals' font. */
export const fontSizes = { smallest: 8, normal: 13, largest: 32 } as const;

const KEY = "patchbay.font-size";
const FontSize = z.coerce.number().min(fontSizes.smallest).max(fontSizes.largest);

export function clampFontSize(size: number): number {
  return Math.min(fontSizes.largest, Math.max(fontSizes.smallest, size));
}

/** The user's font size, kept across visits where the page may keep something. */
export function rememberedFontSize(window: Window): Store<number> {
  const kept = FontSize.safeParse(stored(window) ?? undefined);
  const store = createStore<number>(kept.success ? kept.data : fontSizes.normal);
  store.subscribe(() => {
    try {
      window.localStorage.setItem(KEY, String(store.get()));
    } catch {
      // Storage may be off or full; the size then lasts as long as the page.
    }
  });
  return store;
}

function stored(window: Window): string | null {
  try {
    return window.localStorage.getItem(KEY);
  } catch {
    return null;
  }
}
