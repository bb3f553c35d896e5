import type { Agent } from "../../core/protocol/agent-records.ts";
import type { SessionId, ShellId } from "../../core/protocol/ids.ts";
import { reasonOf, type StatusSignal } from "./agent-status.ts";
import type { AgentChange } from "./agents-options.ts";
import { noUsage } from "./ledger.ts";
import { parseProgramReport } from "./program-status.ts";

/** Shell ids are unique only within a session. */
interface ShellRef {
  readonly sessionId: SessionId;
  readonly shellId: ShellId;
}

/** Beyond this number the programs of a shell are not listed: one could invent names without an end. */
const MOST_IN_SHELL = 8;

/**
 * Programs that report their state by OSC 7501 and have no adapter: listed under the name that they give themselves
 * (`app=`), with that state alone. One ends with its own `clear`, at the shell's next prompt, or with its shell.
 */
export class ReportedPrograms {
  readonly #isKnown: (app: string) => boolean;
  readonly #publish: (change: AgentChange) => void;
  readonly #shells = new Map<string, { readonly shell: ShellRef; readonly programs: Map<string, Agent> }>();

  /** `isKnown`: the program has an adapter. */
  constructor(isKnown: (app: string) => boolean, publish: (change: AgentChange) => void) {
    this.#isKnown = isKnown;
    this.#publish = publish;
  }

  list(session: SessionId): Agent[] {
    const own = [...this.#shells.values()].filter(({ shell }) => shell.sessionId === session);
    return own.flatMap(({ programs }) => [...programs.values()]);
  }

  /** Takes a report. Returns whether it is of a program without an adapter. */
  report(shell: ShellRef, payload: string, at: number): boolean {
    const report = parseProgramReport(payload);
    if (report?.app === undefined || this.#isKnown(report.app)) return false;
    if (report.said === "clear") {
      this.#end(shell, report.app, at);
      return true;
    }
    const { programs } = this.#of(shell);
    const before = programs.get(report.app);
    if (before === undefined && programs.size >= MOST_IN_SHELL) return true;
    const { status, said, message } = report;
    const detail = message === undefined ? said : `${said}: ${message}`;
    if (before?.state === status && before.reason?.detail === detail) return true;
    const signal: StatusSignal = { source: "program-status", status, detail, at };
    const agent: Agent = {
      shellId: shell.shellId,
      agentType: report.app,
      model: "",
      sessionId: "",
      tokenUsage: noUsage,
      state: status,
      status,
      since: before?.state === status && before.since !== undefined ? before.since : new Date(at).toISOString(),
      reason: reasonOf(signal),
      ...(status === "error" && message !== undefined && { message }),
    };
    programs.set(report.app, agent);
    const session = shell.sessionId;
    if (before === undefined) this.#publish({ type: "agent.started", session, agent });
    if (status === "waiting" && before?.state !== "waiting") this.#publish({ type: "agent.waiting", session, agent });
    else if (before !== undefined) this.#publish({ type: "agent.updated", session, agent });
    return true;
  }

  /** The shell shows its prompt: what ran in it has ended. */
  prompted(shell: ShellRef, at: number): void {
    for (const app of [...(this.#shells.get(keyOf(shell))?.programs.keys() ?? [])]) this.#end(shell, app, at);
  }

  /** Forgets the programs of all other shells. */
  keepOnly(shells: readonly ShellRef[], at: number): void {
    const keys = new Set(shells.map(keyOf));
    for (const [key, { shell }] of [...this.#shells]) if (!keys.has(key)) this.prompted(shell, at);
  }

  #of(shell: ShellRef): { readonly programs: Map<string, Agent> } {
    const known = this.#shells.get(keyOf(shell));
    if (known !== undefined) return known;
    const entry = { shell, programs: new Map<string, Agent>() };
    this.#shells.set(keyOf(shell), entry);
    return entry;
  }

  #end(shell: ShellRef, app: string, at: number): void {
    const entry = this.#shells.get(keyOf(shell));
    const agent = entry?.programs.get(app);
    if (entry === undefined || agent === undefined) return;
    entry.programs.delete(app);
    if (entry.programs.size === 0) this.#shells.delete(keyOf(shell));
    const { message: _, ...last } = agent;
    const reason = reasonOf({ source: "program-status", status: "ended", detail: "it no longer reports", at });
    const ended: Agent = { ...last, state: "ended", status: "ended", since: reason.at, reason };
    this.#publish({ type: "agent.ended", session: shell.sessionId, agent: ended });
  }
}

function keyOf({ sessionId, shellId }: ShellRef): string {
  return `${sessionId}/${shellId}`;
}
