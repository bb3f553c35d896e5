import headless from "@xterm/headless";
import { afterEach, expect, test } from "vitest";
import { OutputLog } from "../../../../main/shells/output-log.ts";
import { Screen } from "../../../../main/shells/screen.ts";

const MEGABYTE = 1024 * 1024;
const SIXEL = { begin: "\u001bP0;1;0q", end: "\u001b\\" };
const ITERM2 = { begin: "\u001b]1337;File=inline=1:", end: "\u0007" };

let screen: Screen | undefined;
afterEach(() => screen?.dispose());

function screenOf(log: OutputLog): Screen {
  screen = new Screen(log, 40, 5);
  return screen;
}

/** What a page shows that gets a snapshot and the output after it. */
async function pageAfter(snapshot: string, output: Buffer): Promise<string> {
  const terminal = new headless.Terminal({ cols: 40, rows: 5, allowProposedApi: true });
  for (const data of [snapshot, output]) await new Promise<void>((resolve) => terminal.write(data, resolve));
  const rows = Array.from({ length: 5 }, (_, row) => terminal.buffer.active.getLine(row)?.translateToString(true));
  terminal.dispose();
  return rows.join("\n").trimEnd();
}

test.each([SIXEL, ITERM2])(
  "an image of which only the rest is replayed is not drawn as text: $begin",
  async (image) => {
    const log = new OutputLog();
    log.append(Buffer.from(`before\r\n${image.begin}`));
    log.append(Buffer.alloc(1.5 * MEGABYTE, "A"));
    log.append(Buffer.from(`${image.end}after`));
    expect((await screenOf(log).text()).text).toBe("after");
  },
);

test.each([SIXEL, ITERM2])("a snapshot within an image leaves out the rest of it alone: $begin", async (image) => {
  const log = new OutputLog();
  log.append(Buffer.from(`before\r\n${image.begin}`));
  log.append(Buffer.alloc(1.5 * MEGABYTE, "A"));
  const mine = screenOf(log);
  const { snapshot, offset } = await mine.snapshot();
  log.append(Buffer.from(`AAAA${image.end}after`));
  const rest = log.read({ since: offset }).bytes;
  expect(await pageAfter(snapshot, rest)).toBe("after");
  expect((await mine.text()).text).toBe("after");
});

test.each([SIXEL, ITERM2])("a snapshot between images is followed by the next one whole: $begin", async (image) => {
  const log = new OutputLog();
  log.append(Buffer.from(`${image.begin}AAAA${image.end}text`));
  const { snapshot, offset } = await screenOf(log).snapshot();
  expect(snapshot).toBe("text");
  log.append(Buffer.from(`${image.begin}BBBB${image.end}`));
  expect(log.read({ since: offset }).bytes.toString()).toBe(`${image.begin}BBBB${image.end}`);
});

test("bytes that are not UTF-8 take a column each, as in views", async () => {
  const log = new OutputLog();
  const mine = screenOf(log);
  log.append(Buffer.from("name: M\xe4rz", "latin1"));
  expect((await mine.text()).text).toBe("name: M\ufffdrz");
  log.append(Buffer.from("\xfc, and é", "utf8"));
  expect((await mine.text()).text).toBe("name: M\ufffdrzü, and é");
});

test("those who read on from a snapshot share the one that is being made", async () => {
  const log = new OutputLog();
  log.append(Buffer.from("one"));
  const mine = screenOf(log);
  const [first, second] = [mine.sharedSnapshot(), mine.sharedSnapshot()];
  expect(second).toBe(first);
  expect(await first).toMatchObject({ snapshot: "one", offset: 3 });
  log.append(Buffer.from(" two"));
  expect(await mine.sharedSnapshot()).toMatchObject({ snapshot: "one two", offset: 7 });
});
