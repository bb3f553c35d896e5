import { writeFileSync } from "node:fs";
import { join } from "node:path";

export const COLOURED_LINE =
  "\u001b[32mgreen\u001b[0m some words and \u001b[38;5;200mpink\u001b[0m 0123456789 the quick brown fox\n";

/** Bytes of the whole file as a terminal gets them, at the least: each line's end becomes two. */
export const COLOURED_BYTES = 84_000_000;

/** Writes coloured text of so many bytes into a folder; answers the file's name there. */
export function colouredFile(folder: string, bytes = COLOURED_BYTES): string {
  writeFileSync(join(folder, "coloured"), COLOURED_LINE.repeat(Math.ceil(bytes / COLOURED_LINE.length)));
  return "coloured";
}
