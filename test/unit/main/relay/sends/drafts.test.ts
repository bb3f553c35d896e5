import { expect, test } from "vitest";
import type { ShellId } from "../../../../../core/protocol/ids.ts";
import { Drafts } from "../../../../../main/relay/sends/drafts.ts";

const SHELL = 1 as ShellId;

test.each<[string, boolean, string[]]>([
  ["text", true, ["make", " test"]],
  ["text and Enter", false, ["make test", "\r"]],
  ["Enter in the same piece as the next line", true, ["make\rgit"]],
  ["a paste with a line end, which is no Enter", true, ["\u001b[200~one\rtwo\u001b[201~"]],
  ["a paste and Enter", false, ["\u001b[200~one\rtwo\u001b[201~", "\r"]],
  ["a character that was erased again", false, ["é", "\u007f"]],
  ["as many Backspaces as characters", false, ["abc", "\u007f\u007f\u007f"]],
  ["fewer Backspaces than characters", true, ["abc", "\u007f\u007f"]],
  ["Ctrl-U", false, ["abc", "\u0015"]],
  ["Ctrl-C", false, ["abc", "\u0003"]],
  ["a line from the history", true, ["\u001b[A"]],
  ["a line from the history, in application mode, and Enter", false, ["\u001bOA", "\r"]],
  ["keys that move the cursor", false, ["\u001b[C", "\u001b[H", "\u001b[1;5D", "\u001bOD"]],
  ["Escape and Alt keys", false, ["\u001b", "\u001bf"]],
  ["an emoji of two code units, erased by one Backspace", false, ["👍", "\u007f"]],
])("%s: a draft is left: %s", (_, isLeft, pieces) => {
  const drafts = new Drafts();
  for (const piece of pieces) expect(drafts.typed(SHELL, piece)).toBe(true);
  expect(drafts.has(SHELL)).toBe(isLeft);
});

test.each([
  ["focus", "\u001b[I\u001b[O"],
  ["mouse", "\u001b[<0;10;5M\u001b[<0;10;5m"],
  ["cursor position", "\u001b[12;40R"],
  ["device attributes", "\u001b[?1;2c\u001b[>0;276;0c"],
  ["mode", "\u001b[?2026;2$y"],
  ["sizes", "\u001b[8;34;155t\u001b[6;18;9t"],
  ["limits of images", "\u001b[?2;0;1920;1080S"],
  ["colour", "\u001b]11;rgb:1e1e/1e1e/1e1e\u001b\\"],
  ["version", "\u001bP>|xterm.js(5.5.0)\u001b\\"],
])("a report of the terminal is no key: %s", (_, report) => {
  const drafts = new Drafts();
  expect(drafts.typed(SHELL, report)).toBe(false);
  expect(drafts.has(SHELL)).toBe(false);
});

test("a draft is one shell's, and gone with its line", () => {
  const drafts = new Drafts();
  drafts.typed(SHELL, "text");
  expect(drafts.has(2 as ShellId)).toBe(false);
  drafts.forget(SHELL);
  expect(drafts.has(SHELL)).toBe(false);
});
