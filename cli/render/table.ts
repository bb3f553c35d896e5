import stringWidth from "string-width";
import { escapeControls, formatCell } from "./cell.ts";
import { dim } from "./colour.ts";
import type { Style } from "./io.ts";

const GAP = "  ";
/** Narrower than this no text is cut, where the terminal is wide enough for one such column at all. */
const READABLE = 10;
const READABLE_PATH = 24;

type Row = Readonly<Record<string, unknown>>;

/** Which columns matter, by their path or its last part. */
export interface ColumnOrder {
  /** The most important first; the others follow in their own order. */
  readonly columns?: readonly string[];
  /** Never shown, because another column says the same. */
  readonly hidden?: readonly string[];
}

interface Column {
  readonly heading: string;
  readonly texts: readonly string[];
  readonly right: boolean;
  /** Widths: of all that it holds, and that at which its heading is whole and its texts say something. */
  readonly full: number;
  readonly least: number;
}

/**
 * Records as aligned columns, within the terminal's width: headings are whole, long texts cut (paths in front, where
 * they say least), and the least important columns left out and named below. Objects inside become columns of their own.
 */
export function table(records: readonly Row[], style: Style, order: ColumnOrder = {}): string {
  if (records.length === 0) return "none\n";
  const rows = records.map((record) => flatten(record));
  const paths = orderColumns([...new Set(rows.flatMap((row) => [...row.keys()]))], order);
  const columns = paths.map((path) => columnOf(path, paths, rows));
  const shown = columns.slice(0, countFitting(columns, style.columns));
  const widths = fitWidths(shown, style.columns);
  const line = (texts: readonly string[]) =>
    shown
      .map(({ right }, index) => pad(texts[index] ?? "", widths[index] ?? 0, right))
      .join(GAP)
      .trimEnd();
  const head = dim(line(shown.map((column) => column.heading)), style);
  const body = rows.map((_, index) => line(shown.map((column) => column.texts[index] ?? "")));
  const left = columns.slice(shown.length).map(({ heading }) => heading);
  const note = left.length === 0 ? [] : [dim(`More with --json or a wider terminal: ${left.join(", ")}.`, style)];
  return `${[head, ...body, ...note].join("\n")}\n`;
}

function columnOf(path: string, paths: readonly string[], rows: readonly Map<string, unknown>[]): Column {
  const values = rows.map((row) => row.get(path));
  const texts = values.map((value) => formatCell(value, lastPart(path)));
  // A remote chooses the names, too.
  const heading = escapeControls(headingOf(path, paths));
  const full = texts.reduce((most, text) => Math.max(most, stringWidth(text)), stringWidth(heading));
  const least = Math.max(stringWidth(heading), Math.min(full, texts.some(isPath) ? READABLE_PATH : READABLE));
  return { heading, texts, right: values.some((value) => typeof value === "number"), full, least };
}

function orderColumns(paths: readonly string[], { columns = [], hidden = [] }: ColumnOrder): string[] {
  const place = (path: string, names: readonly string[]) =>
    names.findIndex((name) => name === path || name === lastPart(path));
  const rank = (path: string) => (place(path, columns) === -1 ? columns.length : place(path, columns));
  return paths.filter((path) => place(path, hidden) === -1).toSorted((a, b) => rank(a) - rank(b));
}

/** How many of the first columns have room side by side; one in any case. */
function countFitting(columns: readonly Column[], available: number): number {
  let used = 0;
  const over = columns.findIndex(({ least }) => {
    used += least + GAP.length;
    return used - GAP.length > available;
  });
  return over === -1 ? columns.length : Math.max(1, over);
}

/** Scalars by their path; objects are entered, lists are one value. */
function flatten(record: Row, prefix = ""): Map<string, unknown> {
  const found = new Map<string, unknown>();
  for (const [name, value] of Object.entries(record)) {
    if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      for (const [path, inner] of flatten(value as Row, `${prefix}${name}.`)) found.set(path, inner);
    } else found.set(prefix + name, value);
  }
  return found;
}

/** The last part of the path, unless two columns would share it. */
function headingOf(path: string, all: readonly string[]): string {
  const last = lastPart(path);
  return all.filter((other) => lastPart(other) === last).length > 1 ? path : last;
}

function lastPart(path: string): string {
  return path.slice(path.lastIndexOf(".") + 1);
}

/** Takes width from the widest columns that can give some until the line fits. */
function fitWidths(columns: readonly Column[], available: number): number[] {
  const fit = columns.map(({ full }) => full);
  let over = fit.reduce((sum, width) => sum + width, 0) + GAP.length * (fit.length - 1) - available;
  while (over > 0) {
    const spare = fit.map((width, index) => (width > (columns[index]?.least ?? 0) ? width : 0));
    const widest = Math.max(...spare);
    if (widest === 0) break;
    fit[spare.indexOf(widest)] = widest - 1;
    over -= 1;
  }
  // A single column may be wider than the terminal all the same.
  return columns.length === 1 ? [Math.max(1, Math.min(fit[0] ?? 1, available))] : fit;
}

function pad(text: string, width: number, right: boolean): string {
  const shown = truncate(text, width);
  const space = " ".repeat(Math.max(0, width - stringWidth(shown)));
  return right ? space + shown : shown + space;
}

/** Paths and addresses lose their beginning: they differ at the end. */
function truncate(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  const characters = [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment);
  return isPath(text)
    ? `…${takeWidth(characters.reverse(), width - 1)
        .reverse()
        .join("")}`
    : `${takeWidth(characters, width - 1).join("")}…`;
}

/** As many of the first characters as have room. */
function takeWidth(characters: readonly string[], width: number): string[] {
  let used = 0;
  const over = characters.findIndex((character) => {
    used += stringWidth(character);
    return used > width;
  });
  return characters.slice(0, over === -1 ? characters.length : over);
}

function isPath(text: string): boolean {
  return /^(?:~?\/|[A-Za-z]:\\|[a-z]+:\/\/)/.test(text);
}
