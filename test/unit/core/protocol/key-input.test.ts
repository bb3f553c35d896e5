import { describe, expect, test } from "vitest";
import { keyInput } from "../../../../core/protocol/key-input.ts";

const normal = { applicationCursor: false };

describe("what keys send", () => {
  test.each<[word: string, sent: string]>([
    ["C-c", "\x03"],
    ["^C", "\x03"],
    ["ctrl+c", "\x03"],
    ["Ctrl+Shift+C", "\x03"],
    ["C-Space", "\0"],
    ["C-[", "\x1b"],
    ["C-\\", "\x1c"],
    ["C-_", "\x1f"],
    ["C-?", "\x7f"],
    ["M-x", "\x1bx"],
    ["alt+x", "\x1bx"],
    ["M-X", "\x1bX"],
    ["M-S-x", "\x1bX"],
    ["C-M-a", "\x1b\x01"],
    ["M-é", "\x1bé"],
    ["Enter", "\r"],
    ["return", "\r"],
    ["M-Enter", "\x1b\r"],
    ["Tab", "\t"],
    ["S-Tab", "\x1b[Z"],
    ["BTab", "\x1b[Z"],
    ["Escape", "\x1b"],
    ["Space", " "],
    ["Backspace", "\x7f"],
    ["C-Backspace", "\b"],
    ["BSpace", "\x7f"],
    ["Up", "\x1b[A"],
    ["down", "\x1b[B"],
    ["S-Up", "\x1b[1;2A"],
    ["C-Left", "\x1b[1;5D"],
    ["C-M-Left", "\x1b[1;7D"],
    ["Home", "\x1b[H"],
    ["C-End", "\x1b[1;5F"],
    ["PageUp", "\x1b[5~"],
    ["PPage", "\x1b[5~"],
    ["S-Delete", "\x1b[3;2~"],
    ["IC", "\x1b[2~"],
    ["F1", "\x1bOP"],
    ["S-F1", "\x1b[1;2P"],
    ["F5", "\x1b[15~"],
    ["F12", "\x1b[24~"],
    ["C-F12", "\x1b[24;5~"],
    ["F20", "\x1b[34~"],
    ["a", "a"],
    ["-", "-"],
    ["^", "^"],
    ["M--", "\x1b-"],
    ["ls -l", "ls -l"],
    ["c-3po", "c-3po"],
    ["two\nlines", "two\rlines"],
    ["constructor", "constructor"],
    ["😀", "😀"],
  ])("%j", (word, sent) => expect(keyInput([word], false, normal)).toBe(sent));

  test("cursor keys follow the application's mode, with modifiers they do not", () => {
    const words = ["Up", "Left", "Home", "End", "S-Up", "F1", "PageUp"];
    expect(keyInput(words, false, { applicationCursor: true })).toBe("\x1bOA\x1bOD\x1bOH\x1bOF\x1b[1;2A\x1bOP\x1b[5~");
  });

  test("words are joined without separators, and literal words are text", () => {
    expect(keyInput(["ls", "Space", "-l", "Enter"], false, normal)).toBe("ls -l\r");
    expect(keyInput(["Up", "C-c", "F1"], true, normal)).toBe("UpC-cF1");
  });

  test.each(["C-é", "C-Lef", "M-Uup", "C-M-", "ctrl+nokey", "F21-", "C-ab"])("%j is refused or is text", (word) => {
    if (/^(C-|M-|ctrl)/.test(word)) {
      expect(() => keyInput([word], false, normal)).toThrow(expect.objectContaining({ code: "invalid_params" }));
    } else expect(keyInput([word], false, normal)).toBe(word);
  });
});
