import type { SearchHit } from "../../../core/protocol/history-search.ts";
import type { SearchPattern } from "../../../core/protocol/search-pattern.ts";
import { redactSecrets } from "../../system/redact-secrets.ts";
import { textOf } from "./text-docs.ts";

/** Characters of a line that are shown. */
const MAX_LINE = 500;
/** Of a longer line, so many are shown before what was found. */
const LEAD = 100;
const CONTEXT_LINES = 2;
/** Lines at the beginning of a document that may be the rest of a secret that a program broke over lines. */
const REST_LINES = 8;

type FoundText = Pick<SearchHit, "offset" | "line" | "from" | "length" | "before" | "after">;

/** A document in the output around it, by offsets. */
interface DocPlace {
  /** Where the output begins, outside of an escape sequence: at the document or before it. */
  readonly start: number;
  readonly begins: number;
  /** What is found at this offset or later is left to the next document. */
  readonly ends: number;
}

/** Finds a pattern in a document; its secrets are hidden. */
export function hitsIn(
  bytes: Buffer,
  { start, begins, ends, pattern }: DocPlace & { readonly pattern: SearchPattern },
): FoundText[] {
  const own = textOf(bytes.subarray(begins - start), begins);
  // Most documents that the index names do not have it; looking for secrets takes far longer.
  const first = pattern.matches(own.text)[Symbol.iterator]().next();
  if (first.done === true) return [];
  const isWhole = start === begins || hasLinesBefore(own.text, first.value.index, REST_LINES + CONTEXT_LINES);
  const { text: printed, offsetOf } = isWhole ? own : textOf(bytes, start);
  const text = redactSecrets(printed);
  const found: FoundText[] = [];
  let lineEnd = -1;
  for (const match of pattern.matches(text)) {
    // One hit of a line is enough.
    if (match.index < lineEnd) continue;
    const offset = offsetOf(match.index);
    if (offset < begins) continue;
    if (offset >= ends) break;
    const [hit, end] = describe(text, match.index, match.length);
    lineEnd = end;
    found.push({ offset, ...hit });
  }
  return found.reverse();
}

/** Returns whether so many lines stand before a place. */
function hasLinesBefore(text: string, at: number, count: number): boolean {
  let newline = -1;
  for (let lines = 0; lines < count; lines++) {
    newline = text.indexOf("\n", newline + 1);
    if (newline < 0 || newline >= at) return false;
  }
  return true;
}

/** Returns a hit in the text around it, and the end of its line. */
export function describe(text: string, at: number, length: number): [Omit<FoundText, "offset">, number] {
  const lineStart = text.lastIndexOf("\n", at - 1) + 1;
  const newline = text.indexOf("\n", at);
  const lineEnd = newline < 0 ? text.length : newline;
  const from = Math.max(lineStart, Math.min(at - LEAD, lineEnd - MAX_LINE));
  const line = clean(text.slice(from, Math.min(lineEnd, from + MAX_LINE)));
  const lead = clean(text.slice(from, at)).length;
  const found = { line, from: lead, length: Math.min(length, line.length - lead) };
  return [{ ...found, before: linesBefore(text, lineStart), after: linesAfter(text, lineEnd) }, lineEnd];
}

/** Returns the last lines before a line that starts there. */
function linesBefore(text: string, lineStart: number): string[] {
  const lines: string[] = [];
  for (let start = lineStart; start > 0 && lines.length < CONTEXT_LINES; ) {
    const end = start - 1;
    start = end === 0 ? 0 : text.lastIndexOf("\n", end - 1) + 1;
    lines.unshift(clean(text.slice(start, Math.min(end, start + MAX_LINE))));
  }
  return lines;
}

/** Returns the first lines after a line that ends there. */
function linesAfter(text: string, lineEnd: number): string[] {
  const lines: string[] = [];
  for (let end = lineEnd; end < text.length && lines.length < CONTEXT_LINES; ) {
    const start = end + 1;
    const newline = text.indexOf("\n", start);
    end = newline < 0 ? text.length : newline;
    lines.push(clean(text.slice(start, Math.min(end, start + MAX_LINE))));
  }
  return lines;
}

/** Without control characters, which could act on what shows the line. */
function clean(text: string): string {
  return text.replace(/[\p{Cc}\p{Bidi_C}]/gu, "");
}
