import { expect, test } from "vitest";
import { measureInTurns, medianBy } from "../../../../../tools/bench/support/turns.ts";

test("each round measures everything before the next one begins", async () => {
  const order: string[] = [];
  let count = 0;
  const measure = (name: string) => () => {
    order.push(name);
    count += 1;
    return count;
  };
  const figures = await measureInTurns(2, { own: measure("own"), bare: async () => measure("bare")() });
  expect(order).toEqual(["own", "bare", "own", "bare"]);
  expect(figures).toEqual({ own: [1, 3], bare: [2, 4] });
});

test("the median of one property", () => {
  expect(medianBy([{ p50: 9 }, { p50: 1 }, { p50: 2 }], ({ p50 }) => p50)).toBe(2);
});
