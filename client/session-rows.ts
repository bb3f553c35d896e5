import { z } from "zod";
import { RemoteError } from "../core/protocol/errors.ts";
import type { Allowance } from "./http.ts";
import type { RemoteClient } from "./remote-client.ts";
import { checkResult } from "./service-error.ts";

/** A record of a result. A machine may be of another version: only what is read is checked. */
export const Rows = z.array(z.record(z.string(), z.unknown()));
export type Row = Readonly<Record<string, unknown>>;

const OpenSessions = z.array(
  z.looseObject({
    id: z.string(),
    name: z.string(),
    userCount: z.number().default(1),
    /** Of a session of the fleet: the name of the relay that serves it, and since when that is away. */
    relay: z.string().optional(),
    awaySince: z.string().optional(),
  }),
);
/** A session as its machine lists it. */
export type OpenSession = z.output<typeof OpenSessions>[number];

/** The rows of one session. */
export interface SessionRows {
  readonly session: OpenSession;
  readonly rows: readonly Row[];
}

/** The relay waits this long for the client that executes a command, or for the session's relay (seconds); less than a machine has in all. */
const CLIENT_TIMEOUT_S = 1.5;
/** Sessions of one machine that are asked at the same time: each may wait for its client, and takes a connection. */
const AT_ONCE = 64;
/** A remote is not believed: it may list any number. */
const MAX_SESSIONS = 200;

/** Lists the sessions of a machine. @throws RemoteError for a refusal, and for a result that no relay gives */
export async function listSessions(client: RemoteClient): Promise<OpenSession[]> {
  return checkResult(OpenSessions, await client.askOperation("listSessions", {}), client.url).slice(0, MAX_SESSIONS);
}

/** Lists the agents of all sessions. A session without a client has no known agents. @throws as `listSessions` */
export async function listAgents(client: RemoteClient): Promise<Row[]> {
  return agentsOf(client, await listSessions(client));
}

/** Lists the agents of these sessions, each with the name of its session. @throws as `listSessions` */
export async function agentsOf(client: RemoteClient, sessions: readonly OpenSession[]): Promise<Row[]> {
  const asked = sessions.filter(({ userCount }) => userCount > 0);
  const agents = async (inSession: RemoteClient) => checkResult(Rows, await inSession.get("agents"), client.url);
  return withSessionNames(await listInSessions(client, asked, agents));
}

/**
 * Lists the open questions of the agents in these sessions.
 *
 * @param allowance the client's own, where what goes beyond it is left out: however much a shell asks
 * @throws as `listSessions`
 */
export function questionsOf(
  client: RemoteClient,
  sessions: readonly OpenSession[],
  allowance: Allowance = { left: 0 },
): Promise<SessionRows[]> {
  return listInSessions(client, sessions, async (inSession) => {
    if (allowance.left < 0) return [];
    try {
      return checkResult(Rows, await inSession.askOperation("getQuestions", {}), client.url);
    } catch (error) {
      if (allowance.left < 0) return [];
      throw error;
    }
  });
}

/**
 * Asks for a list of each session, of several at the same time. A session that was closed since the sessions were listed, and one of
 * the fleet whose relay does not answer, has no rows.
 *
 * @throws as `listSessions`
 */
export async function listInSessions(
  client: RemoteClient,
  sessions: readonly OpenSession[],
  list: (inSession: RemoteClient) => Promise<readonly Row[]>,
): Promise<SessionRows[]> {
  const lists: SessionRows[] = [];
  const waiting = sessions.entries();
  const ask = async () => {
    for (const [index, session] of waiting) {
      const inSession = client.with({ session: session.id, timeout: CLIENT_TIMEOUT_S });
      lists[index] = { session, rows: await list(inSession).catch((error: unknown) => asGone(error, session)) };
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, ask));
  return lists;
}

/** No rows, where its client has left, it was closed, or its relay is another one of the fleet, which is away. @throws the error itself */
function asGone(error: unknown, { relay }: OpenSession): readonly Row[] {
  if (!(error instanceof RemoteError)) throw error;
  const { code } = error;
  if (code === "no_client" || code === "unknown_session" || (code === "relay_away" && relay !== undefined)) return [];
  throw error;
}

/** Names in each row its session as `--session` takes it: `name`, or `relay/name` where another relay of the fleet serves it. */
export function withSessionNames(lists: readonly SessionRows[]): Row[] {
  return lists.flatMap(({ session: { name, relay, awaySince }, rows }) => {
    const named = {
      session: relay === undefined ? name : `${relay}/${name}`,
      ...(awaySince === undefined ? {} : { awaySince }),
    };
    return rows.map(({ session: _, ...row }) => ({ ...named, ...row }));
  });
}
