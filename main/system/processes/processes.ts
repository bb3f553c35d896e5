import { LibraryProcesses } from "./library-processes.ts";
import { LinuxProcesses } from "./linux-processes.ts";
import type { ProcessOptions, ProcessSource } from "./process-source.ts";
import { PsProcesses } from "./ps-processes.ts";

/**
 * Linux has everything in /proc, macOS most of it in `ps`; Windows takes a library. `procRoot` is for tests.
 */
export function processSource(procRoot?: string, options: ProcessOptions = {}): ProcessSource {
  if (procRoot !== undefined || process.platform === "linux") return new LinuxProcesses(procRoot ?? "/proc", options);
  return process.platform === "win32" ? new LibraryProcesses(options) : new PsProcesses(options);
}
