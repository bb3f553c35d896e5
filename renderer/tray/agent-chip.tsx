import type { Agent } from "../../core/protocol/agent-records.ts";
import { formatDuration } from "../ui/format-duration.ts";
import { useNow } from "../ui/use-now.ts";
import { words } from "./words/index.ts";

const SECOND_MS = 1_000;

/** An agent's kind, its state, and for how long. */
export function AgentChip({ agent }: { readonly agent: Agent }) {
  return (
    <span className="panel-chip" data-state={agent.state ?? "unknown"}>
      <AgentDot state={agent.state} />
      <span className="ellipsis" title={agent.agentType}>
        {agent.agentType}
      </span>{" "}
      <span className="panel-chip-state">
        · <AgentState agent={agent} />
      </span>
    </span>
  );
}

export function AgentDot({ state }: { readonly state: Agent["state"] }) {
  const colours = { working: "good", waiting: "wait", error: "bad", idle: "", unknown: "", ended: "" } as const;
  return <span className={`dot ${state === undefined ? "" : colours[state]}`} />;
}

/** An agent's state, and for how long. */
export function AgentState({ agent: { state, since, paused } }: { readonly agent: Agent }) {
  const now = useNow(since === undefined ? undefined : SECOND_MS);
  const running = words.agents.states[state ?? "running"];
  const label = paused === true ? words.agents.states.paused : running;
  const elapsed = since === undefined ? "" : formatDuration(now - Date.parse(since));
  return <>{elapsed === "" ? label : words.agents.stateFor(label, elapsed)}</>;
}
