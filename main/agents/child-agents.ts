import type { ChildAgent } from "../../core/protocol/agent-records.ts";
import type { ProcessInfo } from "../system/processes/process-source.ts";
import type { Accounts } from "./accounts.ts";
import { type KnownRun, runKey } from "./agent-reports.ts";
import type { AgentSessionKey } from "./usage-store.ts";

/** Of an agent that starts many others, the last ones are listed. */
const MAX_CHILDREN = 50;

/**
 * Lists the agents that the tools of an agent have started, and those that these have started.
 * @param runs - those of a session, oldest first: a child starts after its parent
 */
export function childAgents(parent: AgentSessionKey, runs: readonly KnownRun[], accounts: Accounts): ChildAgent[] {
  const family = new Set([runKey(parent)]);
  const children = runs.filter(({ run }) => {
    const isChild = run.startedBy !== undefined && family.has(runKey(run.startedBy)) && !family.has(runKey(run));
    if (isChild) family.add(runKey(run));
    return isChild;
  });
  return children.slice(-MAX_CHILDREN).flatMap(({ run, status }) => {
    const { agentType, sessionId, model, startedBy } = run;
    if (startedBy === undefined) return [];
    return [{ agentType, sessionId, model, state: status, tokenUsage: accounts.report(run).usage, startedBy }];
  });
}

/** What a relay sets in its shells, differently in each relay. */
const OF_RELAY = ["SERVICE_TOKEN", "PATCHBAY_DATA"] as const;

/**
 * Tells the processes of a shell from those in the shells of another relay that was started in it. A pane of tmux may come
 * from anywhere: what it began with is its own.
 * @param processes - those below the shell, its own process first
 */
export function ofThisRelay(processes: readonly ProcessInfo[]): (process: ProcessInfo) => boolean {
  const [root] = processes;
  const panes = new Map(processes.flatMap((process) => (process.pid === process.pane ? [[process.pid, process]] : [])));
  return (process) => {
    const first = process.pane === undefined ? root : panes.get(process.pane);
    return OF_RELAY.some((name) => {
      const own = first?.env(name);
      return (process.env(name) ?? own) === own;
    });
  };
}
