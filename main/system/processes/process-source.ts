/** What the operating system says about one process. The functions read on demand and answer "nothing" when it is gone. */
export interface ProcessInfo {
  readonly pid: number;
  readonly ppid: number;
  readonly pgrp: number;
  /** Device number (or name) of the controlling terminal; "" for none. */
  readonly tty: string;
  /** Names this process among all that ever had its pid; on Linux field 22 of /proc/pid/stat. */
  readonly startKey: string;
  /** Milliseconds since the epoch, exact to about 20 ms on Linux and a second elsewhere. */
  readonly startedAt: number;
  readonly stopped: boolean;
  readonly comm: string;
  argv(): readonly string[];
  exe(): string;
  /** Size of the program file in bytes, 0 when unknown. */
  exeSize(): number;
  cwd(): string | undefined;
  env(name: string): string | undefined;
  openFiles(): readonly string[];
}

export interface ProcessOptions {
  /** Goes into processes without their shell's terminal, too. */
  readonly anyTerminal?: boolean;
  /** The given processes are looked at as well. */
  readonly withRoots?: boolean;
}

/**
 * Looks at the processes below the given ones, in pre-order (a parent before its children), the given ones left out
 * unless `withRoots`, or for those in `itself`: programs that run in place of a shell. One that cannot be looked at is missing in the answer.
 */
export interface ProcessSource {
  /** Names the process that was started last on the machine, where that is cheap to ask: another answer, new processes. */
  newest?(): string | undefined;
  below(roots: readonly number[], itself?: ReadonlySet<number>): Promise<ReadonlyMap<number, readonly ProcessInfo[]>>;
}
