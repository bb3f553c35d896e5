import { expect, test } from "vitest";
import { distinctName, isReservedName, shownName } from "../../../../core/protocol/shown-name.ts";

const NAME = { longest: 20, otherwise: "guest" };

test.each([
  ["  Ann  ", "Ann"],
  ["r\u200bo\u200do\u2060t", "r o o t"],
  ["\u202etoor\u202c", "toor"],
  ["\u2066a\u2069b\u061cc", "a b c"],
  ["one\r\ntwo\tthree", "one two three"],
  ["a\u0000b\u001b[31mc", "a b [31mc"],
  ["\uff52\uff4f\uff4f\uff54", "root"],
  ["\u3164\u115f\u2800\u00ad\ufe0f", "guest"],
  ["", "guest"],
  ["田中さくら", "田中さくら"],
  ["Jürgen", "Jürgen"],
  ["😀".repeat(30), "😀".repeat(20)],
  [`${"x".repeat(19)} y`, "x".repeat(19)],
])("a name of %j is shown as %j", (given, shown) => {
  expect(shownName(given, NAME)).toBe(shown);
});

test.each([
  "root",
  "ROOT",
  " r o o t ",
  "rооt",
  "r\u200boo\u2060t",
  "r00t",
  "röot",
  "root.",
  "Relay",
  "desktop",
  "PatchBay",
  "Admin1strator",
  "owner",
  "ann",
  "Αnn",
  "AΝΝ",
  "ＡＮＮ",
])("%j is reserved", (name) => {
  expect(isReservedName(name, ["ann"])).toBe(true);
});

test.each(["bob", "anna", "rooted", "guest on Firefox on Linux", "田中さくら", "…", "reader"])("%j is free", (name) => {
  expect(isReservedName(name, ["ann"])).toBe(false);
});

test.each([
  ["Mara", ["Ann"], "Mara"],
  ["Mara", ["Ann", "mаra"], "Mara 2"],
  ["Mara", ["Mara", "M a r a 2"], "Mara 3"],
  ["🦊", ["🦉"], "🦊"],
  ["🦊", ["🦊"], "🦊 2"],
])("among %j, %j: the distinct name is %j", (name, taken, distinct) => {
  expect(distinctName(name, taken)).toBe(distinct);
});
