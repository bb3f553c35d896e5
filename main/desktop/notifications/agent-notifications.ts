import type { SessionId, ShellId } from "../../../core/protocol/ids.ts";
import { shellLabel } from "../../../core/state/client-state.ts";
import type { DesktopClient } from "../sessions/desktop-client.ts";
import { type AgentNotice, noticeOfEvent, noticeOfTurn } from "./agent-notices.ts";
import { type AgentTurn, AgentTurns } from "./agent-turns.ts";

interface Ports {
  readonly tell: (session: SessionId, notice: AgentNotice) => void;
  /** Called when an agent's usage or status changed. */
  readonly changed: () => void;
  readonly ended: (session: SessionId, shell: ShellId) => void;
  /** Whether the user has the session's window in front, and so sees what finishes there. */
  readonly inFront: (session: SessionId) => boolean;
}

/** Notifies the user about a session's agents. Returns an unsubscribe function. */
export function notifyAboutAgents({ id, client }: DesktopClient, { tell, changed, ended, inFront }: Ports): () => void {
  const turns = new AgentTurns();
  const shells = () => client.mirror?.shells ?? [];
  const labelOf = (shell: ShellId) => shellLabel(client.state.now, shell);
  const turnEnded = async (turn: AgentTurn) => {
    const { sessionId } = turn.agent;
    const asked = { sessionId, types: ["assistant_message" as const, "error" as const], limit: 1 };
    // A turn has ended also when its transcript cannot be read.
    const [last] = await client.ask("getAgentEvents", asked).catch(() => []);
    tell(id, noticeOfTurn(turn, last, shells(), labelOf));
  };
  return client.onEvent((event) => {
    if (event.type.startsWith("agent.")) changed();
    const notice = noticeOfEvent(event, shells(), labelOf);
    if (notice !== undefined) tell(id, notice);
    if (event.type === "agent.ended") ended(id, event.data.shellId);
    const turn = turns.endedBy(event);
    if (turn !== undefined && !inFront(id)) void turnEnded(turn);
  });
}
