import { SerializeAddon } from "@xterm/addon-serialize";
import type { ITerminalAddon, Terminal } from "@xterm/headless";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTerminal, named } from "../../../../main/shells/headless-terminal.ts";

let terminal: Terminal;
let copy: Terminal;
const serializer = new SerializeAddon();

beforeAll(async () => {
  // Node's pool is in use, as in a relay that runs.
  Buffer.from("something that takes room in the pool");
  [terminal, copy] = await Promise.all([size(), size()]);
  terminal.loadAddon(serializer as unknown as ITerminalAddon);
});
afterAll(() => {
  terminal.dispose();
  copy.dispose();
});

const size = () => createTerminal({ cols: 20, rows: 4, scrollback: 0 });
const write = (into: Terminal, text: string) => new Promise<void>((resolve) => into.write(text, resolve));

test.each([
  ["a letter with an accent", "e\u0301", 1],
  ["a family", "👨‍👩‍👧‍👦", 2],
  ["a skin tone", "👍🏽", 2],
  ["two flags", "🇩🇪🇫🇷", 4],
  ["a flag of three parts", "🏳️‍🌈", 2],
  ["a flag made with tags", "🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}", 2],
  ["an emoji presentation", "❤️", 2],
  ["a keycap", "1️⃣", 2],
  ["an emoji of Unicode 14", "🫠", 2],
  ["a hand of Unicode 15 with a skin tone", "🫸🏽", 2],
  ["Chinese characters", "日本", 4],
  ["Hangul, composed of parts", "\u1112\u1161\u11ab", 2],
  ["Thai", "กำ", 1],
  ["lines and arrows", "─│→", 3],
  ["marks of the writing direction and a zero-width space", "a\u200fb\u200bc\u2060d", 4],
  ["a soft hyphen", "a\u00adb", 3],
])("%s takes its columns, also in a copy and wherever the output is cut", async (_name, text, columns) => {
  await write(terminal, `\x1bc${text}`);
  expect(terminal.buffer.active.cursorX).toBe(columns);
  await write(copy, `\x1bc${serializer.serialize()}`);
  expect(copy.buffer.active.cursorX).toBe(columns);
  expect(copy.buffer.active.getLine(0)?.translateToString(true)).toBe(text);
  await write(terminal, "\x1bc");
  for (const character of text) await write(terminal, character);
  expect(terminal.buffer.active.cursorX).toBe(columns);
});

const REPEATED = ["b", "S", "T", "L", "M", "I", "Z"];

test.each(REPEATED)(
  "CSI … %s that repeats more often than it can change the screen leaves what xterm.js leaves",
  async (final) => {
    const plain = new (named(await import("@xterm/headless")).Terminal)({ cols: 20, rows: 4, allowProposedApi: true });
    const screens = [];
    for (const each of [terminal, plain]) {
      await write(each, `\x1bca\r\nb\tb\r\nc\tc\tc\r\nd\x1b[2;12H\x1b[300${final}x`);
      const { active } = each.buffer;
      const rows = Array.from({ length: 4 }, (_, row) => active.getLine(active.baseY + row)?.translateToString(true));
      screens.push({ rows, x: active.cursorX, y: active.cursorY });
    }
    plain.dispose();
    expect(screens[0]).toEqual(screens[1]);
  },
);

test.each(REPEATED)("CSI … %s that repeats two billion times is done at once", async (final) => {
  await write(terminal, `\x1bca\x1b[2147483647${final}`.repeat(500));
  expect(terminal.buffer.active.length).toBe(4);
});
