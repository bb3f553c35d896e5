import type { Role } from "../../../core/protocol/records.ts";
import type { Principal } from "../access/keys.ts";

/** As whom a client joins a session: decided by what let it in, never by what it says of itself. */
export interface Identity {
  readonly name: string;
  readonly role: Role;
  /** A client that lives at a fixed place (this machine's desktop) keeps its id and state over restarts. */
  readonly place?: string;
  /** What let the client in, where that can be changed: a guest's cookie. A key is revoked, not changed. */
  readonly admission?: { changeRole(role: Role): void; end(): void };
  /** Network address; absent for a client of this process. */
  readonly from?: string;
  /** Whose key let the client in; absent for a guest and for a client of this process. */
  readonly principal?: Principal;
}
