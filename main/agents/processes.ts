import { LibraryProcesses } from "./library-processes.ts";
import { LinuxProcesses } from "./linux-processes.ts";
import type { ProcessSource } from "./process-source.ts";
import { PsProcesses } from "./ps-processes.ts";

/**
 * Linux has everything in /proc, macOS most of it in `ps`; Windows takes a library. `procRoot` is for tests;
 * `anyTerminal` goes into processes without their shell's terminal, too.
 */
export function processSource(procRoot?: string, options: { readonly anyTerminal?: boolean } = {}): ProcessSource {
  if (procRoot !== undefined || process.platform === "linux") return new LinuxProcesses(procRoot ?? "/proc", options);
  return process.platform === "win32" ? new LibraryProcesses() : new PsProcesses(options);
}
