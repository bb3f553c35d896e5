import type { SessionId, ShellId } from "../../../core/protocol/ids.ts";
import type { DesktopClient } from "../sessions/desktop-client.ts";
import { type AgentNotice, noticeOfEvent, noticeOfTurn } from "./agent-notices.ts";
import { type AgentTurn, AgentTurns } from "./agent-turns.ts";

interface Ports {
  readonly tell: (session: SessionId, notice: AgentNotice) => void;
  /** An agent has used something, or changed what it does. */
  readonly changed: () => void;
  readonly ended: (session: SessionId, shell: ShellId) => void;
  /** The user has the session before him, and sees himself what finishes there. */
  readonly inFront: (session: SessionId) => boolean;
}

/** Tells of a session's agents what the user may want to know of. Answers how to stop. */
export function notifyAboutAgents({ id, client }: DesktopClient, { tell, changed, ended, inFront }: Ports): () => void {
  const turns = new AgentTurns();
  const shells = () => client.mirror?.shells ?? [];
  const turnEnded = async (turn: AgentTurn) => {
    const { sessionId } = turn.agent;
    const asked = { sessionId, types: ["assistant_message" as const, "error" as const], limit: 1 };
    // Without its transcript a turn has ended all the same.
    const [last] = await client.ask("getAgentEvents", asked).catch(() => []);
    tell(id, noticeOfTurn(turn, last, shells()));
  };
  return client.onEvent((event) => {
    if (event.type.startsWith("agent.")) changed();
    const notice = noticeOfEvent(event, shells());
    if (notice !== undefined) tell(id, notice);
    if (event.type === "agent.ended") ended(id, event.data.shellId);
    const turn = turns.endedBy(event);
    if (turn !== undefined && !inFront(id)) void turnEnded(turn);
  });
}
