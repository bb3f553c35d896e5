import type { AgentTask } from "../../core/protocol/agent-records.ts";
import { defined } from "../../core/protocol/defined.ts";
import type { TaskReport } from "./program-status.ts";

/** The least that a terminal must keep by the protocol; beyond it the one that was reported longest ago goes. */
const MAX_TASKS = 64;

/** The parts of its work that a program reports by OSC 7501 with an `id`: each report replaces its task as a whole. */
export class AgentTasks {
  /** By id, in the order of their last reports. */
  readonly #tasks = new Map<string, AgentTask>();

  /** Takes a report. Returns whether it changed anything. */
  report({ id, said, status, app, title, message, progress }: TaskReport, at: number): boolean {
    if (said === "clear") return this.#drop((task) => task.id === id || task.id.startsWith(`${id}/`));
    const before = this.#tasks.get(id);
    const state = said === "done" ? "ended" : status;
    const task: AgentTask = {
      id,
      state,
      since: before?.state === state ? before.since : new Date(at).toISOString(),
      ...defined({ app, title, message, progress }),
    };
    this.#tasks.delete(id);
    this.#tasks.set(id, task);
    const [oldest] = this.#tasks.keys();
    if (this.#tasks.size > MAX_TASKS && oldest !== undefined) this.#tasks.delete(oldest);
    return JSON.stringify(before) !== JSON.stringify(task);
  }

  /** The shell shows its prompt: what was under way is over; results stay. */
  prompted(): boolean {
    return this.#drop(({ state }) => state !== "ended" && state !== "error");
  }

  clear(): void {
    this.#tasks.clear();
  }

  /** The tasks by id, so that the parts of a task follow it; none of them runs on once the program has ended. */
  list(ended = false): AgentTask[] {
    const tasks = [...this.#tasks.values()].sort((one, other) => (inTree(one) < inTree(other) ? -1 : 1));
    return ended ? tasks.map(({ progress: _, ...task }) => (task.state === "error" ? task : asEnded(task))) : tasks;
  }

  #drop(isDropped: (task: AgentTask) => boolean): boolean {
    const dropped = [...this.#tasks.values()].filter(isDropped);
    for (const { id } of dropped) this.#tasks.delete(id);
    return dropped.length > 0;
  }
}

function asEnded(task: AgentTask): AgentTask {
  return { ...task, state: "ended" };
}

/** A task's id so that its parts sort right after it. */
function inTree({ id }: AgentTask): string {
  return id.replaceAll("/", "\0");
}
