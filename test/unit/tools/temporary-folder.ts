import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";

/** A folder that vanishes with the test that asks for it. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "patchbay-scripts-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
