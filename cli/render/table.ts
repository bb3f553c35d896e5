import stringWidth from "string-width";
import { isRecord } from "../../core/protocol/json-value.ts";
import { escapeControls, formatCell } from "./cell.ts";
import { dim } from "./colour.ts";
import type { Style } from "./io.ts";

const GAP = "  ";
/** Narrower than this no text is cut, where the terminal is wide enough for one such column at all. */
const READABLE = 10;
const READABLE_PATH = 24;
/** What a person can read, and is laid out in well under a second: a remote chooses how many rows and names there are. */
const MOST_ROWS = 10_000;
const MOST_COLUMNS = 200;
const MOST_CELLS = 100_000;
/** Longest text of a cell that is laid out, in UTF-16 code units; no terminal is as wide. */
const MOST_TEXT = 2000;
/** Columns without room that are named. */
const MOST_NAMED = 40;

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
  const flat = records.slice(0, MOST_ROWS).map((record) => flatten(record));
  const found = orderColumns([...new Set(flat.flatMap((row) => [...row.keys()]))], order);
  const paths = found.slice(0, MOST_COLUMNS);
  const rows = flat.slice(0, Math.ceil(MOST_CELLS / Math.max(1, paths.length)));
  const shared = sharedLastParts(paths);
  const columns = paths.map((path) => columnOf(path, shared, rows));
  const shown = columns.slice(0, countFitting(columns, style.columns));
  const widths = fitWidths(shown, style.columns);
  const line = (texts: readonly string[]) =>
    shown
      .map(({ right }, index) => pad(texts[index] ?? "", widths[index] ?? 0, right))
      .join(GAP)
      .trimEnd();
  const head = dim(line(shown.map((column) => column.heading)), style);
  const body = rows.map((_, index) => line(shown.map((column) => column.texts[index] ?? "")));
  return `${[head, ...body, ...notes().map((note) => dim(note, style))].join("\n")}\n`;

  /** What is not shown. */
  function notes(): string[] {
    const left = columns.slice(shown.length).map(({ heading }) => heading);
    const named = left.slice(0, MOST_NAMED);
    const others = left.length - named.length + found.length - paths.length;
    const names = others === 0 ? named.join(", ") : `${named.join(", ")}, and ${others} others`;
    const rest = records.length - rows.length;
    return [
      ...(left.length === 0 ? [] : [`More with --json or a wider terminal: ${names}.`]),
      ...(rest === 0 ? [] : [`${rest} more row${rest === 1 ? "" : "s"} with --json.`]),
    ];
  }
}

function columnOf(path: string, shared: ReadonlySet<string>, rows: readonly Map<string, unknown>[]): Column {
  const values = rows.map((row) => row.get(path));
  const texts = values.map((value) => clip(formatCell(value, lastPart(path))));
  // A remote chooses the names, too.
  const heading = escapeControls(headingOf(path, shared));
  const full = texts.reduce((most, text) => Math.max(most, stringWidth(text)), stringWidth(heading));
  const least = Math.max(stringWidth(heading), Math.min(full, texts.some(isPath) ? READABLE_PATH : READABLE));
  return { heading, texts, right: values.some((value) => typeof value === "number"), full, least };
}

function orderColumns(paths: readonly string[], { columns = [], hidden = [] }: ColumnOrder): string[] {
  const place = (path: string, names: readonly string[]) =>
    names.findIndex((name) => name === path || name === lastPart(path));
  const shown = paths.filter((path) => place(path, hidden) === -1);
  const first = shown.filter((path) => place(path, columns) !== -1);
  const others = shown.filter((path) => place(path, columns) === -1);
  return [...first.toSorted((a, b) => place(a, columns) - place(b, columns)), ...others];
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
function flatten(record: Row, prefix = "", found = new Map<string, unknown>()): Map<string, unknown> {
  for (const [name, value] of Object.entries(record)) {
    if (isRecord(value)) flatten(value, `${prefix}${name}.`, found);
    else found.set(prefix + name, value);
  }
  return found;
}

/** The last part of the path, unless two columns would share it. */
function headingOf(path: string, shared: ReadonlySet<string>): string {
  const last = lastPart(path);
  return shared.has(last) ? path : last;
}

function sharedLastParts(paths: readonly string[]): Set<string> {
  const [seen, shared] = [new Set<string>(), new Set<string>()];
  for (const last of paths.map(lastPart)) (seen.has(last) ? shared : seen).add(last);
  return shared;
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

/** Cuts a text that is longer than can be shown as `truncate` would go on to: a path in front. */
function clip(text: string): string {
  if (text.length <= MOST_TEXT) return text;
  return isPath(text) ? `/${text.slice(-MOST_TEXT)}` : text.slice(0, MOST_TEXT);
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
