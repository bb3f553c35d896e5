import type { AgentCost, AgentEvent, AgentSession } from "../../../core/protocol/agent-records.ts";
import type { SessionId, ShellId } from "../../../core/protocol/ids.ts";
import type { OpParams } from "../../../core/protocol/relay-ops.ts";

/** What the agents' room answers for one session. */
export interface AgentsPort {
  cost(session: SessionId, options: { explain: boolean }): AgentCost;
  sessions(session: SessionId): AgentSession[];
  events(session: SessionId, params: OpParams<"getAgentEvents">): Promise<AgentEvent[]>;
}

/** An agent in a shell, or what it has left running there. */
export interface AgentInShell {
  /** Names this run of the agent among all of the machine's. */
  readonly run: string;
  readonly agentType: string;
  /** Its working directory; "" where that cannot be told. */
  readonly folder: string;
}

/** Looks for agents among the processes of a shell, at the moment of the call. Rejects where that cannot be told. */
export type FindAgents = (
  session: SessionId,
  shell: { readonly id: ShellId; readonly pid: number },
) => Promise<readonly AgentInShell[]>;
