import { expect, test } from "vitest";
import { type KeyHolder, keysGoToTile } from "../../../../../renderer/session/view/keyboard-focus.ts";

const holders: readonly KeyHolder[] = ["dialog", "tile", "field", "control", "nothing"];
const taken = (navigating: boolean, moved: "command" | "event" | undefined) =>
  holders.filter((holder) => keysGoToTile(holder, { navigating, moved }));

test("without a change the focused tile takes the keys from controls, but not from a user who goes through them", () => {
  expect(taken(false, undefined)).toEqual(["control", "nothing"]);
  expect(taken(true, undefined)).toEqual(["nothing"]);
});

test("the user's own command takes the keys to the tile that it focuses, but from no dialog", () => {
  expect(taken(true, "command")).toEqual(["field", "control", "nothing"]);
  expect(taken(false, "command")).toEqual(["field", "control", "nothing"]);
});

test("a change by another caller takes no key from a text field", () => {
  expect(taken(false, "event")).toEqual(["control", "nothing"]);
  expect(taken(true, "event")).toEqual(["control", "nothing"]);
});
