import type { IBufferLine, IMarker, Terminal } from "@xterm/headless";
import { runInTurns, type Steps } from "../system/in-turns.ts";
import { createTerminal } from "./headless-terminal.ts";
import { decodeText, piecesOf, plainTextSteps } from "./plain-text.ts";
import { VtScanner } from "./vt-scanner.ts";

/** So much is parsed before lines that have left the screen are taken: no byte scrolls by more than a line. */
const PIECE = 1024;
/** So much is given to the terminal at once. */
const BATCH = 256 * PIECE;
const TAB = 8;
const NEWLINE = 0x0a;
const RETURN = 0x0d;
const BACKSPACE = 0x08;
const TAB_BYTE = 0x09;
/** Other screens, scroll regions and modes. */
const LASTING = /[hlr]/;
/** `CSI I` moves the cursor as a tab does; unlike the tab it can be seen by a handler. */
const TAB_SEQUENCE = "\u001b[I";

/** Operating system commands, which a bell ends, and other strings: they draw nothing. An escape in one ends it. */
const STRINGS =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are control sequences
  /(?:\u001b\]|\u009d)[^\u0007\u0018\u001a\u001b\u009c]*(?:[\u0007\u0018\u001a\u009c]|\u001b\\)?|(?:\u001b[PX^_]|[\u0090\u0098\u009e\u009f])[^\u0018\u001a\u001b\u009c]*(?:[\u0018\u001a\u009c]|\u001b\\)?/g;
/** Colours, cursor shapes, character sets, keypad and private modes, but for other screens, wrapping and origin. */
const HARMLESS =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are control sequences
  /\u001b(?:\[[0-9;:]*m|\[[0-9]* q|\[>[0-9;]*[a-z]|[=>]|[()*+][0-9A-Za-z]|\[\?(?!(?:[67]|47|104[79])[hl])[0-9]+[hl])/g;

/**
 * Output as a person would copy it from the terminal: lines as they were wrapped by the program alone, what was erased
 * or overwritten left out, tabs kept. Bytes begin and end on a boundary (see OutputLog.read). What nothing moves in is
 * read as it stands; around the rest a terminal of the shell's size draws it, in memory that does not grow with it. The
 * shells are served meanwhile.
 */
export async function plainScreen(bytes: Buffer, size: { cols: number; rows: number }): Promise<string> {
  const texts: string[] = [];
  let end = 0;
  let reader: ScreenReader | undefined;
  try {
    for (const part of await runInTurns(movingParts(bytes, size))) {
      reader ??= new ScreenReader(await createTerminal({ ...size, scrollback: 2 * PIECE }));
      texts.push(
        await runInTurns(plainTextSteps(bytes.subarray(end, part.start))),
        await reader.read(await runInTurns(drawable(bytes.subarray(part.start, part.end)))),
      );
      end = part.end;
    }
  } finally {
    reader?.dispose();
  }
  return texts.join("") + (await runInTurns(plainTextSteps(bytes.subarray(end))));
}

interface Part {
  start: number;
  end: number;
}

/**
 * The parts, at whole lines, that a terminal must draw: from a screen before the first sequence that moves or erases
 * until two screens after the last, where all that it may have touched has scrolled away.
 */
function* movingParts(bytes: Buffer, { cols, rows }: { cols: number; rows: number }): Steps<Part[]> {
  const groups: { first: number; last: number; stays: boolean }[] = [];
  const add = (first: number, last: number, stays: boolean) => {
    const group = groups.at(-1);
    if (group === undefined || (!group.stays && isFurther(bytes.subarray(group.last, first), 3 * rows + 2))) {
      groups.push({ first, last, stays });
    } else {
      group.last = last;
      group.stays ||= stays;
    }
  };
  const overwrites = overwriteSearch(cols);
  yield* eachPiece(bytes, {
    text(text, at) {
      const found = overwrites(text);
      if (found !== undefined) add(at + found.first, at + found.last, false);
    },
    sequences(text, at) {
      const rest = text.replace(HARMLESS, "");
      if (rest !== "") add(at, at, LASTING.test(rest));
    },
  });
  return groups.map(({ first, last, stays }) => ({
    start: linesBefore(bytes, first, rows + 1),
    end: stays ? bytes.length : linesAfter(bytes, last, 2 * rows),
  }));
}

/**
 * Returns a function that finds where text, the next of what follows each other, goes back in a line that may have filled
 * a row of `cols` columns, since the cursor then stays in the last row, or that has characters which may take another
 * number of columns than one. `first` and `last` are offsets in the text.
 */
function overwriteSearch(cols: number): (text: Buffer) => { first: number; last: number } | undefined {
  let goesBack = false;
  let mayBeWide = false;
  let mayWrap = false;
  let column = 0;
  let afterReturn = false;
  return (text) => {
    let first = -1;
    let last = -1;
    for (let at = 0; at < text.length; at++) {
      const byte = text[at] ?? 0;
      if (byte === NEWLINE) {
        goesBack = false;
        mayBeWide = false;
        mayWrap = false;
        afterReturn = false;
        column = 0;
      } else if (byte === RETURN) {
        afterReturn = true;
        column = 0;
      } else {
        goesBack ||= afterReturn || byte === BACKSPACE;
        mayBeWide ||= byte >= 0x80 || byte === TAB_BYTE;
        afterReturn = false;
        column += 1;
        mayWrap ||= column >= cols;
        if (!(goesBack && (mayBeWide || mayWrap))) continue;
        if (first === -1) first = at;
        last = at;
      }
    }
    return first === -1 ? undefined : { first, last };
  };
}

/** What a terminal is given: no strings, tabs so that they can be noted, and what is no UTF-8 as U+FFFD. */
function* drawable(bytes: Buffer): Steps<string> {
  const pieces: string[] = [];
  yield* eachPiece(bytes, {
    text: (text) => pieces.push(decodeText(text).replaceAll("\u001a", "\ufffd").replaceAll("\t", TAB_SEQUENCE)),
    sequences: (text) => pieces.push(text),
  });
  return pieces.join("");
}

/** Text, and what stands between texts with its place, but for strings. */
function* eachPiece(
  bytes: Buffer,
  receive: { text(bytes: Buffer, at: number): void; sequences(text: string, at: number): void },
): Steps<void> {
  let end = 0;
  const between = (until: number) => {
    const text = until === end ? "" : bytes.toString("utf8", end, until).replace(STRINGS, "");
    if (text !== "") receive.sequences(text, end);
  };
  const scanner: VtScanner = new VtScanner({
    text(piece, from, to) {
      between(scanner.position + from);
      receive.text(piece.subarray(from, to), scanner.position + from);
      end = scanner.position + to;
    },
  });
  for (const piece of piecesOf(bytes)) {
    scanner.push(piece);
    yield;
  }
  between(bytes.length);
}

/** Whether so many newlines are followed by more. */
function isFurther(bytes: Buffer, lines: number): boolean {
  return linesAfter(bytes, 0, lines) < bytes.length;
}

/** The place after so many further newlines, or the end. */
function linesAfter(bytes: Buffer, from: number, count: number): number {
  let at = from;
  for (let line = 0; line < count; line++) {
    const newline = bytes.indexOf(NEWLINE, at);
    if (newline === -1) return bytes.length;
    at = newline + 1;
  }
  return at;
}

/** The beginning of the line so many lines before, or of all. */
function linesBefore(bytes: Buffer, from: number, count: number): number {
  let at = from;
  for (let line = 0; line < count && at > 0; line++) at = bytes.lastIndexOf(NEWLINE, at - 1);
  return at <= 0 ? 0 : at + 1;
}

/** Takes the lines of a terminal as they leave its screen, and the rest at the end. */
class ScreenReader {
  readonly #terminal: Terminal;
  #lines: string[] = [];
  /** The first row that was not taken yet; undefined for the first of all. */
  #frontier: IMarker | undefined;
  /** How many rows were taken: what names a row while rows are dropped above it. */
  #taken = 0;
  /** Columns in which tabs began, by the number of their row. */
  readonly #tabs = new Map<number, Set<number>>();

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
    terminal.parser.registerCsiHandler({ final: "I" }, () => this.#noteTab());
  }

  /** What an empty terminal shows when it was given all of the text, with what scrolled away above it. */
  async read(text: string): Promise<string> {
    this.#terminal.reset();
    this.#lines = [];
    this.#frontier = undefined;
    this.#taken = 0;
    this.#tabs.clear();
    for (let at = 0; at < text.length; at += BATCH) await this.#write(text.slice(at, at + BATCH));
    return this.#end();
  }

  dispose(): void {
    this.#terminal.dispose();
  }

  /** Resolves when all of it is drawn. */
  #write(text: string): Promise<void> {
    return new Promise((resolve) => {
      for (let at = 0; at < text.length; at += PIECE) {
        this.#terminal.write(text.slice(at, at + PIECE), () => this.#takeScrolled());
      }
      this.#terminal.write("", resolve);
    });
  }

  #end(): string {
    const { normal, active } = this.#terminal.buffer;
    this.#take(normal.baseY + Math.max(normal.cursorY + 1, lastRow(this.#terminal)));
    if (active.type === "alternate") {
      const rows = Array.from({ length: this.#terminal.rows }, (_, row) =>
        active.getLine(row)?.translateToString(true),
      );
      this.#lines.push(rows.join("\n").trimEnd());
    }
    return this.#lines.join("\n");
  }

  #first(): number {
    // A row that was dropped before it was taken is gone, as from a terminal.
    return this.#frontier === undefined || this.#frontier.isDisposed ? 0 : this.#frontier.line;
  }

  #takeScrolled(): void {
    const { normal, active } = this.#terminal.buffer;
    if (active.type === "alternate" || normal.baseY === this.#first()) return;
    this.#take(normal.baseY);
    this.#frontier?.dispose();
    this.#frontier = this.#terminal.registerMarker(-normal.cursorY);
  }

  #take(until: number): void {
    const { normal } = this.#terminal.buffer;
    for (let row = this.#first(); row < until; row++) {
      const line = normal.getLine(row);
      const tabs = this.#tabs.get(this.#taken);
      this.#tabs.delete(this.#taken);
      this.#taken += 1;
      if (line === undefined) continue;
      const text = tabs === undefined ? line.translateToString(true) : withTabs(line, tabs);
      if (line.isWrapped && this.#lines.length > 0) this.#lines.push((this.#lines.pop() ?? "") + text);
      else this.#lines.push(text);
    }
  }

  /** Leaves the moving to the terminal. */
  #noteTab(): false {
    const { normal, active } = this.#terminal.buffer;
    if (active.type === "alternate") return false;
    const row = this.#taken + normal.baseY + normal.cursorY - this.#first();
    this.#tabs.set(row, (this.#tabs.get(row) ?? new Set()).add(normal.cursorX));
    return false;
  }
}

/** How many rows of the screen hold something. */
function lastRow({ buffer: { normal }, rows }: Terminal): number {
  for (let row = rows; row > 0; row--) {
    if (normal.getLine(normal.baseY + row - 1)?.translateToString(true) !== "") return row;
  }
  return 0;
}

/** The text of a row with its tabs, where what they jumped over is still empty. */
function withTabs(line: IBufferLine, tabs: ReadonlySet<number>): string {
  const length = line.translateToString(true).length;
  let text = "";
  for (let column = 0; column < line.length; ) {
    const stop = Math.min((Math.floor(column / TAB) + 1) * TAB, line.length - 1);
    if (tabs.has(column) && stop > column && isEmpty(line, column, stop)) {
      text += "\t";
      column = stop;
      continue;
    }
    const cell = line.getCell(column);
    const isOver = column >= length && ![...tabs].some((tab) => tab > column);
    if (isOver && (cell?.getChars() ?? "") === "") break;
    if (cell?.getWidth() !== 0) text += cell?.getChars() || " ";
    column += 1;
  }
  return text;
}

function isEmpty(line: IBufferLine, from: number, to: number): boolean {
  for (let column = from; column < to; column++) if ((line.getCell(column)?.getChars() ?? "") !== "") return false;
  return true;
}
