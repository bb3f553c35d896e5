import { expect, test } from "vitest";
import { codeParts } from "../../../../renderer/ui/code-text.ts";

test.each([
  [
    "Install one, as by `apt install dunst`; then start it.",
    ["Install one, as by ", "apt install dunst", "; then start it."],
  ],
  ["`a` and `b`", ["", "a", " and ", "b", ""]],
  ["nothing", ["nothing"]],
  ["a ` alone", ["a ` alone"]],
  ["`a` and ` alone", ["", "a", " and ` alone"]],
])("in %j every second part is code", (text, parts) => {
  expect(codeParts(text)).toEqual(parts);
});
