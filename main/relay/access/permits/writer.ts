import type { ShellId } from "../../../../core/protocol/ids.ts";
import type { Lifetime } from "../../../../core/protocol/lifetime.ts";
import type { Principal } from "../keys.ts";
import { accountOf } from "./permit.ts";

/** A caller as a writer into shells. */
export interface Writer {
  /** Name under which what it uses is counted; the same for every call with its credential. */
  readonly account: string;
  /** Name for people. */
  readonly name: string;
  /** The shell that it runs in. */
  readonly shell?: ShellId | undefined;
  /** It is a program: a shell's token, or a key for automation. */
  readonly isAutomated: boolean;
  /** How long its credential is valid; absent for a caller of this process. */
  readonly lifetime?: Lifetime | undefined;
}

/** Returns a caller as a writer. */
export function writerOf(principal: Principal, lifetime: Lifetime | undefined): Writer {
  const { shell, keyName, user, restrictions } = principal;
  return {
    account: accountOf(principal),
    name: shell === undefined ? (keyName ?? user) : `shell ${shell}`,
    isAutomated: shell !== undefined || restrictions?.automation === true,
    shell,
    lifetime,
  };
}

/** Returns whether a writer has a key for automation, as opposed to the token of a shell. */
export function isAutomationKey(writer: Writer | undefined): boolean {
  return writer?.isAutomated === true && writer.shell === undefined;
}

/** Returns a caller as a writer if it is a program; undefined for one that may be a person. */
export function programOf(principal: Principal, lifetime: Lifetime | undefined): Writer | undefined {
  const writer = writerOf(principal, lifetime);
  return writer.isAutomated ? writer : undefined;
}
