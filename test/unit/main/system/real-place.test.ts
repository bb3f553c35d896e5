import { join, sep } from "node:path";
import { expect, test } from "vitest";
import { isWithin } from "../../../../main/system/real-place.ts";

const folder = join(sep, "home", "ann");

test.each([
  ["the folder itself", folder, true],
  ["a file in it", join(folder, "notes"), true],
  ["a name that begins with dots", join(folder, "..notes"), true],
  ["a name with a colon", join(folder, "a:b"), true],
  ["the folder above", join(sep, "home"), false],
  ["a folder whose name begins alike", join(sep, "home", "anna"), false],
  ["the root", sep, false],
])("%s", (_, path, expected) => {
  expect(isWithin(path, folder)).toBe(expected);
});
