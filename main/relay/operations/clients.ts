import type { clientOperations } from "../../../core/operations/clients.ts";
import { RemoteError } from "../../../core/protocol/errors.ts";
import type { ClientId } from "../../../core/protocol/ids.ts";
import type { Handlers } from "../calls/calls.ts";
import type { Session } from "../session/session.ts";

export function clientHandlers(): Handlers<keyof typeof clientOperations> {
  return {
    changeRole({ client, role }, { session }) {
      checkNotLocal(session, client);
      if (!session.clients.changeRole(client, role)) throw notConnected(client);
      return { client, role };
    },
    disconnectClient({ client }, { session }) {
      checkNotLocal(session, client);
      const reason = "an admin of the session ended this connection";
      if (!session.clients.disconnect(client, reason)) throw notConnected(client);
      return { client };
    },
  };
}

/** The relay's own client stays an admin: the user of this machine could take the role back anyway. */
function checkNotLocal(session: Session, client: ClientId): void {
  if (session.clients.placeOf(client) === undefined) return;
  throw new RemoteError("invalid_request", "The relay's own client on this machine stays an admin of its sessions.");
}

function notConnected(client: ClientId): RemoteError {
  return new RemoteError("unknown_client", `No client ${client} is connected: it left meanwhile.`);
}
