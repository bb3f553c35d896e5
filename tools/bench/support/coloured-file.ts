import { writeFileSync } from "node:fs";
import { join } from "node:path";

export const COLOURED_LINE =
  "\u001b[32mgreen\u001b[0m some words and \u001b[38;5;200mpink\u001b[0m 0123456789 the quick brown fox\n";

/** Least number of bytes that a terminal receives for the file: each newline becomes two. */
export const COLOURED_BYTES = 84_000_000;

/** Writes that many bytes of coloured text to a file in the folder and returns the file's name. */
export function colouredFile(folder: string, bytes = COLOURED_BYTES): string {
  writeFileSync(join(folder, "coloured"), COLOURED_LINE.repeat(Math.ceil(bytes / COLOURED_LINE.length)));
  return "coloured";
}
