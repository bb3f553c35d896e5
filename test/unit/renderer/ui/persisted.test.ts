import { expect, test } from "vitest";
import { z } from "zod";
import { persistedNumber } from "../../../../renderer/ui/persisted.ts";
import { fakePages } from "./fake-pages.ts";

const size = { key: "size", schema: z.coerce.number().min(8).max(32), fallback: 13 };

test("a number persists across visits and is shared with other pages at once", () => {
  const { page } = fakePages();
  const [one, other] = [persistedNumber(page(), size), persistedNumber(page(), size)];
  expect([one.get(), other.get()]).toEqual([13, 13]);
  one.set(20);
  expect([one.get(), other.get()]).toEqual([20, 20]);
  expect(persistedNumber(page(), size).get()).toBe(20);
});

test.each(["", "99", "much"])("an invalid stored value is ignored: %j", (text) => {
  const { kept, page } = fakePages();
  kept.set("size", text);
  expect(persistedNumber(page(), size).get()).toBe(13);
});

test("without storage, the number lasts as long as the page", () => {
  const { page } = fakePages({ full: true });
  const store = persistedNumber(page(), size);
  store.set(20);
  expect(store.get()).toBe(20);
});
