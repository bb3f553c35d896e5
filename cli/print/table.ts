import stringWidth from "string-width";
import type { Style } from "../io.ts";
import { cell } from "./cell.ts";
import { dim } from "./colour.ts";

const GAP = "  ";
const NARROWEST = 6;

type Row = Readonly<Record<string, unknown>>;

/** Records as aligned columns, cut to the terminal's width. Objects inside become columns of their own. */
export function table(records: readonly Row[], style: Style): string {
  if (records.length === 0) return "none\n";
  const rows = records.map((record) => flat(record));
  const paths = [...new Set(rows.flatMap((row) => [...row.keys()]))];
  const columns = paths.map((path) => {
    const values = rows.map((row) => row.get(path));
    const texts = values.map((value) => cell(value, lastPart(path)));
    const heading = heads(path, paths);
    const width = Math.max(...[heading, ...texts].map((text) => stringWidth(text)));
    return { heading, texts, width, right: values.some((value) => typeof value === "number") };
  });
  const widths = fitted(
    columns.map((column) => column.width),
    style.columns,
  );
  const line = (texts: readonly string[]) =>
    columns
      .map(({ right }, index) => padded(texts[index] ?? "", widths[index] ?? 0, right))
      .join(GAP)
      .trimEnd();
  const head = dim(line(columns.map((column) => column.heading)), style);
  const body = rows.map((_, index) => line(columns.map((column) => column.texts[index] ?? "")));
  return `${[head, ...body].join("\n")}\n`;
}

/** Scalars by their path; objects are entered, lists are one value. */
function flat(record: Row, prefix = ""): Map<string, unknown> {
  const found = new Map<string, unknown>();
  for (const [name, value] of Object.entries(record)) {
    if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      for (const [path, inner] of flat(value as Row, `${prefix}${name}.`)) found.set(path, inner);
    } else found.set(prefix + name, value);
  }
  return found;
}

/** The last part of the path, unless two columns would share it. */
function heads(path: string, all: readonly string[]): string {
  const last = lastPart(path);
  return all.filter((other) => lastPart(other) === last).length > 1 ? path : last;
}

function lastPart(path: string): string {
  return path.slice(path.lastIndexOf(".") + 1);
}

/** Takes width from the widest columns until the line fits, or all are as narrow as they may be. */
function fitted(widths: readonly number[], available: number): number[] {
  const fit = [...widths];
  let over = fit.reduce((sum, width) => sum + width, 0) + GAP.length * (fit.length - 1) - available;
  while (over > 0) {
    const widest = Math.max(...fit);
    if (widest <= NARROWEST) break;
    fit[fit.indexOf(widest)] = widest - 1;
    over -= 1;
  }
  return fit;
}

function padded(text: string, width: number, right: boolean): string {
  const shown = cut(text, width);
  const space = " ".repeat(Math.max(0, width - stringWidth(shown)));
  return right ? space + shown : shown + space;
}

function cut(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  let kept = "";
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (stringWidth(kept + segment) > width - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}
