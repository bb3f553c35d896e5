import type { ProcessInfo } from "./adapter.ts";

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
