import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Stops } from "./stops.mjs";

/** A folder that goes away with the benchmark. */
export function temporaryFolder(stops: Stops): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "patchbay-bench-")));
  // A program that has just been ended may write its last line there.
  stops.add(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }));
  return folder;
}
