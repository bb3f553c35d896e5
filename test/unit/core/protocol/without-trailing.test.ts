import { expect, test } from "vitest";
import { withoutTrailing } from "../../../../core/protocol/without-trailing.ts";

test.each([
  ["http://h/a///", "/", "http://h/a"],
  ["http://h", "/", "http://h"],
  ["", "/", ""],
  ["///", "/", ""],
  ["what?!…", ".,;:!?…", "what"],
])("removes from the end of %j each of %j", (text, characters, rest) => {
  expect(withoutTrailing(text, characters)).toBe(rest);
});
