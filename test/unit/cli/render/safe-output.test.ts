import fc from "fast-check";
import { expect, test } from "vitest";
import { SafeOutput, safeOutput } from "../../../../cli/render/safe-output.ts";

test.each([
  ["the clipboard", "\u001b]52;c;aGk=\u0007"],
  ["the clipboard, ended by ST", "\u001b]52;c;aGk=\u001b\\"],
  ["a title", "\u001b]0;title\u0007"],
  ["a title, 8-bit", "\u009d2;title\u009c"],
  ["a link", "\u001b]8;;https://e.test\u001b\\"],
  ["a notification", "\u001b]777;notify;a;b\u0007"],
  ["DECRQSS", '\u001bP$q"p\u001b\\'],
  ["a DCS, 8-bit", "\u0090+q544e\u009c"],
  ["SOS, PM and APC", "\u001bXa\u001b\\\u001b^b\u001b\\\u001b_Gc\u001b\\"],
  ["device attributes", "\u001b[c\u001b[>c\u001b[=c\u001bZ\u009bc"],
  ["reports", "\u001b[6n\u001b[?6n\u001b[14t\u001b[21t\u001b[?1$p\u0005"],
  ["modes", "\u001b[?1049h\u001b[?2004l\u001b[4h\u001b[?1000h"],
  ["key reports that look like colours", "\u001b[>4;2m\u001b[?4m\u001b[1 m"],
  ["the cursor and other lines", "\u001b[2J\u001b[H\u001b[3A\u001b[1;5r\u001b7\u001b8\u001bM\u001b[L"],
  ["a reset and character sets", "\u001bc\u001b[!p\u001b(0\u001b#8\u000e\u000f\u001b%G"],
  ["a sequence inside another", "\u001b]0;\u001b[6n\u0007\u001b[\u001b[6n"],
])("%s never reaches the terminal", (_what, sequence) => {
  expect(safeOutput(`before${sequence}after`).replaceAll("\u001b[m", "")).toMatch(/^before[^\p{Cc}]*after$/u);
});

test("text, colours and the current line stay as they are", () => {
  const text = "ä😀\t\u001b[1;38:5:2mbold\u001b[0m\r\n50 %\r\u001b[K100 %\b\n\u001b[m";
  expect(safeOutput(text)).toBe(text);
});

test("a colour does not last beyond the output", () => {
  expect(safeOutput("\u001b[31mred")).toBe("\u001b[31mred\u001b[0m");
  expect(safeOutput("\u001b[31mred\u001b[m\n")).toBe("\u001b[31mred\u001b[m\n");
});

test("an output that begins or ends within a sequence prints no part of it as one", () => {
  expect(safeOutput("a\u001b]52;c;aGk=")).toBe("a");
  expect(safeOutput("a\u001b[")).toBe("a");
  expect(safeOutput("52;c;aGk=\u0007b")).toBe("52;c;aGk=b");
});

test("a piece may end within a string, with what elsewhere begins a sequence", () => {
  const safe = new SafeOutput();
  expect(safe.push("a\u001bPb\u009b") + safe.push("cd\u0007e") + safe.end()).toBe("ae");
});

test("output in pieces is what it is as a whole, wherever it is cut", () => {
  const parts = ["a", "\u001b", "[", "]", "3", ";", "m", "K", "n", "\\", "\u0007", "\u009b", "\u009c", "P", "\n", " "];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...parts), { maxLength: 30 }), fc.nat(), (words, seed) => {
      const text = words.join("");
      const at = text.length === 0 ? 0 : seed % (text.length + 1);
      const safe = new SafeOutput();
      const printed = safe.push(text.slice(0, at)) + safe.push(text.slice(at)) + safe.end();
      expect(printed).toBe(safeOutput(text));
      // biome-ignore lint/suspicious/noControlCharactersInRegex: what may be there
      const rest = printed.replace(/\u001b\[[0-9;:]*m|\u001b\[[0-2]?K/g, "");
      expect(rest).not.toMatch(/[^\P{Cc}\n]/u);
    }),
    { numRuns: 5000 },
  );
});
