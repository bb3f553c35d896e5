import type { Agent } from "../../../core/protocol/agent-records.ts";
import { useNow } from "../../ui/use-now.ts";
import { describeAgent } from "../view/tile-info.ts";

/** The agent in a tile and its state. Amber only if the agent waits for the user. */
export function AgentBadge({ agent }: { agent: Agent }) {
  const now = useNow(agent.state === "ended" ? undefined : 1000);
  const { label, dot } = describeAgent(agent, now);
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
