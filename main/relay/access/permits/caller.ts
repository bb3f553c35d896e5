import type { ShellId } from "../../../../core/protocol/ids.ts";
import type { Lifetime } from "../../../../core/protocol/lifetime.ts";
import type { FleetPeer } from "../../net/fleet-peer.ts";
import type { Principal } from "../keys.ts";
import { accountOf, type Permit } from "./permit.ts";

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
  /** How long it may go on: as long as its credential is valid; absent for a caller of this process. */
  readonly lifetime?: Lifetime | undefined;
}

/** Who asks the relay for something: the holder of a credential, the relay's own user, or a client of a session. */
export interface Caller extends Writer {
  readonly principal: Principal;
  /** Network address; the entry point, such as `panel`, for a caller in this process. */
  readonly from: string;
  /** The relay of the fleet that passed the call on. */
  readonly peer?: FleetPeer | undefined;
  /** Its limits, determined for each call; undefined for a caller with all rights of the owner, or of its client's role. */
  readonly permit?: Permit | undefined;
  /**
   * Set for what a client does on its own account, and for what is pressed in the app's panel. Both are taken for what a
   * person does; everything else is a program's.
   */
  readonly isPerson?: boolean;
}

/** Returns the caller with a credential. */
export function callerOf(
  principal: Principal,
  { from, peer, lifetime }: Pick<Caller, "from" | "peer" | "lifetime">,
): Caller {
  const { shell, keyName, user, restrictions } = principal;
  return {
    principal,
    from,
    peer,
    lifetime,
    account: accountOf(principal),
    name: shell === undefined ? (keyName ?? user) : `shell ${shell}`,
    shell,
    isAutomated: shell !== undefined || restrictions?.automation === true,
  };
}

/** Returns the user of this machine, who needs no credential in this process. @param from name of the entry point */
export function userCaller(user: string, from: string): Caller {
  return callerOf({ user, scheme: "api", scopes: [] }, { from });
}
