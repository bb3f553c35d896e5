import { closeSync, openSync, readSync } from "node:fs";

/**
 * Reads a file of /proc by one read, without asking for its size, which is 0: as much as fits into the buffer. Returns ""
 * for a file of a process that has ended or is not readable.
 */
export function readProcFile(path: string, buffer: Buffer): string {
  try {
    const file = openSync(path, "r");
    try {
      return buffer.toString("utf8", 0, readSync(file, buffer, 0, buffer.length, 0));
    } finally {
      closeSync(file);
    }
  } catch {
    return "";
  }
}
