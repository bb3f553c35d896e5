import type { Lifetime } from "../../../core/protocol/lifetime.ts";
import type { Role } from "../../../core/protocol/records.ts";
import type { Principal } from "../access/keys.ts";

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
