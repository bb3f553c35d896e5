import { expect, test, vi } from "vitest";
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

test("the first terminals of a page open in tasks of their own, later ones at once", () => {
  vi.useFakeTimers();
  const terminals = new Terminals(
    () => () => undefined,
    () => undefined,
  );
  const opened: string[] = [];
  terminals.start(() => opened.push("first"));
  const prevent = terminals.start(() => opened.push("closed before"));
  terminals.drawn();
  prevent();
  terminals.start(() => opened.push("by the user"));
  expect(opened).toEqual(["by the user"]);
  vi.runAllTimers();
  expect(opened).toEqual(["by the user", "first"]);
  vi.useRealTimers();
});
