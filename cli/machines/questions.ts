import { z } from "zod";
import { RemoteError } from "../../core/protocol/errors.ts";
import type { RemoteClient } from "../connect/remote-client.ts";
import { checkResult } from "../connect/service-error.ts";

/** A record of a result. A machine may be of another version: only what is read is checked. */
export const Rows = z.array(z.record(z.string(), z.unknown()));
export type Row = Readonly<Record<string, unknown>>;

const OpenSessions = z.array(z.looseObject({ id: z.string(), name: z.string(), userCount: z.number().default(1) }));
export type OpenSession = z.infer<typeof OpenSessions>[number];

/** The relay waits this long for the client that executes a command (seconds); less than a machine has in all. */
const CLIENT_TIMEOUT_S = 1.5;
/** A remote is not believed: it may list any number. */
const MAX_SESSIONS = 200;

/** Lists the sessions of a machine. @throws RemoteError for a refusal, and for a result that no relay gives */
export async function listSessions(client: RemoteClient): Promise<OpenSession[]> {
  return checkResult(OpenSessions, await client.sessions.list(), client.url).slice(0, MAX_SESSIONS);
}

/** Lists the agents of all sessions. A session without a client has no known agents. @throws as `listSessions` */
export async function listAgents(client: RemoteClient): Promise<Row[]> {
  return agentsOf(client, await listSessions(client));
}

/** Lists the agents of these sessions, each with the name of its session. @throws as `listSessions` */
export async function agentsOf(client: RemoteClient, sessions: readonly OpenSession[]): Promise<Row[]> {
  const asked = sessions.filter(({ userCount }) => userCount > 0);
  return (await Promise.all(asked.map((session) => agentsIn(client, session)))).flat();
}

async function agentsIn(client: RemoteClient, { id, name }: OpenSession): Promise<Row[]> {
  try {
    const agents = await client.with({ session: id, timeout: CLIENT_TIMEOUT_S }).get("agents");
    return checkResult(Rows, agents, client.url).map((agent) => ({ session: name, ...agent }));
  } catch (error) {
    // The client left, or the session was closed, since the list was made.
    if (error instanceof RemoteError && ["no_client", "unknown_session"].includes(error.code)) return [];
    throw error;
  }
}
