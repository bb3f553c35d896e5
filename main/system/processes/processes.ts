import { LibraryProcesses } from "./library-processes.ts";
import { LinuxProcesses } from "./linux-processes.ts";
import type { ProcessOptions, ProcessSource } from "./process-source.ts";
import { PsProcesses } from "./ps-processes.ts";

/** Returns the platform's source: /proc on Linux, `ps` on macOS, a library on Windows. `procRoot` is for tests. */
export function processSource(procRoot?: string, options: ProcessOptions = {}): ProcessSource {
  if (procRoot !== undefined || process.platform === "linux") return new LinuxProcesses(procRoot ?? "/proc", options);
  return process.platform === "win32" ? new LibraryProcesses(options) : new PsProcesses(options);
}
