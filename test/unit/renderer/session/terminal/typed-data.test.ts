import { expect, test } from "vitest";
import { encodeFor, isAnswer, isTyped } from "../../../../../renderer/session/terminal/typed-data.ts";

const plain = { applicationCursorKeysMode: false, bracketedPasteMode: false };

test.each([
  "a",
  "ls\r",
  "\x03",
  "\x1b",
  "\x1b[A",
  "\x1bOA",
  "\x1b[3~",
  "\x1b[1;5C",
  "\x1bb",
  "\x1b]",
  "\x1b[200~a\rb\x1b[201~",
  "注文",
])("%j was typed", (data) => expect(isTyped(data)).toBe(true));

test.each([
  ["a press of the pointer", "\x1b[<0;12;3M"],
  ["its release", "\x1b[<0;12;3m"],
  ["a press in the old encoding", "\x1b[M !!"],
  ["the focus", "\x1b[I"],
  ["the focus lost", "\x1b[O"],
  ["the cursor's position", "\x1b[12;40R"],
  ["device attributes", "\x1b[?1;2c"],
  ["secondary device attributes", "\x1b[>0;276;0c"],
  ["a status", "\x1b[0n"],
  ["the size of the window", "\x1b[8;24;80t"],
  ["a mode", "\x1b[?2004;1$y"],
  ["a colour", "\x1b]11;rgb:0c0c/0e0e/1010\x1b\\"],
  ["the version", "\x1bP>|xterm.js(5.5.0)\x1b\\"],
  ["a mode of ANSI's", "\x1b[4;2$y"],
  ["the limits of images", "\x1b[?2;0;1920;1080S"],
])("%s was not typed", (_what, data) => expect(isTyped(data)).toBe(false));

test("cursor keys and pastes are encoded for the modes of the terminal that gets them", () => {
  const full = { applicationCursorKeysMode: true, bracketedPasteMode: true };
  expect(encodeFor("\x1b[A", full)).toBe("\x1bOA");
  expect(encodeFor("\x1bOA", plain)).toBe("\x1b[A");
  expect(encodeFor("\x1b[200~a\rb\x1b[201~", plain)).toBe("a\rb");
  expect(encodeFor("\x1b[200~a\rb\x1b[201~", full)).toBe("\x1b[200~a\rb\x1b[201~");
  expect(encodeFor("x", full)).toBe("x");
  expect(encodeFor("\x1b[1;5C", full)).toBe("\x1b[1;5C");
});

test.each([
  ["\x1b[?62;4;9;22c", true],
  ["\x1b[12;40R", true],
  ["\x1b]11;rgb:0c0c/0e0e/1010\x1b\\", true],
  // A terminal tells the focus as soon as output asks for reports of it.
  ["\x1b[O", true],
  ["\x1b[<0;12;3M", false],
  ["\x1b[M !!", false],
  ["\x1b[32;12;3M", false],
  ["ls\r", false],
  ["\x1b[A", false],
])("whether %j is an answer to output: %j", (data, expected) => expect(isAnswer(data)).toBe(expected));
