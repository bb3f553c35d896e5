import xterm from "@xterm/headless";
import { describe, expect, test } from "vitest";
import { describeCommand } from "../../../../../renderer/session/terminal/command-gutter.ts";
import { CommandMarks, type RanCommand } from "../../../../../renderer/session/terminal/command-marks.ts";

const mark = (words: string) => `\x1b]133;${words}\x07`;
/** What a shell prints for a command line, from its prompt on. */
function ran(line: string, output: string, { code = "0", from = 1000, to = 1500 } = {}): string {
  const prompt = `${mark("A")}$ ${mark("B")}${line}\r\n`;
  return `${prompt}${mark(`C;t=${from}`)}${output}${mark(`D;${code};t=${to}`)}`;
}

async function terminalWith(text: string, { rows = 5, scrollback = 100 } = {}) {
  const terminal = new xterm.Terminal({ allowProposedApi: true, cols: 20, rows, scrollback });
  const ended: RanCommand[] = [];
  const marks = new CommandMarks(terminal, (command) => ended.push(command));
  const write = (more: string) => new Promise<void>((done) => terminal.write(more, done));
  await write(text);
  return { terminal, marks, ended, write };
}

const last = ({ commands }: CommandMarks) => commands.at(-1);

describe("a command", () => {
  test("has its exit code, its duration and its output, without prompt and echo", async () => {
    const { marks } = await terminalWith(`${ran("ls", "one\r\ntwo\r\n", { code: "2", to: 4200 })}${mark("A")}$ `);
    expect(last(marks)).toMatchObject({ exitCode: 2, duration: 3200 });
    expect(marks.outputOf(marks.current as RanCommand)).toBe("one\ntwo");
  });

  test("may end without a line end, wrap, or print nothing", async () => {
    const long = "x".repeat(45);
    const { marks } = await terminalWith(`${ran("a", `one\r\n${long}`)}\r\n${ran("b", "part")}\r\n${ran("c", "")}`);
    expect(marks.commands.map((command) => marks.outputOf(command))).toEqual([`one\n${long}`, "part", ""]);
  });

  test("that runs has output so far and no end", async () => {
    const { marks, write } = await terminalWith(`${mark("A")}$ tail\r\n${mark("C;t=1")}first\r\n`);
    expect(last(marks)).toMatchObject({ exitCode: undefined, end: undefined });
    expect(marks.outputOf(last(marks) as RanCommand)).toBe("first");
    expect(marks.current).toBeUndefined();
    await write(`second\r\n${mark("D;0;t=2")}`);
    expect(marks.outputOf(marks.current as RanCommand)).toBe("first\nsecond");
  });

  test("keeps how it ended when an empty line is entered", async () => {
    const empty = `${mark("A")}$ ${mark("B")}\r\n${mark("D;0;t=9000")}`;
    const { marks, ended } = await terminalWith(`${ran("false", "", { code: "1" })}${empty}${empty}${mark("A")}$ `);
    expect([last(marks)?.exitCode, last(marks)?.duration, ended.length]).toEqual([1, 500, 1]);
  });

  test("that prints an end mark of its own does not hide how it ended", async () => {
    const { marks } = await terminalWith(ran("cat", `x${mark("D;0;t=1001")}\r\ny\r\n`, { code: "3" }));
    expect(last(marks)).toMatchObject({ exitCode: 3, duration: 500 });
    const other = await terminalWith(ran("cat", `x${mark("A")}\r\n`, { code: "4" }));
    expect(last(other.marks)?.exitCode).toBe(4);
  });

  test("that erases its prompt, as clear does, changes nothing of the one before", async () => {
    const { marks } = await terminalWith(`${ran("true", "x\r\n")}${ran("clear", "\x1b[2J\x1b[H", { code: "7" })}`, {
      rows: 10,
    });
    expect(marks.commands.map(({ exitCode }) => exitCode).filter((code) => code === 7)).toEqual([]);
  });

  test.each(["D", "D;;t=1500", "D;abc", "D;99999999999"])("may end without an exit code: %s", async (end) => {
    const { marks } = await terminalWith(`${mark("A")}$ a\r\n${mark("C;t=1000")}${mark(end)}`);
    expect(last(marks)?.exitCode).toBeNull();
  });

  test("has no duration without times, or if the clock was set back", async () => {
    const without = await terminalWith(`${mark("A")}$ a\r\n${mark("C")}${mark("D;0;t=1500")}`);
    expect(last(without.marks)?.duration).toBeUndefined();
    const back = await terminalWith(ran("a", "", { from: 5000, to: 4000 }));
    expect(last(back.marks)?.duration).toBeUndefined();
  });
});

test("a jump goes to its command where the scroll bar was drawn elsewhere before a change of size", async () => {
  const text = Array.from({ length: 4 }, (_, index) => ran(`run ${index}`, "line\r\n".repeat(8))).join("");
  const { terminal, marks } = await terminalWith(text);
  const { buffer } = terminal;
  let drawn = buffer.active.baseY + 7;
  const scroll = terminal.scrollToLine.bind(terminal);
  terminal.scrollToLine = (line) => {
    drawn = Math.min(Math.max(0, drawn + line - buffer.active.viewportY), buffer.active.baseY);
    scroll(drawn);
  };
  for (const line of [27, 18, 9]) {
    marks.jump(-1);
    expect(buffer.active.viewportY).toBe(line);
  }
});

test("jumps go from command to command and back, also among those on show, and end at the end", async () => {
  const text = [1, 2, 3].map((number) => ran(`cmd${number}`, "out\r\n".repeat(8))).join("");
  const { terminal, marks } = await terminalWith(`${text}${ran("last", "")}${mark("A")}$ `);
  const lines = marks.commands.map(({ prompt }) => prompt.line);
  expect(lines).toEqual([0, 9, 18, 27]);
  const jumped = [-1, -1, -1, -1, -1, 1].map((step) => marks.jump(step as 1 | -1)?.prompt.line);
  expect(jumped).toEqual([27, 18, 9, 0, 0, 9]);
  expect(terminal.buffer.active.viewportY).toBe(9);
  expect(marks.current?.prompt.line).toBe(9);
  // Scrolled by hand meanwhile: from there.
  terminal.scrollToLine(12);
  expect(marks.current?.prompt.line).toBe(27);
  expect(marks.jump(1)?.prompt.line).toBe(18);
  expect([marks.jump(1)?.prompt.line, marks.jump(1)]).toEqual([27, undefined]);
  expect(terminal.buffer.active.viewportY).toBe(terminal.buffer.active.baseY);
});

test("commands whose prompt is no longer kept are forgotten, and all on a reset", async () => {
  const { marks, write } = await terminalWith(ran("old", "x\r\n"), { scrollback: 10 });
  await write("line\r\n".repeat(30) + ran("new", "y\r\n"));
  expect(marks.commands.map((command) => marks.outputOf(command))).toEqual(["y"]);
  await write("\x1bcafter");
  expect([marks.commands.length, marks.jump(-1), marks.current]).toEqual([0, undefined, undefined]);
});

test("no more than 500 commands are known", async () => {
  const { marks } = await terminalWith(ran("a", "").repeat(600), { scrollback: 5000 });
  expect(marks.commands.length).toBe(500);
});

test.each([
  [{ exitCode: 0, duration: 340 }, "succeeded · 0.3 s"],
  [{ exitCode: 2, duration: 65_000 }, "exit code 2 · 1 min 5 s"],
  [{ exitCode: 130, duration: 12_900 }, "exit code 130 · 12 s"],
  [{ exitCode: null, duration: 7_380_000 }, "ended · 2 h 3 min"],
  [{ exitCode: 1, duration: undefined }, "exit code 1"],
  [{ exitCode: 0, duration: 40 }, "succeeded"],
])("%j reads %s", (command, words) => expect(describeCommand(command)).toBe(words));
