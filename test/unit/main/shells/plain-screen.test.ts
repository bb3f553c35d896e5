import fc from "fast-check";
import { expect, test } from "vitest";
import { plainScreen } from "../../../../main/shells/plain-screen.ts";
import { plainText } from "../../../../main/shells/plain-text.ts";
import { output } from "./terminal-bytes.ts";

const size = { cols: 20, rows: 4 };
const plain = (text: string, { cols, rows } = size) => plainScreen(Buffer.from(text), { cols, rows });

test.each([
  ["erased to the end of the line", "aaaa\r\x1b[Kb\r\n", "b\n"],
  ["erased as a whole line", "aaaa\x1b[2K\rb\r\n", "b\n"],
  ["erased to its beginning", "aaaa\x1b[1K\rb\r\n", "b\n"],
  [
    "a progress bar over several lines",
    "one 1%\r\ntwo 1%\r\n\x1b[2A\x1b[Kone 9%\r\n\x1b[Ktwo 9%\r\n",
    "one 9%\ntwo 9%\n",
  ],
  ["a cleared screen", "old\r\nolder\r\n\x1b[H\x1b[2Jnew\r\n", "new\n"],
  ["deleted and inserted characters", "abcdef\x1b[4D\x1b[2P\x1b[1@X", "abXef"],
  ["a deleted line", "a\r\nb\r\nc\x1b[1A\x1b[M\r\n", "a\nc\n"],
  ["cursor to a column", "abc\x1b[2GX\r\n", "aXc\n"],
  ["a long line, whole", `\x1b[K${"0123456789".repeat(5)}\r\nend`, `${"0123456789".repeat(5)}\nend`],
  ["a wide character at the edge", `\x1b[K${"a".repeat(19)}世界\r\n`, `${"a".repeat(19)}世界\n`],
  ["tabs", "\x1b[Ka\tb\t\tc\r\n\tx\r\n", "a\tb\t\tc\n\tx\n"],
  ["a tab that was written over", "\x1b[Ka\tb\rlonger\r\n", "longer  b\n"],
  ["a wide character over narrow ones", "bcd\r世\r\n", "世d\n"],
  ["narrow characters over a wide one", "世x\ra\r\n", "a x\n"],
  ["a tab over what was written", "abc\r\tx\r\n", "abc     x\n"],
  ["a character of two code points", "e\u0301f\bg\r\n", "e\u0301g\n"],
  ["wide characters far apart", `${"ab\r世\r\nplain\r\n".repeat(500)}`, "世\nplain\n".repeat(500)],
  ["blanks that were written", "\x1b[Ka  \r\n", "a  \n"],
  [
    "colours, titles and links",
    "\x1b]0;title\x07\x1b[K\x1b[1mred\x1b[0m \x1b]8;;http://x\x1b\\y\x1b]8;;\x1b\\\r\n",
    "red y\n",
  ],
  ["a title that another sequence ends", "abc\r\x1b]0;title\x1b[Kx\r\n", "x\n"],
  ["a title of megabytes", `\x1b[Ka\x1b]0;${"x".repeat(12e6)}\x07b\r\n`, "ab\n"],
  ["bytes that are no UTF-8", "\x1b[Ka\x1bP+q\x1b\\b\r\n", "ab\n"],
  [
    "what a full-screen program left behind",
    "before\r\n\x1b[?1049h\x1b[Hscreen\x1b[?1049lafter\r\n",
    "before\nafter\n",
  ],
  ["a full-screen program that runs", "before\r\n\x1b[?1049h\x1b[2J\x1b[Hscreen", "before\n\nscreen"],
  ["a line of two rows that was overwritten", "0123456789012345678901234\ra\r\n", "01234567890123456789a1234\n"],
  ["the end of a full row that was overwritten", "01234567890123456789\ba\r\n", "012345678901234567a9\n"],
  ["nothing", "", ""],
  ["only movements", "\x1b[H\x1b[2J\x1b[K", ""],
])("%s", async (_, bytes, expected) => {
  expect(await plain(bytes)).toBe(expected);
});

test("lines that left the screen long ago are all there, in order", async () => {
  const lines = Array.from({ length: 20_000 }, (_, line) => `${line}\t${"x".repeat(line % 50)}`);
  const cleared = lines.map((line) => `not this\r\x1b[K${line}\r\n`).join("");
  expect((await plain(cleared)).split("\n")).toEqual([...lines, ""]);
});

test("4 MiB that a terminal must draw to the end are read in bounded memory", {
  tags: "slow",
  timeout: 60_000,
}, async () => {
  const bytes = Buffer.alloc(4 * 1024 * 1024, "\n");
  bytes.write("\x1b[4l");
  const before = process.memoryUsage().arrayBuffers;
  let most = 0;
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage().arrayBuffers - before);
  }, 5);
  const text = await plainScreen(bytes, { cols: 200, rows: 60 });
  clearInterval(watch);
  expect(text.length).toBe(bytes.length - 4);
  expect(most).toBeLessThan(64 * 1024 * 1024);
});

test("drawing only what moves gives what drawing everything gives", async () => {
  const word = fc.constantFrom("a", "bcd", "\t", " ", "世", "\r", "\b", "\x1b[1m", "0123456789012345678901234");
  const move = fc.constantFrom(
    "\x1b[K",
    "\x1b[2A",
    "\x1b[A\x1b[2K",
    "\x1b[H",
    "\x1b[2J",
    "\x1b[3;5H",
    "\x1b[M",
    "\x1b[L",
    "\x1bM",
  );
  const line = fc
    .tuple(fc.array(word, { maxLength: 4 }), fc.option(move, { freq: 12 }))
    .map(([words, moved]) => words.join("") + (moved ?? ""));
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 120 }), async (lines) => {
      const text = `${lines.join("\r\n")}\r\n`;
      const settled = (drawn: string) => drawn.replace(/[ \t]+$/gm, "");
      expect(settled(await plain(text))).toBe(settled(await plain(`\x1b[4l${text}`)));
    }),
    { numRuns: 300 },
  );
}, 60_000);

test.each(["b", "S", "T", "L", "M", "@", "P", "X", "I", "Z"])(
  "a sequence that repeats two billion times is left out (%s)",
  async (final) => {
    const started = performance.now();
    expect(await plain(`a\x1b[2147483647${final}\r\nb`)).toMatch(/b$/);
    expect(performance.now() - started).toBeLessThan(5000);
  },
);

test("what nothing moves in reads the same without a terminal", async () => {
  const still = "\x1b[?2004h\x1b[32mok\x1b[0m\ta\r\n\x1b]133;A\x07x\rZ\r\n";
  expect(await plain(still)).toBe(plainText(Buffer.from(still)));
});

test("any bytes are read, without control characters but for tabs and newlines", async () => {
  await fc.assert(
    fc.asyncProperty(output, async (bytes) => {
      const text = await plainScreen(Buffer.concat([Buffer.from("\x1b[K"), bytes]), size);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: exactly those must not be there
      expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f]/);
    }),
    { numRuns: 300 },
  );
}, 60_000);
