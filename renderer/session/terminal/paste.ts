/** Whether a paste needs a question first: without bracketed paste a shell would run every line of it at once. */
export function pasteNeedsConsent(text: string, bracketed: boolean): boolean {
  return !bracketed && linesOf(text).length > 1;
}

/** What the question shows: how many lines, and the first of them. */
export function pastePreview(text: string): {
  readonly count: number;
  readonly lines: readonly string[];
  readonly more: number;
} {
  const lines = linesOf(text);
  const shown = lines.slice(0, 4);
  return { count: lines.length, lines: shown, more: lines.length - shown.length };
}

/** A line break at the very end runs a line too, so it counts as one more only when something follows it. */
function linesOf(text: string): readonly string[] {
  const lines = text.split(/\r\n|\r|\n/);
  const ends = lines.length > 1 && lines.at(-1) === "";
  return ends && lines.length > 2 ? lines.slice(0, -1) : lines;
}
