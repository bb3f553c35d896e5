import type { processOperations } from "../../../core/operations/processes.ts";
import { RemoteError } from "../../../core/protocol/errors.ts";
import type { ShellId } from "../../../core/protocol/ids.ts";
import { MAX_LISTED_PROCESSES, type ProcessUsage, type ShellUsage } from "../../../core/protocol/shell-usage.ts";
import { type ProcessLoad, UsageSampler } from "../../system/processes/usage.ts";
import type { Handlers } from "../calls/calls.ts";
import type { AgentsPort, LeftProcess } from "../session/ports.ts";
import type { Session } from "../session/session.ts";

export function processHandlers(agents: Pick<AgentsPort, "leftBehind">): Handlers<keyof typeof processOperations> {
  // A sampler compares with its last look, which is to be one at the same shells.
  const samplers = new WeakMap<Session, UsageSampler>();
  const samplerOf = (session: Session) => {
    const sampler = samplers.get(session) ?? new UsageSampler();
    samplers.set(session, sampler);
    return sampler;
  };
  return {
    getShellUsage: (_params, { session, caller: { account } }) =>
      session.budgets.read(account, () => usageOf(session, samplerOf(session), agents.leftBehind.list(session.id))),
    async endLeftBehind({ pid, dryRun }, { session, caller: { principal } }) {
      const { membership } = principal;
      if (membership !== undefined && (membership.guest || membership.role !== "admin")) {
        throw new RemoteError("scope_forbids", "Only the owner of the session ends what agents have left running.");
      }
      const left = agents.leftBehind.list(session.id).filter((one) => (pid ?? one.pid) === one.pid);
      if (pid !== undefined && left.length === 0) throw notLeft(pid);
      const ended = dryRun ? left : await agents.leftBehind.end(session.id, pid);
      return ended.map(({ pid, name, agentType, since }) => ({ pid, name, agentType, since: isoOf(since) }));
    },
  };
}

async function usageOf(
  { state }: Pick<Session, "state">,
  sampler: UsageSampler,
  left: readonly LeftProcess[],
): Promise<ShellUsage[]> {
  const running = state.now.shells.flatMap(({ id, title, pid }) => (pid === null ? [] : [{ id, title, pid }]));
  const { below, others } = await sampler.measure(
    running.map(({ pid }) => pid),
    left.map(({ pid }) => pid),
  );
  const leftOf = (shell: ShellId) =>
    left
      .filter(({ shellId }) => shellId === shell)
      .flatMap(({ pid, name, agentType, since }) => {
        const load = others.find((one) => one.pid === pid);
        return load === undefined ? [] : [{ ...shown(load), name, agentType, since: isoOf(since) }];
      });
  const own = running.map(({ id, title, pid }): ShellUsage => {
    const processes = below.get(pid) ?? [];
    const leftBehind = leftOf(id);
    return {
      ...{ shellId: id, title, count: processes.length },
      cpuPercent: Math.round(processes.reduce((sum, { cpuPercent }) => sum + cpuPercent, 0) * 10) / 10,
      memoryBytes: processes.reduce((sum, { memoryBytes }) => sum + memoryBytes, 0),
      processes: processes.slice(0, MAX_LISTED_PROCESSES).map(shown),
      ...{ leftCount: leftBehind.length, leftBehind },
    };
  });
  const known = new Set(running.map(({ id }) => id));
  const closed = [...new Set(left.map(({ shellId }) => shellId))].filter((id) => !known.has(id));
  const nothing = { title: "", cpuPercent: 0, memoryBytes: 0, count: 0, processes: [] };
  const rest = closed.map((shellId): ShellUsage => {
    const leftBehind = leftOf(shellId);
    return { shellId, ...nothing, leftCount: leftBehind.length, leftBehind };
  });
  return [...own, ...rest.filter(({ leftCount }) => leftCount > 0)];
}

function shown({ pid, ppid, name, cpuPercent, memoryBytes }: ProcessLoad): ProcessUsage {
  return { pid, parent: ppid, name, cpuPercent, memoryBytes };
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString();
}

function notLeft(pid: number): RemoteError {
  const sentence = `No process ${pid} was left behind by an ended agent of this session: getShellUsage lists those that were.`;
  return new RemoteError("invalid_request", sentence);
}
