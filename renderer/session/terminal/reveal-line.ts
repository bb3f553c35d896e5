import type { IBuffer, Terminal } from "@xterm/xterm";

/** A line that a shell has printed, and the text in it that is meant. */
export interface PrintedLine {
  readonly line: string;
  /** Where the text begins in it, and its length. */
  readonly from: number;
  readonly length: number;
  /** How many equal lines were printed later. */
  readonly later: number;
}

/** A text in a terminal's buffer, in cells. */
interface TextPlace {
  readonly row: number;
  readonly column: number;
  readonly cells: number;
}

/** Looks for a line in a terminal. Returns whether it is there; `show`: scrolls to it and selects the text in it. */
export function revealLine(terminal: Terminal, line: PrintedLine, show: boolean): boolean {
  const place = findLine(terminal.buffer.active, terminal.cols, line);
  if (place === undefined || !show) return place !== undefined;
  const top = Math.max(0, place.row - Math.floor(terminal.rows / 3));
  // xterm.js adds the distance to where its scroll bar was drawn last; the second call brings the two together.
  for (let calls = 0; calls < 2; calls++) terminal.scrollToLine(top);
  terminal.select(place.column, place.row, place.cells);
  return true;
}

/** Finds a line by its characters: a terminal draws tabs as spaces and breaks long lines. Undefined where it is not kept. */
export function findLine(
  buffer: IBuffer,
  columns: number,
  { line, from, length, later }: PrintedLine,
): TextPlace | undefined {
  const wanted = withoutSpaces(line);
  if (wanted === "") return undefined;
  const lead = withoutSpaces(line.slice(0, from)).length;
  const letters = withoutSpaces(line.slice(from, from + length)).length;
  let left = later;
  for (let end = buffer.length - 1; end >= 0; ) {
    let row = end;
    while (row > 0 && buffer.getLine(row)?.isWrapped === true) row -= 1;
    if (textOf(buffer, row, end).includes(wanted)) {
      if (left === 0) return placeIn(buffer, { row, end, columns }, { wanted, lead, letters });
      left -= 1;
    }
    end = row - 1;
  }
  return undefined;
}

function textOf(buffer: IBuffer, row: number, end: number): string {
  let text = "";
  for (let at = row; at <= end; at++) text += buffer.getLine(at)?.translateToString(true) ?? "";
  return withoutSpaces(text);
}

/** Finds the cells of the text in the rows that hold its line. */
function placeIn(
  buffer: IBuffer,
  { row, end, columns }: { readonly row: number; readonly end: number; readonly columns: number },
  { wanted, lead, letters }: { readonly wanted: string; readonly lead: number; readonly letters: number },
): TextPlace {
  let text = "";
  const cells: number[] = [];
  for (let at = row; at <= end; at++) {
    for (let column = 0; column < columns; column++) {
      const characters = withoutSpaces(buffer.getLine(at)?.getCell(column)?.getChars() ?? "");
      text += characters;
      for (let unit = 0; unit < characters.length; unit++) cells.push((at - row) * columns + column);
    }
  }
  const start = text.indexOf(wanted) + lead;
  const first = cells[start] ?? 0;
  const last = cells[start + Math.max(0, letters - 1)] ?? first;
  return { row: row + Math.floor(first / columns), column: first % columns, cells: last - first + 1 };
}

function withoutSpaces(text: string): string {
  return text.replace(/\s/g, "");
}
