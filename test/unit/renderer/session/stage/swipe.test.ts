import { expect, test } from "vitest";
import { directionOf, swipeStep } from "../../../../../renderer/session/stage/swipe.ts";

test.each([
  [{ x: 5, y: -9 }, undefined],
  [{ x: 12, y: 2 }, "across"],
  [{ x: -40, y: 20 }, "across"],
  [{ x: 12, y: 9 }, "along"],
  [{ x: 0, y: -30 }, "along"],
] as const)("a finger that moved by %j moves %s", (movement, direction) => {
  expect(directionOf(movement)).toBe(direction);
});

test.each([
  [-100, 390, 1],
  [100, 390, -1],
  [-70, 390, 0],
  [-50, 200, 1],
  [-47, 200, 0],
  [-100, 599, 0],
] as const)("%i px on a stage of %i px goes %i tiles on", (x, width, step) => {
  expect(swipeStep({ x, y: 0 }, width)).toBe(step);
});
