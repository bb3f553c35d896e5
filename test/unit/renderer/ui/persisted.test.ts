import { expect, test } from "vitest";
import { z } from "zod";
import { persistedNumber } from "../../../../renderer/ui/persisted.ts";
import { persistedScrollback } from "../../../../renderer/ui/scrollback.ts";

/** Two pages of one origin, as far as what they keep goes. */
function pages({ full = false } = {}) {
  const kept = new Map<string, string>();
  const heard: { page: object; listener: (event: { key: string }) => void }[] = [];
  const page = () => {
    const self = {
      localStorage: {
        getItem: (key: string) => kept.get(key) ?? null,
        setItem(key: string, value: string) {
          if (full) throw new Error("QuotaExceededError");
          kept.set(key, value);
          for (const other of heard) if (other.page !== self) other.listener({ key });
        },
      },
      addEventListener: (_name: string, listener: (event: { key: string }) => void) =>
        void heard.push({ page: self, listener }),
    };
    return self as unknown as Window;
  };
  return { kept, page };
}

const size = { key: "size", schema: z.coerce.number().min(8).max(32), fallback: 13 };

test("a number persists across visits and is shared with other pages at once", () => {
  const { page } = pages();
  const [one, other] = [persistedNumber(page(), size), persistedNumber(page(), size)];
  expect([one.get(), other.get()]).toEqual([13, 13]);
  one.set(20);
  expect([one.get(), other.get()]).toEqual([20, 20]);
  expect(persistedNumber(page(), size).get()).toBe(20);
});

test.each(["", "99", "much"])("an invalid stored value is ignored: %j", (text) => {
  const { kept, page } = pages();
  kept.set("size", text);
  expect(persistedNumber(page(), size).get()).toBe(13);
});

test("without storage, the number lasts as long as the page", () => {
  const { page } = pages({ full: true });
  const store = persistedNumber(page(), size);
  store.set(20);
  expect(store.get()).toBe(20);
});

test("terminals keep 10,000 lines by default, or another selectable number", () => {
  const { kept, page } = pages();
  expect(persistedScrollback(page()).get()).toBe(10_000);
  kept.set("patchbay.scrollback", "100000");
  expect(persistedScrollback(page()).get()).toBe(100_000);
  kept.set("patchbay.scrollback", "99999999");
  expect(persistedScrollback(page()).get()).toBe(10_000);
});
