import type { SessionId, ShellId } from "../../../core/protocol/ids.ts";
import { shellLabel } from "../../../core/state/client-state.ts";
import type { DesktopClient } from "../sessions/desktop-client.ts";
import { type AgentNotice, noticeOfEvent, noticeOfQuestion, noticeOfTurn } from "./agent-notices.ts";
import { type AgentTurn, AgentTurns } from "./agent-turns.ts";

/** An agent's question is known within this time of its status; only then is the status alone worth a notification. */
const QUESTION_TIMEOUT_MS = 2_000;

interface Ports {
  readonly tell: (session: SessionId, notice: AgentNotice) => void;
  /** Called when a question is no longer open. */
  readonly closed: (session: SessionId, question: number) => void;
  /** Called when an agent's usage or status changed. */
  readonly changed: () => void;
  readonly ended: (session: SessionId, shell: ShellId) => void;
  /** Whether the user has the session's window in front, and so sees what finishes there. */
  readonly inFront: (session: SessionId) => boolean;
}

/** Notifies the user about a session's agents. Returns an unsubscribe function. */
export function notifyAboutAgents(
  { id, client }: DesktopClient,
  { tell, closed, changed, ended, inFront }: Ports,
): () => void {
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
  const waiting = new Map<ShellId, NodeJS.Timeout>();
  const settle = (shell: ShellId) => {
    clearTimeout(waiting.get(shell));
    waiting.delete(shell);
  };
  const agentWaits = (shell: ShellId, notice: AgentNotice) => {
    const isAsked = client.mirror?.questions.some(({ shellId, state }) => shellId === shell && state === "open");
    if (isAsked || waiting.has(shell)) return;
    const timer = setTimeout(() => {
      waiting.delete(shell);
      tell(id, notice);
    }, QUESTION_TIMEOUT_MS);
    waiting.set(shell, timer);
  };
  const stop = client.onEvent((event) => {
    if (event.type.startsWith("agent.")) changed();
    if (event.type === "question.opened") {
      settle(event.data.shellId);
      tell(id, noticeOfQuestion(event.data, shells(), labelOf));
    } else if (event.type === "question.answered" || event.type === "question.withdrawn") closed(id, event.data.id);
    else if (event.type === "agent.ended" || (event.type === "agent.updated" && event.data.state !== "waiting"))
      settle(event.data.shellId);
    const notice = noticeOfEvent(event, shells(), labelOf);
    if (notice?.kind === "waiting") agentWaits(notice.shell, notice);
    else if (notice !== undefined) tell(id, notice);
    if (event.type === "agent.ended") ended(id, event.data.shellId);
    const turn = turns.endedBy(event);
    if (turn !== undefined && !inFront(id)) void turnEnded(turn);
  });
  return () => {
    for (const shell of [...waiting.keys()]) settle(shell);
    stop();
  };
}
