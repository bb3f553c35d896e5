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
  const shown = line.slice(0, longest - 1).replace(/[\ud800-\udbff]$/, "");
  return line.length > longest || text.length > longest * 4 ? `${shown}…` : line;
}
