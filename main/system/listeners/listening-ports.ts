import type { ShellId } from "../../../core/protocol/ids.ts";

/** A shell, by the process that runs in its terminal. */
export interface ShellProcess {
  readonly id: ShellId;
  readonly pid: number;
  /** Name of the program that was started in the terminal. */
  readonly program: string;
}

/** A TCP port that a program in a shell listens on. */
export interface FoundPort {
  readonly port: number;
  readonly shellId: ShellId;
  /** Name of the program. */
  readonly process: string;
  /** Its loopback addresses, most reliable first; never empty. */
  readonly addresses: readonly string[];
}

/** Finds the ports that the processes at and below shells listen on; one entry per port. */
export interface ListeningPorts {
  find(shells: readonly ShellProcess[]): Promise<readonly FoundPort[]>;
}
