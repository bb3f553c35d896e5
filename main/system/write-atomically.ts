import { randomBytes } from "node:crypto";
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";

interface WriteOptions {
  /** Permissions of the new file; default: readable by this user only. */
  readonly mode?: number | undefined;
  /**
   * Whether the file is whole after a crash of the machine too (default). Not needed for what is only true while a process
   * runs, if its readers take an empty file for none: waiting for the disk is slow.
   */
  readonly synced?: boolean;
}

/**
 * Replaces a file in one step: it is whole, old or new. A link in its place is replaced, not followed.
 *
 * @throws the system's error; nothing is left behind
 */
export function writeAtomically(file: string, text: string, { mode = 0o600, synced = true }: WriteOptions = {}): void {
  const draft = `${file}.${randomBytes(6).toString("hex")}`;
  try {
    // Exclusively: in a folder that others can write to, a link could wait under the draft's name.
    writeFileSync(draft, text, { mode, flush: synced, flag: "wx" });
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/**
 * Writes a file as `writeAtomically` does, unless it holds the text already.
 *
 * @throws the system's error; nothing is left behind
 */
export function writeIfOther(file: string, text: string, options: Pick<WriteOptions, "mode"> = {}): void {
  if (readIfAny(file) !== text) writeAtomically(file, text, options);
}

function readIfAny(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}
