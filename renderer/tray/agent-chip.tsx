import { useEffect, useState } from "react";
import type { Agent } from "../../core/protocol/agent-records.ts";
import { lasting } from "./lasting.ts";

const SECOND_MS = 1_000;

/** An agent in a few words: its kind, and what it does since when. */
export function AgentChip({ agent }: { readonly agent: Agent }) {
  return (
    <span className="panel-chip" data-state={agent.state ?? "unknown"}>
      <span className={`dot ${agent.state === "working" ? "good" : agent.state === "waiting" ? "wait" : ""}`} />
      {agent.agentType} · <AgentState agent={agent} />
    </span>
  );
}

/** What the agent does, for how long. */
export function AgentState({ agent: { state, since, paused } }: { readonly agent: Agent }) {
  const now = useSeconds(since !== undefined);
  const words = paused === true ? "paused" : state === "waiting" ? "waits for you" : (state ?? "running");
  const lasted = since === undefined ? "" : lasting(now - Date.parse(since));
  return <>{lasted === "" ? words : `${words}, ${lasted}`}</>;
}

function useSeconds(runs: boolean): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!runs) return;
    const timer = setInterval(() => {
      if (!document.hidden) setNow(Date.now());
    }, SECOND_MS);
    return () => clearInterval(timer);
  }, [runs]);
  return now;
}
