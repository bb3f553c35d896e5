import { z } from "zod";
import { RemoteError } from "../core/protocol/errors.ts";
import type { ClientEntry } from "../core/protocol/records.ts";

/** What is needed of a session's record to choose it; `relay` is another member of the fleet. */
const NamedSession = z.looseObject({ id: z.string(), name: z.string(), relay: z.string().optional() });
export const NamedSessions = z.array(NamedSession);

/**
 * Returns the id of the one session that is meant.
 *
 * @param given its id, its name, or `relay/name` for one of another relay of the fleet; undefined: the only one that is open
 * @throws RemoteError `unknown_session` or `invalid_request`, with the sessions to choose from
 */
export function chooseSession(sessions: z.infer<typeof NamedSessions>, given: string | undefined): string {
  const matches = sessions.filter((session) => given === undefined || namesOf(session).includes(given));
  // The sessions of other relays of a fleet are meant only where none of the relay's own is.
  const own = matches.filter(({ relay }) => relay === undefined);
  const [only, ...others] = own.length > 0 ? own : matches;
  if (only !== undefined && others.length === 0) return only.id;
  const listed = sessions.map((session) => `${session.id} ${namesOf(session).at(-1)}`).join("\n");
  if (sessions.length === 0) throw new RemoteError("unknown_session", "This key's owner has no session.");
  if (only === undefined)
    throw new RemoteError("unknown_session", `No session is called ${JSON.stringify(given)}. There are:\n${listed}`);
  if (given === undefined) {
    throw new RemoteError(
      "invalid_request",
      `Several sessions are open, and none was named: choose one with --session or SERVICE_SESSION.\n${listed}`,
    );
  }
  throw new RemoteError("invalid_request", `Several sessions fit: choose one by its id.\n${listed}`);
}

/**
 * Returns the number of the one desktop client of a session.
 *
 * @throws RemoteError `unknown_client` or `ambiguous_client`, with the clients that are connected
 */
export function chooseDesktop(clients: readonly ClientEntry[]): number {
  const [only, ...others] = clients.filter(({ clientKind }) => clientKind === "desktop");
  const listed = clients.map(({ id, name, clientKind, device }) => `${id} ${name} ${clientKind} ${device}`).join("\n");
  if (only === undefined) throw new RemoteError("unknown_client", `No desktop client is connected:\n${listed}`);
  if (others.length > 0) throw new RemoteError("ambiguous_client", `Several desktop clients are connected:\n${listed}`);
  return only.id;
}

function namesOf({ id, name, relay }: z.infer<typeof NamedSession>): string[] {
  return relay === undefined ? [id, name] : [id, name, `${relay}/${name}`];
}
