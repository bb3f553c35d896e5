import { randomBytes } from "node:crypto";
import { renameSync, rmSync, writeFileSync } from "node:fs";

/**
 * Replaces a file in one step: after a crash of the machine too, it is whole, old or new. A link in its place is replaced,
 * not followed.
 *
 * @param mode - permissions of the new file; default: readable by this user only
 * @throws the system's error; nothing is left behind
 */
export function writeAtomically(file: string, text: string, mode = 0o600): void {
  const draft = `${file}.${randomBytes(6).toString("hex")}`;
  try {
    // Exclusively: in a folder that others can write to, a link could wait under the draft's name.
    writeFileSync(draft, text, { mode, flush: true, flag: "wx" });
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}
