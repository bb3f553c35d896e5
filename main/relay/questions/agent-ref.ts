import type { Agent } from "../../../core/protocol/agent-records.ts";

/** What tells the agent of a question, of an event or of a list. */
export type AgentRef = Pick<Agent, "shellId" | "agentType"> & {
  readonly sessionId?: string;
  readonly agentSessionId?: string;
};

/** Begins the session of a question that a program asks people. */
const BESIDE = "ask ";

/** Returns the session of a question that a program asks people: no agent's, so that nothing that an agent does settles it. */
export function sessionBeside(key: string): string {
  return `${BESIDE}${key}`;
}

/** Returns whether a program asks, and no agent. */
export function isBeside(question: AgentRef): boolean {
  return sessionOf(question).startsWith(BESIDE);
}

/** Compares agents by their own session, and by their shell while that is not known. */
export function isSame(one: AgentRef, other: AgentRef): boolean {
  const [mine, theirs] = [sessionOf(one), sessionOf(other)];
  // A program may report itself under any name, and of many agents the session is never known.
  if (isBeside(one) || isBeside(other)) return mine === theirs;
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
