import type { Agent } from "../../core/protocol/agent-records.ts";
import type { SessionId, ShellId } from "../../core/protocol/ids.ts";
import type { Clock } from "./clock.ts";
import type { UsageStore } from "./usage-store.ts";

/** A shell that agents may run in. */
export interface WatchedShell {
  readonly shellId: ShellId;
  /** The Patchbay session. */
  readonly sessionId: SessionId;
  readonly pid: number;
  readonly cwd?: string;
}

/** A shell: ids of shells are unique only within a session. */
export type ShellRef = Pick<WatchedShell, "sessionId" | "shellId">;

export function shellKey({ sessionId, shellId }: ShellRef): string {
  return `${sessionId}/${shellId}`;
}

export type AgentChangeType = "agent.started" | "agent.updated" | "agent.waiting" | "agent.ended" | "agent.detached";

/** A change of an agent in a Patchbay session; `agent` is its state after the change. */
export interface AgentChange {
  readonly type: AgentChangeType;
  readonly session: SessionId;
  readonly agent: Agent;
}

export interface AgentsOptions {
  /** The current shells of all sessions; called at every poll. */
  readonly shells: () => readonly WatchedShell[];
  readonly store: UsageStore;
  /** Resolves to the visible text of a shell, which may prove what an agent there works on. */
  readonly screen?: (shell: ShellRef) => Promise<string>;
  readonly log: (message: string, fields?: object) => void;
  readonly onChange: (change: AgentChange) => void;
  /** The user's own prices (see price-overrides.ts); need not exist. */
  readonly overridesFile?: string;
  /** Where the user's manifests of further kinds of agents are (docs/agents.md); need not exist. */
  readonly manifestsFolder?: string;
  /** Where an installed price list is kept (see price-list.ts); need not exist. */
  readonly priceListFile?: string;
  /** Keys that sign price lists, where they are not the project's. */
  readonly priceListKeys?: readonly string[];
  readonly clock?: Clock;
  readonly procRoot?: string;
}
