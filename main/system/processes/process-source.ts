/** A process. The methods read on demand and return nothing when it has ended. */
export interface ProcessInfo {
  readonly pid: number;
  readonly ppid: number;
  readonly pgrp: number;
  /** Device number (or name) of the controlling terminal; "" for none. */
  readonly tty: string;
  /** Distinguishes this process from others with its pid; on Linux field 22 of /proc/pid/stat. */
  readonly startKey: string;
  /** Milliseconds since the epoch, exact to about 20 ms on Linux and a second elsewhere. */
  readonly startedAt: number;
  readonly stopped: boolean;
  readonly comm: string;
  /** Pid of the first process of the pane of tmux that it runs in; absent outside of tmux. */
  readonly pane?: number | undefined;
  /** What it cost when it was listed; absent where that takes another look. */
  readonly cost?: { readonly cpuTicks: number; readonly residentPages: number } | undefined;
  /** Empty also while its program begins. */
  argv(): readonly string[];
  exe(): string;
  /** Size of the program file in bytes, 0 when unknown. */
  exeSize(): number;
  cwd(): string | undefined;
  env(name: string): string | undefined;
  openFiles(): readonly string[];
  /**
   * For a process that sees other files than this one, such as in a container: returns a function that tells where a folder
   * of it is here, undefined where it is not to be seen.
   */
  foreignFiles?(): ((folder: string) => string | undefined) | undefined;
}

export interface ProcessOptions {
  /** Include processes without their shell's terminal. */
  readonly anyTerminal?: boolean;
  /** Include the given processes. */
  readonly withRoots?: boolean;
}

/**
 * Lists the processes below the given ones, in pre-order (a parent before its children). The given ones are left out
 * unless `withRoots`. A root that cannot be read is missing from the result.
 */
export interface ProcessSource {
  /** Identifies the newest process of the machine, where that is cheap: a changed value means new processes. */
  newest?(): string | undefined;
  below(roots: readonly number[]): Promise<ReadonlyMap<number, readonly ProcessInfo[]>>;
}
