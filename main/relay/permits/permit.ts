import type { ShellId } from "../../../core/protocol/ids.ts";
import type { Principal } from "../keys.ts";

/** What a caller may do less than the session's owner. */
export interface Permit {
  /** How refusals call the caller. */
  readonly caller: "A shell's token" | "This key";
  readonly readOnly: boolean;
  /** Patterns of the methods that it may call; undefined for all. */
  readonly methods: readonly string[] | undefined;
  /** It may change only what is its own; undefined for everything. */
  readonly own: Own | undefined;
}

/** Whose own things are meant. */
export interface Own {
  /** As `Shell.makers` names it: what it made is its own, and what that made in turn. */
  readonly maker: string;
  /** The shell that is its own from the beginning. */
  readonly shell: ShellId | undefined;
}

/** The permit of a caller; undefined where nothing is restricted. */
export function permitOf({ shell, key, restrictions = {} }: Principal): Permit | undefined {
  if (shell !== undefined) {
    const own = { maker: shellMaker(shell), shell };
    return { caller: "A shell's token", readOnly: false, methods: undefined, own };
  }
  const { readOnly = false, ownShells = false, methods } = restrictions;
  if (!readOnly && !ownShells && methods === undefined) return undefined;
  const own = ownShells && key !== undefined ? { maker: `key:${key}`, shell: undefined } : undefined;
  return { caller: "This key", readOnly, methods, own };
}

/** How a shell is named among the makers of the shells and tiles that its programs make. */
export function shellMaker(shell: ShellId): string {
  return `shell:${shell}`;
}
