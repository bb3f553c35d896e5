/** Reports whether a paste needs confirmation: without bracketed paste a shell runs every line at once. */
export function pasteNeedsConfirmation(text: string, bracketed: boolean): boolean {
  return !bracketed && linesOf(text).length > 1;
}

/** Returns the number of lines and the first four, for the confirmation. */
export function pastePreview(text: string): {
  readonly count: number;
  readonly lines: readonly string[];
  readonly more: number;
} {
  const lines = linesOf(text);
  const shown = lines.slice(0, 4);
  return { count: lines.length, lines: shown, more: lines.length - shown.length };
}

/** Splits text into lines. A trailing line break after several lines does not count as another line. */
function linesOf(text: string): readonly string[] {
  const lines = text.split(/\r\n|\r|\n/);
  const ends = lines.length > 1 && lines.at(-1) === "";
  return ends && lines.length > 2 ? lines.slice(0, -1) : lines;
}

/** Maximum length of a text that a program offers to the clipboard. */
const MAX_TEXT_LENGTH = 1_000_000;

/**
 * Returns the text that an OSC 52 sequence copies to the clipboard. Undefined for a query (`?`), which would reveal the
 * clipboard to programs in the terminal and is never answered, and for anything but base64-encoded UTF-8.
 */
export function parseClipboardRequest(data: string): string | undefined {
  const separator = data.indexOf(";");
  const payload = data.slice(separator + 1);
  if (separator === -1 || payload === "" || payload === "?" || payload.length > (MAX_TEXT_LENGTH * 4) / 3)
    return undefined;
  try {
    const bytes = Uint8Array.from(atob(payload), (character) => character.charCodeAt(0));
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
