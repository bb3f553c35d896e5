import type { Agent } from "../../core/protocol/agent-records.ts";
import type { SessionId } from "../../core/protocol/ids.ts";
import { reasonOf, type StatusSignal } from "./agent-status.ts";
import { AgentTasks } from "./agent-tasks.ts";
import { type AgentChange, type ShellRef, shellKey } from "./agents-options.ts";
import type { ChangePace } from "./change-pace.ts";
import { noUsage } from "./ledger.ts";
import { type ProgramReport, parseProgramReport, type TaskReport } from "./program-status.ts";

interface ReportedProgram {
  /** Without its tasks. */
  agent: Agent;
  published: Agent | undefined;
  readonly tasks: AgentTasks;
}

interface ShellPrograms {
  readonly shell: ShellRef;
  readonly programs: Map<string, ReportedProgram>;
}

interface ReportedProgramsOptions {
  /** Whether a name is that of a program with an adapter. */
  readonly isKnown: (app: string) => boolean;
  readonly onChange: (change: AgentChange) => void;
  readonly pace: ChangePace;
}

/** Beyond this number the programs of a shell are not listed: one could invent names without an end. */
const MOST_IN_SHELL = 8;

/**
 * Programs that report their state by OSC 7501 and have no adapter: listed under the name that they give themselves
 * (`app=`), with that state and their tasks. One ends with its own `clear`, at the shell's next prompt, or with its
 * shell.
 */
export class ReportedPrograms {
  readonly #options: ReportedProgramsOptions;
  readonly #shells = new Map<string, ShellPrograms>();

  constructor(options: ReportedProgramsOptions) {
    this.#options = options;
  }

  list(session: SessionId): Agent[] {
    const own = [...this.#shells.values()].filter(({ shell }) => shell.sessionId === session);
    return own.flatMap(({ programs }) => [...programs.values()].map((program) => recordOf(program)));
  }

  /** Takes a report. Returns whether it is of a program without an adapter. */
  report(shell: ShellRef, payload: string, at: number): boolean {
    const report = parseProgramReport(payload);
    if (report?.app === undefined || this.#options.isKnown(report.app)) return false;
    if (report.said === "clear") {
      this.#end(shell, report.app, at);
      return true;
    }
    const entry = this.#of(shell);
    const { programs } = entry;
    const known = programs.get(report.app);
    if (known === undefined && programs.size >= MOST_IN_SHELL) return true;
    const agent = agentOf(shell, { ...report, app: report.app }, { before: known?.agent, at });
    const program = known ?? { agent, published: undefined, tasks: new AgentTasks() };
    program.agent = agent;
    programs.set(report.app, program);
    this.#publish(entry);
    return true;
  }

  /** Takes the report of a task. It belongs to the program that is named, or to the `last` one that reported itself. */
  reportTask(shell: ShellRef, task: TaskReport, { last, at }: { readonly last: string | undefined; at: number }): void {
    const entry = this.#shells.get(shellKey(shell));
    const program = entry?.programs.get(task.app ?? "") ?? entry?.programs.get(last ?? "");
    if (entry !== undefined && program?.tasks.report(task, at) === true) this.#publish(entry);
  }

  /** The shell shows its prompt: what ran in it has ended. */
  prompted(shell: ShellRef, at: number): void {
    for (const app of [...(this.#shells.get(shellKey(shell))?.programs.keys() ?? [])]) this.#end(shell, app, at);
  }

  /** Forgets the programs of all other shells. */
  keepOnly(shells: readonly ShellRef[], at: number): void {
    const keys = new Set(shells.map(shellKey));
    for (const [key, { shell }] of [...this.#shells]) {
      if (keys.has(key)) continue;
      this.prompted(shell, at);
      this.#shells.delete(key);
    }
  }

  #of(shell: ShellRef): ShellPrograms {
    const known = this.#shells.get(shellKey(shell));
    if (known !== undefined) return known;
    const entry = { shell, programs: new Map<string, ReportedProgram>() };
    this.#shells.set(shellKey(shell), entry);
    return entry;
  }

  /** Publishes the programs of a shell that have changed, at the pace of the shell: a program may end and begin again. */
  #publish(entry: ShellPrograms): void {
    this.#options.pace.run(entry, () => {
      const changed = [...entry.programs.values()].filter(
        (program) => !sameRecord(program.published, recordOf(program)),
      );
      for (const program of changed) this.#publishProgram(entry.shell.sessionId, program);
      return changed.length > 0;
    });
  }

  #publishProgram(session: SessionId, program: ReportedProgram): void {
    const { onChange } = this.#options;
    const { published: before } = program;
    const agent = recordOf(program);
    program.published = agent;
    if (before === undefined) onChange({ type: "agent.started", session, agent });
    if (agent.state === "waiting" && before?.state !== "waiting") onChange({ type: "agent.waiting", session, agent });
    else if (before !== undefined) onChange({ type: "agent.updated", session, agent });
  }

  #end(shell: ShellRef, app: string, at: number): void {
    const programs = this.#shells.get(shellKey(shell))?.programs;
    const program = programs?.get(app);
    programs?.delete(app);
    // What began and ended within the pace was never told of.
    if (program?.published === undefined) return;
    const { message: _, progress: __, ...last } = program.agent;
    const reason = reasonOf({ source: "program-status", status: "ended", detail: "it no longer reports", at });
    program.agent = { ...last, state: "ended", status: "ended", since: reason.at, reason };
    this.#options.onChange({ type: "agent.ended", session: shell.sessionId, agent: recordOf(program) });
  }
}

function recordOf({ agent, tasks }: ReportedProgram): Agent {
  const list = tasks.list(agent.state === "ended");
  return list.length === 0 ? agent : { ...agent, tasks: list };
}

/** Whether a record says the same as an earlier one, but for when it was said. */
function sameRecord(before: Agent | undefined, agent: Agent): boolean {
  const told = (one: Agent) => JSON.stringify({ ...one, reason: one.reason?.detail });
  return before !== undefined && told(before) === told(agent);
}

function agentOf(
  { shellId }: ShellRef,
  { app, status, said, message, progress }: ProgramReport & { readonly app: string },
  { before, at }: { readonly before: Agent | undefined; readonly at: number },
): Agent {
  const detail = message === undefined ? said : `${said}: ${message}`;
  const signal: StatusSignal = { source: "program-status", status, detail, at };
  return {
    shellId,
    agentType: app,
    model: "",
    sessionId: "",
    tokenUsage: noUsage,
    state: status,
    status,
    since: before?.state === status && before.since !== undefined ? before.since : new Date(at).toISOString(),
    reason: reasonOf(signal),
    ...(status === "error" && message !== undefined && { message }),
    ...(progress !== undefined && { progress }),
  };
}
