import { specs } from "../../../core/commands/specs.ts";
import { RemoteError } from "../../../core/protocol/errors.ts";
import type { ClientId } from "../../../core/protocol/ids.ts";
import type { CallSuccess } from "../../../core/protocol/outcome.ts";
import type { Permit } from "../access/permits/permit.ts";
import type { ClientConnection } from "../session/client-connection.ts";
import type { Session } from "../session/session.ts";
import { type RoutedCommand, routeCommand, waitForClient } from "./route-command.ts";

/**
 * Has a command executed by every client of the caller's own user, and returns one result for each: the command's own with
 * `clientId`, or the error of that client. The answer's own client is the first of them. Rejects with a RemoteError if the command is for one client, if no such client
 * is connected, and if every client refuses.
 *
 * @param onChosen called with each client, before the command is sent to it
 */
export async function routeToAll(
  session: Session,
  command: RoutedCommand,
  onChosen: (client: ClientId) => void,
): Promise<CallSuccess> {
  const { method, timeoutMs, caller } = command;
  if (specs[method].toAll !== true) {
    throw new RemoteError(
      "invalid_request",
      `${method} is for one client: \`target_client_id\` takes its id; "all" is for notify and toast.`,
    );
  }
  if (session.clients.size === 0) await waitForClient(session, timeoutMs, caller.lifetime);
  const clients = ownClients(session, caller.permit);
  const [first] = clients;
  if (first === undefined) {
    throw new RemoteError(
      "no_client",
      "No client of your own is connected to the session: open it in the app or in a browser.",
    );
  }
  const answers = await Promise.allSettled(
    clients.map((client) => routeCommand(session, { ...command, target: client }, onChosen)),
  );
  const [answer] = answers;
  if (answer?.status === "rejected" && answers.every(({ status }) => status === "rejected")) throw answer.reason;
  const value = answers.map((answer, index) => ({ clientId: clients[index], ...resultOf(answer) }));
  return { value, client: first, hit: {} };
}

/** Returns the clients of the session's owner, or the one of the person whose shell calls. */
function ownClients({ clients }: Session, permit: Permit | undefined): ClientId[] {
  const person = permit?.person;
  const isOwn = (client: ClientConnection) => (person === undefined ? !client.isGuest : client.id === person.client);
  return clients.connected.filter(isOwn).map(({ id }) => id);
}

function resultOf(answer: PromiseSettledResult<CallSuccess>): object {
  if (answer.status === "fulfilled") return { ...Object(answer.value.value) };
  const error: unknown = answer.reason;
  if (!(error instanceof RemoteError)) throw error;
  return { error: error.code, message: error.message };
}
