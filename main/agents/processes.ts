import type { ProcessInfo } from "./adapter.ts";
import { LibraryProcesses } from "./library-processes.ts";
import { LinuxProcesses } from "./linux-processes.ts";
import { PsProcesses } from "./ps-processes.ts";

/** Looks at the processes below the given ones, in pre-order (a parent before its children), the given ones left out. */
export interface ProcessSource {
  below(roots: readonly number[]): Promise<ReadonlyMap<number, readonly ProcessInfo[]>>;
}

/** Linux has everything in /proc, macOS most of it in `ps`; Windows takes a library. `procRoot` is for tests. */
export function processSource(procRoot?: string): ProcessSource {
  if (procRoot !== undefined || process.platform === "linux") return new LinuxProcesses(procRoot ?? "/proc");
  return process.platform === "win32" ? new LibraryProcesses() : new PsProcesses();
}
