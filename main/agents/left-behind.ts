import { setTimeout as delay } from "node:timers/promises";
import type { SessionId, ShellId } from "../../core/protocol/ids.ts";
import type { ProcessInfo } from "../system/processes/process-source.ts";
import { processStart } from "../system/processes/process-start.ts";
import type { FoundAgent } from "./find-agents.ts";
import type { LiveAgent } from "./live-agent.ts";

/** A process that outlives the agent that has started it. */
interface LeftProcess {
  readonly session: SessionId;
  readonly shellId: ShellId;
  readonly agentType: string;
  readonly pid: number;
  readonly name: string;
  /** When the agent ended, in ms. */
  readonly since: number;
}

type SeenProcess = Pick<ProcessInfo, "pid" | "startKey" | "comm">;

/** Processes of one agent that are remembered; when there are more, those that have ended are forgotten. */
const MAX_SEEN = 500;
const MAX_LEFT = 1000;
const GRACE_MS = 3000;
const LOOK_MS = 100;

/** Knows which processes agents have started, and which of them run on after the agent. It ends none unasked. */
export class LeftBehind {
  /** By agent, all that was seen below it: a daemon is not below it any more. */
  readonly #seen = new Map<string, Map<number, SeenProcess>>();
  readonly #left = new Map<number, LeftProcess & { readonly startKey: string }>();

  /** Takes what a poll has found of an agent. `processes` is in pre-order. */
  saw({ id, process }: Pick<FoundAgent, "id" | "process">, processes: readonly ProcessInfo[]): void {
    const seen = this.#seen.get(id) ?? new Map<number, SeenProcess>();
    this.#seen.set(id, seen);
    const below = new Set([process.pid]);
    for (const { pid, ppid, startKey, comm } of processes) {
      if (!below.has(ppid) || pid === process.pid) continue;
      below.add(pid);
      seen.set(pid, { pid, startKey, comm });
    }
    if (seen.size > MAX_SEEN) for (const one of [...seen.values()]) if (!runs(one)) seen.delete(one.pid);
  }

  /** The agent has ended: what runs on of it is left behind. */
  ended({ found, kind, session, shellId }: LiveAgent, now: number): void {
    for (const { pid, startKey, comm } of this.#seen.get(found.id)?.values() ?? []) {
      if (!runs({ pid, startKey }) || this.#left.size >= MAX_LEFT) continue;
      this.#left.set(pid, { session, shellId, agentType: kind, pid, startKey, name: comm, since: now });
    }
    this.#seen.delete(found.id);
  }

  /** What runs on of the ended agents of a session. */
  list(session: SessionId): readonly LeftProcess[] {
    for (const one of [...this.#left.values()]) if (!runs(one)) this.#left.delete(one.pid);
    return [...this.#left.values()].filter((one) => one.session === session);
  }

  /** Ends what is left behind, or one process of it: SIGTERM, and SIGKILL after 3 s. Resolves to what has ended. */
  async end(session: SessionId, pid: number | undefined): Promise<readonly LeftProcess[]> {
    const doomed = [...this.#left.values()].filter(
      (one) => one.session === session && (pid ?? one.pid) === one.pid && runs(one),
    );
    for (const one of doomed) signal(one, "SIGTERM");
    const end = performance.now() + GRACE_MS;
    while (doomed.some(runs) && performance.now() < end) await delay(LOOK_MS);
    for (const one of doomed) if (runs(one)) signal(one, "SIGKILL");
    while (doomed.some(runs) && performance.now() < end + GRACE_MS) await delay(LOOK_MS);
    return doomed.filter((one) => !runs(one));
  }
}

/** Whether a process still runs: its id may belong to another one by now. */
function runs({ pid, startKey }: Pick<SeenProcess, "pid" | "startKey">): boolean {
  const started = processStart(pid);
  return started !== undefined && (started === null || started === startKey);
}

function signal({ pid }: Pick<SeenProcess, "pid">, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended meanwhile.
  }
}
