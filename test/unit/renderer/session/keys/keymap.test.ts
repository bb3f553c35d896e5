import { describe, expect, test } from "vitest";
import { methodNames, specs } from "../../../../../core/commands/specs.ts";
import { chordLabel, chordOf, type KeyPress } from "../../../../../renderer/session/keys/chord.ts";
import { bindingFor, createShortcuts, keymap } from "../../../../../renderer/session/keys/keymap.ts";

describe.each([false, true])("the keymap (mac: %s)", (mac) => {
  const bindings = keymap(mac);
  const chords = bindings.flatMap(({ chord }) => (chord === undefined ? [] : [chord]));

  test("assigns each combination once", () => {
    expect(chords.toSorted()).toEqual([...new Set(chords)].toSorted());
  });

  test("has a shortcut for every command that changes the layout, its tabs or its workspaces", () => {
    const reached = new Set(bindings.map(({ action: does }) => (does.kind === "view" ? does.for : does.method)));
    const changing = methodNames.filter(
      (method) => ["layout", "tabs", "workspaces"].includes(specs[method].area) && specs[method].role !== "reader",
    );
    expect(changing.filter((method) => !reached.has(method))).toEqual([]);
  });

  test("uses no key that terminals need", () => {
    const free = /^(Ctrl\+Shift\+[A-Z]|Alt\+Shift\+.+|Meta\+.+|Ctrl\+[=\-0,]|Shift\+F10)$/;
    expect(chords.filter((chord) => !free.test(chord))).toEqual([]);
  });

  test("presets only parameters that the declaration knows", () => {
    for (const { action: does } of bindings) {
      if (does.kind === "command") expect(specs[does.method].params.safeParse(does.preset).success).toBe(true);
    }
  });
});

const none = { ctrlKey: false, altKey: false, shiftKey: false, metaKey: false };

test.each<[string, Partial<KeyPress>, string | undefined]>([
  ["a letter with Ctrl and Shift", { key: "P", code: "KeyP", ctrlKey: true, shiftKey: true }, "Ctrl+Shift+P"],
  ["a letter where the user's layout has it", { key: "z", code: "KeyY", altKey: true }, "Alt+Z"],
  ["Option on a Mac, which types a symbol", { key: "Å", code: "KeyA", altKey: true, shiftKey: true }, "Alt+Shift+A"],
  ["a Cyrillic layout", { key: "К", code: "KeyR", altKey: true, shiftKey: true }, "Alt+Shift+R"],
  ["a digit that Shift turns into a sign", { key: "!", code: "Digit1", altKey: true, shiftKey: true }, "Alt+Shift+1"],
  ["plus with Ctrl, shifted or not", { key: "+", code: "Equal", ctrlKey: true, shiftKey: true }, "Ctrl+="],
  ["undo in a shell is not minus", { key: "_", code: "Minus", ctrlKey: true, shiftKey: true }, "Ctrl+Shift+_"],
  ["an arrow", { key: "ArrowLeft", code: "ArrowLeft", altKey: true, shiftKey: true }, "Alt+Shift+ArrowLeft"],
  ["Space, as Option types it too", { key: "\u00a0", code: "Space", altKey: true, shiftKey: true }, "Alt+Shift+Space"],
  ["a bare modifier", { key: "Shift", code: "ShiftLeft", shiftKey: true }, undefined],
])("%s", (_, press, chord) => expect(chordOf({ key: "", code: "", ...none, ...press })).toBe(chord));

test("a page without the drawer has no key for it", () => {
  const titles = (drawer: boolean) => createShortcuts(false, { drawer }).bindings.map(({ title }) => title);
  expect(titles(true).filter((title) => !titles(false).includes(title))).toEqual([
    "Inbox and sessions: what waits, and back",
  ]);
});

test("labels read as keycaps do", () => {
  expect(chordLabel("Ctrl+Shift+P", false)).toBe("Ctrl ⇧ P");
  expect(chordLabel("Meta+Shift+P", true)).toBe("⌘ ⇧ P");
  expect(chordLabel("Alt+Shift+ArrowLeft", false)).toBe("Alt ⇧ ←");
});

test("in a browser, Ctrl with + and - is the browser's zoom; the font has its entries in the palette", () => {
  const press = { key: "+", code: "Equal", ctrlKey: true, altKey: false, shiftKey: false, metaKey: false };
  expect(bindingFor(createShortcuts(false), press)?.title).toBe("Larger font");
  expect(bindingFor(createShortcuts(false, { browser: true }), press)).toBeUndefined();
  expect(createShortcuts(false, { browser: true }).bindings.map(({ title }) => title)).toContain("Larger font");
});
