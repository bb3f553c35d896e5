import stringWidth from "string-width";
import { visibleText } from "../../core/protocol/visible-text.ts";

const TAB = "    ";
const PLAIN = /^[\x20-\x7e]*$/;

/** Returns text of an agent without what could move the cursor, or hide or turn text. Line breaks stay. */
export function cleanText(text: string): string {
  return visibleText(text.replaceAll("\t", TAB));
}

/** Returns the lines of a text, each at most `width` columns wide: broken at spaces where there are some. */
export function wrapText(text: string, width: number): string[] {
  return text.split("\n").flatMap((line) => wrapLine(line, Math.max(width, 2)));
}

function wrapLine(line: string, width: number): string[] {
  const lines: string[] = [];
  let rest = line;
  while (!fits(rest, width)) {
    const end = PLAIN.test(rest) ? width : endOfColumns(rest, width);
    const space = rest.lastIndexOf(" ", end);
    const at = space > end / 2 ? space + 1 : end;
    lines.push(rest.slice(0, at).trimEnd());
    rest = rest.slice(at);
  }
  return [...lines, rest];
}

function fits(text: string, width: number): boolean {
  if (text.length <= width && PLAIN.test(text)) return true;
  return text.length < width * MOST_UNITS_PER_COLUMN && stringWidth(text) <= width;
}

/** Characters are never split. A text of combining marks alone is cut too. */
const MOST_UNITS_PER_COLUMN = 20;
const segmenter = new Intl.Segmenter();

function endOfColumns(text: string, width: number): number {
  let [columns, end] = [0, 0];
  for (const { segment, index } of segmenter.segment(text.slice(0, width * MOST_UNITS_PER_COLUMN))) {
    columns += stringWidth(segment);
    if (columns > width && end > 0) return end;
    end = index + segment.length;
  }
  return Math.max(end, 1);
}

/** Joins the lines of a text with a space between them, without the white space around each. */
export function oneLine(text: string): string {
  const lines = text.split("\n").map((line) => line.trim());
  return lines.filter((line) => line !== "").join(" ");
}
