import { expect, test } from "vitest";
import { keymap } from "../../../../../renderer/session/keys/keymap.ts";
import {
  bindingName,
  chooseChord,
  formatChords,
  isUsable,
  parseChords,
  resetChord,
  withOwnChords,
} from "../../../../../renderer/session/keys/own-chords.ts";

const bindings = keymap(false);
const named = (name: string, list = bindings) => {
  const found = list.find((binding) => bindingName(binding) === name);
  if (found === undefined) throw new Error(`no ${name}`);
  return found;
};

test("every action has a name of its own", () => {
  const names = bindings.map(bindingName);
  expect(names.toSorted()).toEqual([...new Set(names)].toSorted());
});

test("an action has the keys that were chosen for it, and the one that had them has none", () => {
  const own = chooseChord({}, named("chat"), "Alt+Shift+N");
  const now = withOwnChords(bindings, own);
  expect(named("chat", now).chord).toBe("Alt+Shift+N");
  expect(named("createShell", now).chord).toBeUndefined();
  const again = chooseChord(own, named("createShell"), "Alt+Shift+N");
  expect(named("createShell", withOwnChords(bindings, again)).chord).toBe("Alt+Shift+N");
  expect(named("chat", withOwnChords(bindings, again)).chord).toBe("Alt+Shift+C");
});

test("keys are removed and come back", () => {
  const own = chooseChord({}, named("chat"), "");
  expect(named("chat", withOwnChords(bindings, own)).chord).toBeUndefined();
  expect(withOwnChords(bindings, resetChord(own, named("chat")))).toEqual(bindings);
});

test.each([
  ["Ctrl+R", true],
  ["Meta+B", true],
  ["Alt+Shift+ArrowUp", true],
  ["F7", true],
  ["Shift+F7", true],
  ["A", false],
  ["Shift+A", false],
  ["Enter", false],
  ["ArrowUp", false],
])("%s can be a shortcut: %s", (chord, usable) => expect(isUsable(chord)).toBe(usable));

test("a file is read as it was written; anything else is refused", () => {
  const own = { "splitShell horizontal": "Ctrl+Shift+D", chat: "" };
  expect(parseChords(formatChords(own))).toEqual(own);
  for (const text of ["", "[]", '{"chat":1}', '{"chat":"a"}', '{"chat":"Ctrl+Shift"}x', '{"chat":"Alt+ x"}']) {
    expect(parseChords(text)).toBeUndefined();
  }
});
