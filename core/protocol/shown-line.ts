import { visibleText } from "./visible-text.ts";

/**
 * Returns the beginning of a text of a program or another person as it is shown to the user where there is one line for it:
 * in a title, a menu, or before they act on it. Without characters that hide or turn the rest.
 *
 * @param longest most UTF-16 units that are shown
 */
export function shownLine(text: string, longest: number): string {
  // A program may send megabytes.
  const line = visibleText(text.slice(0, longest * 4)).replace(/\s+/g, " ");
  return line.length > longest || text.length > longest * 4 ? `${firstUnits(line, longest - 1)}…` : line;
}

/** Returns the start of a text in at most so many UTF-16 units, without a half of a character at its end. */
export function firstUnits(text: string, longest: number): string {
  return text.slice(0, longest).replace(/[\ud800-\udbff]$/, "");
}
