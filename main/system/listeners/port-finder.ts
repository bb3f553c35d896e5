import { basename } from "node:path";
import type { ShellId } from "../../../core/protocol/ids.ts";
import type { ProcessSource } from "../processes/process-source.ts";
import { processSource } from "../processes/processes.ts";
import { LibraryListeners } from "./library-listeners.ts";
import { LinuxListeners } from "./linux-listeners.ts";
import type { ListenerSource } from "./listener-source.ts";
import type { FoundPort, ListeningPorts, ShellProcess } from "./listening-ports.ts";
import { loopbackAddresses } from "./loopback-addresses.ts";
import { LsofListeners } from "./lsof-listeners.ts";

/** Finds the ports that the processes of shells listen on, one entry per port. */
export class PortFinder implements ListeningPorts {
  readonly #processes: ProcessSource;
  readonly #listeners: ListenerSource;

  /** `procRoot` is for tests. */
  constructor(procRoot?: string) {
    this.#processes = processSource(procRoot, { anyTerminal: true });
    this.#listeners = listenerSource(procRoot);
  }

  /** Leaves out ports that are reachable from other machines only. */
  async find(shells: readonly ShellProcess[]): Promise<readonly FoundPort[]> {
    if (shells.length === 0) return [];
    const roots = shells.map(({ pid }) => pid);
    const below = await this.#processes.below(roots);
    const owners = new Map<number, { shellId: ShellId; name: () => string }>();
    for (const { id: shellId, pid, program } of shells) {
      // A program may have taken the shell's own place (`exec`).
      owners.set(pid, { shellId, name: () => program });
      for (const one of below.get(pid) ?? []) {
        owners.set(one.pid, { shellId, name: () => basename(one.argv()[0] ?? "") || one.comm });
      }
    }
    const found = new Map<number, FoundPort>();
    for (const { pid, port, address } of await this.#listeners.listenersOf([...owners.keys()], roots)) {
      const owner = owners.get(pid);
      const addresses = loopbackAddresses(address);
      const known = found.get(port);
      if (owner === undefined || addresses.length === 0) continue;
      if (known === undefined) found.set(port, { port, shellId: owner.shellId, process: owner.name(), addresses });
      else if (known.shellId === owner.shellId) {
        found.set(port, { ...known, addresses: [...new Set([...known.addresses, ...addresses])] });
      }
    }
    return [...found.values()];
  }
}

function listenerSource(procRoot: string | undefined): ListenerSource {
  if (procRoot !== undefined || process.platform === "linux") return new LinuxListeners(procRoot ?? "/proc");
  return process.platform === "win32" ? new LibraryListeners() : new LsofListeners();
}
