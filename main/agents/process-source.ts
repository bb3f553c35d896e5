import type { ProcessInfo } from "./adapter.ts";

/** Looks at the processes below the given ones, in pre-order (a parent before its children), the given ones left out. */
export interface ProcessSource {
  below(roots: readonly number[]): Promise<ReadonlyMap<number, readonly ProcessInfo[]>>;
}
