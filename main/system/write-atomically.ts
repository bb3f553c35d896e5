import { renameSync, rmSync, writeFileSync } from "node:fs";

/**
 * Replaces a file in one step, readable by this user only: after a crash of the machine too, it is whole, old or new.
 *
 * @throws the system's error; nothing is left behind
 */
export function writeAtomically(file: string, text: string): void {
  const draft = `${file}.${process.pid}`;
  try {
    writeFileSync(draft, text, { mode: 0o600, flush: true });
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}
