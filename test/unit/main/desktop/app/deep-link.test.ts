import { expect, test } from "vitest";
import { sessionOfLink } from "../../../../../main/desktop/app/deep-link.ts";

test("a link names a session, and nothing else", () => {
  expect(sessionOfLink(["--hidden", "patchbay://session/abcDEF123456-_xy"])).toBe("abcDEF123456-_xy");
  for (const link of [
    "patchbay://run/ls",
    "patchbay://session/",
    "patchbay://session/a/b",
    "patchbay://session/a?run=ls",
  ]) {
    expect(sessionOfLink([link])).toBeUndefined();
  }
  expect(sessionOfLink([])).toBeUndefined();
});
