import type { Agent } from "../../../core/protocol/agent-records.ts";

/** What tells the agent of a question, of an event or of a list. */
export type AgentRef = Pick<Agent, "shellId" | "agentType"> & {
  readonly sessionId?: string;
  readonly agentSessionId?: string;
};

/** Compares agents by their own session, and by their shell while that is not known. */
export function isSame(one: AgentRef, other: AgentRef): boolean {
  const [mine, theirs] = [sessionOf(one), sessionOf(other)];
  if (mine !== "" && theirs !== "") return mine === theirs;
  return one.shellId === other.shellId && one.agentType === other.agentType;
}

/** Names an agent in the proofs of its answers. */
export function agentOf(agent: AgentRef): string {
  return sessionOf(agent) || `shell ${agent.shellId}`;
}

function sessionOf({ sessionId, agentSessionId }: AgentRef): string {
  return agentSessionId ?? sessionId ?? "";
}
