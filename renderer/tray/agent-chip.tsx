import { useEffect, useState } from "react";
import type { Agent } from "../../core/protocol/agent-records.ts";
import { lasting } from "./lasting.ts";

const SECOND_MS = 1_000;

/** An agent in a few words: its kind, and what it does since when. */
export function AgentChip({ agent }: { readonly agent: Agent }) {
  return (
    <span className="panel-chip" data-state={agent.state ?? "unknown"}>
      <AgentDot state={agent.state} />
      {agent.agentType} · <AgentState agent={agent} />
    </span>
  );
}

export function AgentDot({ state }: { readonly state: Agent["state"] }) {
  const colours = { working: "good", waiting: "wait", error: "bad", idle: "", ended: "" } as const;
  return <span className={`dot ${state === undefined ? "" : colours[state]}`} />;
}

const words = { waiting: "waits for you", error: "failed" } as const;

/** What the agent does, for how long. */
export function AgentState({ agent: { state, since, paused } }: { readonly agent: Agent }) {
  const now = useSeconds(since !== undefined);
  const told = state === "waiting" || state === "error" ? words[state] : (state ?? "running");
  const does = paused === true ? "paused" : told;
  const lasted = since === undefined ? "" : lasting(now - Date.parse(since));
  return <>{lasted === "" ? does : `${does}, ${lasted}`}</>;
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
