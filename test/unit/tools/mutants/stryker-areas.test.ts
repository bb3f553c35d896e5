import { expect, test } from "vitest";
import { AREAS, areaOf, patternsOf } from "../../../../tools/mutants/stryker-areas.mjs";

test("each area has its night, one after the other", () => {
  const names = Object.keys(AREAS);
  const nights = names.map((_, day) => areaOf(new Date(Date.UTC(2026, 0, 1 + day, 3))));
  expect(nights.toSorted()).toEqual(names.toSorted());
  expect(areaOf(new Date(Date.UTC(2026, 0, 1 + names.length, 3)))).toBe(nights[0]);
});

test("a folder or a file can be named in the place of an area", () => {
  expect(patternsOf("budgets")).toEqual(["main/relay/budgets/**/*.ts"]);
  expect(patternsOf("main/shells/")).toEqual(["main/shells/**/*.{ts,tsx}"]);
  expect(patternsOf("main/shells/run.ts")).toEqual(["main/shells/run.ts"]);
});
