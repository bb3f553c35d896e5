import { expect, test } from "vitest";
import {
  isTooSmall,
  letterboxFont,
  readableFont,
  scrollToCursor,
} from "../../../../../renderer/session/terminal/letterbox.ts";

test("a shell of fixed size is drawn whole, and never larger than the user's font", () => {
  const cellAt = (font: number) => ({ width: Math.round(font * 0.6), height: font * 1.3 });
  const at = (width: number, height: number) => letterboxFont({ cols: 100, rows: 25 }, { width, height }, 13, cellAt);
  expect(at(2000, 2000)).toBe(13);
  // 7 px a cell is too wide from 10.9 px on, where the width is rounded up.
  expect(at(690, 2000)).toBe(10.5);
  expect(at(2000, 25 * 13)).toBe(10);
  expect(at(100, 100)).toBe(6);
});

test.each([
  [6, 13, true, 11],
  [8.5, 13, true, 11],
  [9, 13, false, 11],
  [6, 8, true, 8],
  [8, 8, false, 8],
])("a screen that fits at %d px of %d is too small: %s; a part of it has %d px", (fitting, font, small, readable) => {
  expect(isTooSmall(fitting, font)).toBe(small);
  expect(readableFont(font)).toBe(readable);
});

test("a part of a screen follows the cursor, and begins at the start of the line where it can", () => {
  const at = (scroll: number, cursor: number) => scrollToCursor(scroll, 300, cursor, cursor + 7);
  expect(at(0, 0)).toBe(0);
  expect(at(0, 200)).toBe(0);
  expect(at(400, 100)).toBe(0);
  for (const [scroll, cursor] of [
    [0, 500],
    [900, 500],
    [250, 500],
    [0, 993],
  ] as const) {
    const next = at(scroll, cursor);
    expect(next).toBeLessThanOrEqual(cursor);
    expect(next + 300).toBeGreaterThanOrEqual(cursor + 7);
  }
  // In sight: nothing moves.
  expect(at(350, 500)).toBe(350);
  // A tile that is smaller than a cell.
  expect(scrollToCursor(0, 4, 100, 107)).toBeGreaterThan(90);
});
