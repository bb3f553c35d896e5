import type { Agent } from "../../../core/protocol/agent-records.ts";

/** What tells the agent of a question, of an event or of a list. */
export type AgentRef = Pick<Agent, "shellId" | "agentType" | "inPane"> & {
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

/**
 * Compares agents by their own session and their shell, as two shells may have one session open, and by the shell alone while
 * the session is not known. The hooks of an agent in a pane of tmux tell of the shell that tmux was started in, and the agent
 * may be listed in another one that shows it.
 */
export function isSame(one: AgentRef, other: AgentRef): boolean {
  const [mine, theirs] = [sessionOf(one), sessionOf(other)];
  // A program may report itself under any name, and of many agents the session is never known.
  if (isBeside(one) || isBeside(other)) return mine === theirs;
  const isInShell = one.shellId === other.shellId;
  const isInPane = one.inPane === true || other.inPane === true;
  if (mine !== "" && theirs !== "") return mine === theirs && (isInShell || isInPane);
  return isInShell && one.agentType === other.agentType;
}

/** Names an agent in the proofs of its answers. */
export function agentOf(agent: AgentRef): string {
  return sessionOf(agent) || `shell ${agent.shellId}`;
}

function sessionOf({ sessionId, agentSessionId }: AgentRef): string {
  return agentSessionId ?? sessionId ?? "";
}
