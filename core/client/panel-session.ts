import type { Guest } from "../operations/guests.ts";
import type { SessionMirror } from "../protocol/mirror.ts";
import { describeShell } from "../protocol/shell-name.ts";

/** A session as the panel shows it. */
export interface PanelSession
  extends Pick<
    SessionMirror,
    "clients" | "adoptRequests" | "roleRequests" | "questions" | "plugins" | "restrictions" | "agents"
  > {
  readonly id: string;
  readonly name: string;
  /** Id of the client of the panel's user. */
  readonly self: number | undefined;
  readonly shells: readonly {
    readonly id: number;
    readonly name: string;
    readonly running: boolean;
    readonly ownerClientId: number | null;
  }[];
  /** Guests who are not connected now. */
  readonly awayGuests: readonly Guest[];
  /** Shells whose agents are muted. */
  readonly muted: readonly number[];
  /** US dollars since local midnight. */
  readonly costToday: number;
  /** Start times of agent sessions, by id. */
  readonly agentStarts: Readonly<Record<string, string>>;
}

type MirrorParts = Omit<SessionMirror, "session" | "chat" | "tunnels">;

interface PanelSessionParts extends Pick<PanelSession, "id" | "name" | "self" | "muted" | "costToday"> {
  readonly mirror: MirrorParts;
  /** All guests, connected or not. */
  readonly guests: readonly Guest[];
  /** Returns the label that the user gave to a shell's tile. */
  readonly labelOf: (shell: MirrorParts["shells"][number]["id"]) => string | undefined;
  /** Returns when an agent's session began; undefined where that is not known. */
  readonly startOf: (agentSession: string) => string | undefined;
}

/** Makes what the panel shows of a session. */
export function panelSession({ mirror, guests, labelOf, startOf, ...rest }: PanelSessionParts): PanelSession {
  const { agents, shells } = mirror;
  const starts = agents.flatMap(({ sessionId }): [string, string][] => {
    const start = startOf(sessionId);
    return start === undefined ? [] : [[sessionId, start]];
  });
  return {
    ...rest,
    shells: shells.map((shell) => {
      const agent = agents.find(({ shellId }) => shellId === shell.id);
      const { name } = describeShell(shell, { label: labelOf(shell.id), agent, shells });
      return { id: shell.id, name, running: shell.running, ownerClientId: shell.ownerClientId };
    }),
    clients: mirror.clients,
    awayGuests: guests.filter(({ clients }) => clients.length === 0),
    adoptRequests: mirror.adoptRequests,
    roleRequests: mirror.roleRequests,
    questions: mirror.questions,
    plugins: mirror.plugins,
    restrictions: mirror.restrictions,
    agents,
    agentStarts: Object.fromEntries(starts),
  };
}
