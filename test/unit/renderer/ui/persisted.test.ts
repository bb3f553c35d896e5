import { expect, test } from "vitest";
import { z } from "zod";
import { persistedValue } from "../../../../renderer/ui/persisted.ts";
import { fakePages } from "./fake-pages.ts";

const Size = z.coerce.number().min(8).max(32);
const size = { key: "size", parse: (text?: string) => Size.safeParse(text).data, format: String, fallback: 13 };

test("a number persists across visits and is shared with other pages at once", () => {
  const { page } = fakePages();
  const [one, other] = [persistedValue(page(), size), persistedValue(page(), size)];
  expect([one.get(), other.get()]).toEqual([13, 13]);
  one.set(20);
  expect([one.get(), other.get()]).toEqual([20, 20]);
  expect(persistedValue(page(), size).get()).toBe(20);
});

test.each(["", "99", "much"])("an invalid stored value is ignored: %j", (text) => {
  const { kept, page } = fakePages();
  kept.set("size", text);
  expect(persistedValue(page(), size).get()).toBe(13);
});

test("without storage, the number lasts as long as the page", () => {
  const { page } = fakePages({ full: true });
  const store = persistedValue(page(), size);
  store.set(20);
  expect(store.get()).toBe(20);
});
