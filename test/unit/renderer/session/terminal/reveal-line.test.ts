// @vitest-environment happy-dom
import { Terminal } from "@xterm/xterm";
import { expect, test, vi } from "vitest";
import { findLine, type PrintedLine, revealLine } from "../../../../../renderer/session/terminal/reveal-line.ts";

async function printed(data: string): Promise<Terminal> {
  const terminal = new Terminal({ cols: 20, rows: 5, allowProposedApi: true });
  await new Promise<void>((resolve) => terminal.write(data, resolve));
  return terminal;
}

function meant(line: string, text: string, later = 0): PrintedLine {
  return { line, from: line.indexOf(text), length: text.length, later };
}

function textAt(terminal: Terminal, line: PrintedLine): string | undefined {
  const place = findLine(terminal.buffer.active, terminal.cols, line);
  if (place === undefined) return undefined;
  let text = "";
  for (let cell = 0; cell < place.cells; cell++) {
    const at = place.column + cell;
    const row = terminal.buffer.active.getLine(place.row + Math.floor(at / terminal.cols));
    text += row?.getCell(at % terminal.cols)?.getChars() ?? "";
  }
  return text;
}

test("a line is found by its letters: over tabs, colours, wide characters and the ends of rows", async () => {
  const long = "a line of 世界 words that takes three rows, the needle at last";
  const terminal = await printed(`one\r\n\x1b[31mtwo\x1b[0m\tneedle\r\n${long}\r\nend\r\n`);
  expect(textAt(terminal, meant("twoneedle", "needle"))).toBe("needle");
  expect(findLine(terminal.buffer.active, 20, meant("twoneedle", "needle"))).toMatchObject({ column: 8, cells: 6 });
  expect(textAt(terminal, meant(long, "the needle"))?.replaceAll(" ", "")).toBe("theneedle");
  expect(textAt(terminal, meant(long, "世界"))).toBe("世界");
  expect(textAt(terminal, meant("three", "three"))).toBe("three");
  expect(textAt(terminal, meant("four", "four"))).toBeUndefined();
  expect(textAt(terminal, meant("  ", " "))).toBeUndefined();
});

test("of equal lines the one that is meant is found, counted from the end", async () => {
  const terminal = await printed("same\r\nother\r\nsame\r\nsame\r\n");
  const rows = [0, 1, 2, 3].map((later) => findLine(terminal.buffer.active, 20, meant("same", "same", later))?.row);
  expect(rows).toEqual([3, 2, 0, undefined]);
});

test("a line that is kept is scrolled to and selected, and looking for it changes nothing", async () => {
  const terminal = await printed(Array.from({ length: 40 }, (_, index) => `row-${index}-end\r\n`).join(""));
  const select = vi.spyOn(terminal, "select").mockReturnValue();
  const scroll = vi.spyOn(terminal, "scrollToLine").mockReturnValue();
  expect(revealLine(terminal, meant("row-7-end", "7"), false)).toBe(true);
  expect(revealLine(terminal, meant("row-70-end", "7"), true)).toBe(false);
  expect(select).not.toHaveBeenCalled();
  expect(revealLine(terminal, meant("row-7-end", "7"), true)).toBe(true);
  expect(select).toHaveBeenCalledWith(4, 7, 1);
  expect(scroll).toHaveBeenCalledWith(6);
});
