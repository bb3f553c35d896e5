import type { Agent } from "../../../core/protocol/agent-records.ts";
import { useNow } from "../use-now.ts";
import { agentWords } from "./agent-words.ts";

/** Which agent runs here and what it does. Amber only where it waits for the user. */
export function AgentBadge({ agent }: { agent: Agent }) {
  const now = useNow(agent.state === "ended" ? undefined : 1000);
  const { label, dot } = agentWords(agent, now);
  const why = agent.message ?? agent.reason?.detail;
  return (
    <span
      className="chip"
      data-waits={agent.state === "waiting" || undefined}
      data-failed={agent.state === "error" || undefined}
      title={why === undefined ? label : `${label}\n${why}`}
    >
      <span className={`dot ${dot}`} />
      <span className="ellipsis">{label}</span>
    </span>
  );
}
