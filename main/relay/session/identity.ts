import type { ClientId } from "../../../core/protocol/ids.ts";
import type { Lifetime } from "../../../core/protocol/lifetime.ts";
import type { Role } from "../../../core/protocol/records.ts";
import type { Principal } from "../access/keys.ts";
import { type Caller, callerOf } from "../access/permits/caller.ts";

/** The identity with which a client joins a session: decided by its credential, never by the client. */
export interface Identity {
  readonly name: string;
  readonly role: Role;
  /** Fixed place of the client (`desktop`), which keeps its id and state over restarts. */
  readonly place?: string;
  /** Id of the guest (main/relay/access/guests.ts), whose role and admission may change; absent for the session's owner. */
  readonly guest?: string;
  /** Network address; absent for a client of this process. */
  readonly from?: string;
  /** Owner of the key that the client connected with; absent for a guest and for a client of this process. */
  readonly principal?: Principal;
  /** Name under which what the client uses is counted; absent for a client that is counted by itself. */
  readonly account?: string;
  /** How long the credential is valid: the client is disconnected at its end. Absent for a client of this process. */
  readonly lifetime?: Lifetime | undefined;
}

/** Returns what a connection authenticated with: the guest's cookie, a key, or the process itself. */
export function credentialOf({ guest, principal, name }: Identity): string {
  if (guest !== undefined) return `guest ${guest}`;
  return principal?.key === undefined ? `process ${name}` : `key ${principal.key}`;
}

/** Returns a client as the caller of what it does on its own account. */
export function clientCaller(
  { principal, name, guest, from = "app", account, lifetime }: Identity,
  owner: string,
  id: ClientId,
): Caller {
  // No user of this machine has a name like that of a guest's principal.
  const user = guest === undefined ? { user: owner } : { user: `guest ${guest}`, guest: name };
  const caller = callerOf(principal ?? { ...user, scheme: "api", scopes: [] }, { from, lifetime });
  return { ...caller, account: account ?? `client ${id}` };
}
