import { expect, test } from "vitest";
import { methodNames, specs } from "../../../../../core/commands/specs.ts";
import { keymap } from "../../../../../renderer/session/keys/keymap.ts";
import { paletteEntries, searchEntries } from "../../../../../renderer/session/palette/palette-entries.ts";

const entries = paletteEntries(keymap(false), "writer");

test("lists every declared command, with its shortcut if it has one", () => {
  const methods = entries.flatMap(({ action: does }) => (does.kind === "method" ? [does.method] : []));
  expect(methods).toEqual(methodNames);
  expect(entries.find(({ action: does }) => does.kind === "method" && does.method === "renameTile")?.chord).toBe(
    "Alt+Shift+L",
  );
});

test("offers a reader only what a reader may do", () => {
  for (const { action: does } of paletteEntries(keymap(false), "reader")) {
    if (does.kind === "method") expect(specs[does.method].role).toBe("reader");
    else if (does.binding.action.kind === "command") expect(specs[does.binding.action.method].role).toBe("reader");
  }
});

test("finds by words of the title and of the method's name, the better match first", () => {
  expect(searchEntries(entries, "split right")[0]?.title).toBe("Split right");
  expect(searchEntries(entries, "split shell").map(({ detail }) => detail)).toContain("splitShell");
  expect(searchEntries(entries, "zzz")).toEqual([]);
  expect(searchEntries(entries, "  ")).toEqual(entries);
});

test("every entry has an id of its own", () => {
  expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length);
});
