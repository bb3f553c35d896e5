import { expect, test } from "vitest";
import { Terminals, withModifiers } from "../../../../../renderer/session/terminal/terminals.ts";

test.each<[data: string, keys: readonly ("ctrl" | "alt")[], sent: string]>([
  ["c", ["ctrl"], "\x03"],
  ["C", ["ctrl"], "\x03"],
  ["[", ["ctrl"], "\x1b"],
  ["x", ["alt"], "\x1bx"],
  ["x", ["ctrl", "alt"], "\x1b\x18"],
  ["é", ["ctrl"], "é"],
  ["abc", ["ctrl"], "\x01bc"],
])("%j with %j sends %j", (data, keys, sent) => {
  expect(withModifiers(data, new Set(keys))).toBe(sent);
});

test("a sticky modifier applies to one key, and not to what a terminal answers", () => {
  const terminals = new Terminals(
    () => () => undefined,
    () => undefined,
  );
  terminals.sticky.set(new Set(["ctrl"]));
  expect(terminals.modified("\x1b[?1;2c")).toBe("\x1b[?1;2c");
  expect(terminals.modified("d")).toBe("\x04");
  expect(terminals.modified("d")).toBe("d");
});
