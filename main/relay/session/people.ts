import { RemoteError } from "../../../core/protocol/errors.ts";
import type { ClientId } from "../../../core/protocol/ids.ts";
import type { Role } from "../../../core/protocol/records.ts";
import type { Session } from "./session.ts";

/** Gives a connected client another role, at once and for its next coming. Throws `unknown_client`. */
export function changeRole(session: Session, client: ClientId, role: Role): void {
  checkForeign(session, client);
  if (!session.clients.changeRole(client, role)) throw notConnected(client);
}

/** Sends a client away; a guest needs a new invite to come back. Throws `unknown_client`. */
export function sendAway(session: Session, client: ClientId): void {
  checkForeign(session, client);
  if (!session.clients.sendAway(client, "an admin of the session ended this connection")) throw notConnected(client);
}

/** The relay's own client stays an admin: whoever sits at this machine could take the role back anyway. */
function checkForeign(session: Session, client: ClientId): void {
  if (session.clients.placeOf(client) !== undefined) {
    throw new RemoteError("invalid_request", "The relay's own client on this machine stays an admin of its sessions.");
  }
}

function notConnected(client: ClientId): RemoteError {
  return new RemoteError("unknown_client", `No client ${client} is connected: it left meanwhile.`);
}
