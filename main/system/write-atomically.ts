import { renameSync, rmSync, writeFileSync } from "node:fs";

/** Replaces a file in one step, readable by this user only. Throws the system's error and leaves nothing behind. */
export function writeAtomically(file: string, text: string): void {
  const draft = `${file}.${process.pid}`;
  try {
    writeFileSync(draft, text, { mode: 0o600 });
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}
