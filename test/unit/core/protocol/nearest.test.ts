import { expect, test } from "vitest";
import { nearestName } from "../../../../core/protocol/nearest.ts";

test.each([
  ["list-tils", "list-tiles"],
  ["ilst-tiles", "list-tiles"],
  ["SHOW-TREE", "show-tree"],
  ["ilst", "list"],
  ["lits", "list"],
  ["zzzzzz", undefined],
  ["abcd", undefined],
  ["", undefined],
])("%j means %j", (word, meant) => {
  expect(nearestName(word, ["list-tiles", "show-tree", "close-tile", "list"])).toBe(meant);
});
