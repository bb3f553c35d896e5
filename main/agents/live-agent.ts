import type { Agent, AgentEvidence, AgentStatus, ChildAgent } from "../../core/protocol/agent-records.ts";
import type { SessionId, ShellId } from "../../core/protocol/ids.ts";
import type { AgentContext, QuotaWindow } from "../../core/protocol/quotas.ts";
import { shownLine } from "../../core/protocol/shown-line.ts";
import type { EndedProcess, JoinedSession } from "./adapters/adapter.ts";
import { homeOf } from "./adapters/agent-home.ts";
import { decideStatus, reasonOf, type StatusSignal, type StatusSignals, withSignal } from "./agent-status.ts";
import { AgentTasks } from "./agent-tasks.ts";
import type { FoundAgent } from "./find-agents.ts";
import { noUsage } from "./ledger.ts";
import { programStart } from "./program-start.ts";
import { oneLine, type ProgramReport } from "./program-status.ts";
import type { Quotas } from "./quotas.ts";
import type { SessionAccount } from "./session-account.ts";
import { withoutSupport } from "./signs-of-work.ts";
import type { ProgramStart } from "./usage-store.ts";

/** What was read of a process while it ran. */
type LastSeen = Pick<EndedProcess, "argv" | "home" | "cwd">;

interface LiveAgentContext {
  readonly quotas: Pick<Quotas, "of">;
  /** When it was found, in ms. */
  readonly now: number;
  readonly startedBy: LiveAgent | undefined;
}

/** One running agent: its process, the session it works on and what is known of its status. */
export class LiveAgent {
  readonly session: SessionId;
  readonly shellId: ShellId;
  found: FoundAgent;
  joined: JoinedSession | undefined;
  account: SessionAccount | undefined;
  /** The model that was requested, until the transcript names one. */
  startModel: string | undefined;
  readingModel = false;
  /** The record that was last published. */
  published: Agent | undefined;
  ended = false;
  /** The agent whose tool started this one. */
  readonly startedBy: LiveAgent | undefined;
  /** What its tools have started. */
  children: readonly ChildAgent[] = [];
  /** The session for which `children` was read last; undefined to read it again. */
  childrenOf: string | undefined;
  lastSeen: LastSeen | undefined;
  /** How its program was started, as its process first showed it. */
  program: ProgramStart | undefined;
  /** From when to when another agent of its kind was in its folder, in ms. */
  shared: { readonly from: number; readonly until: number } | undefined;
  /** What it has reported through a hook: tokens that fit into the context, and whether its account has quota windows. */
  limits: { readonly contextSize: number | undefined; readonly hasWindows: boolean | undefined } | undefined;
  /** The model whose context was measured last, and how much fits into it. */
  sized: { readonly model: string; readonly size?: number | undefined } | undefined;
  readonly tasks = new AgentTasks();
  readonly #foundAt: number;
  readonly #quotas: Pick<Quotas, "of">;
  #signals: StatusSignals = {};
  #status: AgentStatus = "idle";
  #since: number;
  /** When it began to work, by its own reports: the last ones. */
  #turns: readonly number[] = [];
  #progress: number | undefined;
  /** When its terminal last told or showed anything of it. */
  #heardAt: number;

  constructor(
    { session, shellId }: { readonly session: SessionId; readonly shellId: ShellId },
    found: FoundAgent,
    { quotas, now, startedBy }: LiveAgentContext,
  ) {
    this.#quotas = quotas;
    this.startedBy = startedBy;
    this.session = session;
    this.shellId = shellId;
    this.found = found;
    this.#foundAt = now;
    this.#since = found.launchedAt;
    this.#heardAt = now;
  }

  get kind(): string {
    return this.found.adapter.kind;
  }

  /** A process that only looks like an agent, or that an agent has started, counts once it has a transcript of its own. */
  get counts(): boolean {
    if (this.joined === undefined) return this.found.recognition === "certain" && this.startedBy === undefined;
    return this.joined.sessionId !== this.startedBy?.joined?.sessionId;
  }

  /** The status of the last terminal title that had one. */
  get titleStatus(): AgentStatus | undefined {
    return this.#signals.title?.status;
  }

  get model(): string {
    return this.account?.model || this.startModel || "";
  }

  /** Remembers what the process shows: when it has ended, it shows nothing. */
  observe(): void {
    const { process, launched, adapter } = this.found;
    const cwd = process.cwd();
    const home = homeOf(adapter, process);
    if (home !== undefined && cwd !== undefined) this.lastSeen = { home, cwd, argv: process.argv() };
    this.program ??= programStart(adapter, launched);
  }

  receiveStatus(signal: StatusSignal): void {
    this.#heardAt = Math.max(this.#heardAt, signal.at);
    const before = this.#signals[signal.source]?.status;
    this.#signals = withSignal(this.#signals, signal);
    if (signal.source === "program-status" && signal.status === "working" && before !== "working")
      this.#turns = [...this.#turns, signal.at].slice(-KEPT_TURNS);
  }

  /** Its terminal shows that it works. */
  showsWork(at: number): void {
    this.#heardAt = at;
  }

  /** The shell's screen is its own: not in a pane of tmux, which may not be shown, and not where another agent has started it. */
  get hasTerminal(): boolean {
    return this.startedBy === undefined && this.found.process.pane === undefined;
  }

  /**
   * When it was last told of, while its terminal or its own file alone says that it works; undefined otherwise, and where it
   * has no terminal of its own.
   */
  get toldToWorkAt(): number | undefined {
    const { source, status, at } = this.#told();
    const isSaid = source === "title" || source === "program-status" || source === "agent-file";
    const { stopped } = this.found.process;
    const isOpen = isSaid && status === "working" && this.hasTerminal && !stopped && !this.ended;
    return isOpen ? Math.max(this.#lastToldAt, at) : undefined;
  }

  get #lastToldAt(): number {
    const written = Date.parse(this.account?.lastAt ?? "");
    return Number.isNaN(written) ? this.#heardAt : Math.max(this.#heardAt, written);
  }

  /** Takes from its report what is no status. */
  receiveReport({ said, progress }: ProgramReport): void {
    this.#progress = progress;
    if (said === "clear") this.tasks.clear();
  }

  /** The shell shows its prompt: an error that was reported before is no news any more. */
  prompted(at: number): void {
    this.#progress = undefined;
    this.tasks.prompted();
    if (this.#signals["program-status"]?.status === "error")
      this.receiveStatus({ source: "program-status", status: "idle", detail: "the shell's prompt", at });
  }

  /** Did its terminal report the beginning of a turn at this time? undefined where that could not have been heard. */
  promptOrigin(at: number): "own" | "unheard" | undefined {
    if (this.#turns.some((turn) => Math.abs(turn - at) <= TURN_SLACK_MS)) return "own";
    const reports = this.#signals["program-status"] !== undefined && at >= this.#foundAt + TURN_SLACK_MS;
    return reports ? "unheard" : undefined;
  }

  get context(): AgentContext | undefined {
    const context = this.account?.context;
    const size = context?.size ?? this.limits?.contextSize ?? this.sized?.size;
    return context && { ...context, ...(size !== undefined && { size }) };
  }

  /** The quota windows of its account at a time; none for an agent that says that it has none. */
  windows(now: number): readonly QuotaWindow[] {
    if (this.joined === undefined || (this.account?.hasWindows ?? this.limits?.hasWindows) === false) return [];
    return this.#quotas.of({ agentType: this.kind, home: this.joined.home }, now);
  }

  /** The agent as it is now. */
  record(now: number): Agent {
    const decided = this.#decide(now);
    if (decided.status !== this.#status) {
      this.#status = decided.status;
      this.#since = decided.at;
    }
    const state = this.ended ? "ended" : decided.status;
    const { context } = this;
    const windows = this.windows(now);
    const tasks = this.tasks.list(this.ended);
    const progress = state === "working" || state === "waiting" ? this.#progress : undefined;
    return {
      shellId: this.shellId,
      agentType: this.kind,
      model: this.model,
      sessionId: this.joined?.sessionId ?? "",
      ...(this.joined?.assumed === true && { assumed: true }),
      tokenUsage: this.account?.usage() ?? noUsage,
      state,
      status: state,
      since: new Date(this.#since).toISOString(),
      reason: reasonOf(decided),
      ...(decided.status === "error" && decided.message !== undefined && !this.ended && { message: decided.message }),
      ...(this.found.process.stopped && !this.ended && { paused: true }),
      ...(this.found.process.pane !== undefined && { inPane: true }),
      ...(context !== undefined && { context }),
      ...(windows.length > 0 && { windows: [...windows] }),
      ...(this.children.length > 0 && { children: [...this.children] }),
      ...(progress !== undefined && { progress }),
      ...(tasks.length > 0 && { tasks }),
    };
  }

  /** What says which state it has. */
  explain(now: number): AgentEvidence {
    const { agentType, sessionId, assumed, state = "idle", reason } = this.record(now);
    const decided = this.#decide(now);
    const signals = Object.values(this.#allSignals()).sort((one, other) => other.at - one.at);
    const evidence = signals.map((signal) => ({
      source: signal.source,
      status: signal.status,
      detail: signal.detail,
      at: new Date(signal.at).toISOString(),
      ageMs: Math.max(0, now - signal.at),
      decides: signal.source === decided.source,
    }));
    return {
      agentType,
      sessionId,
      ...(assumed !== undefined && { assumed }),
      state,
      reason: reason ?? reasonOf(decided),
      evidence,
    };
  }

  /** The status of its transcript, where no better source says what it does. */
  get byTranscript(): Pick<StatusSignal, "status" | "at"> | undefined {
    return this.isReported ? undefined : this.#allSignals().transcript;
  }

  /** Its terminal reports its turns: by its title, or by a report of its own. */
  get isReported(): boolean {
    return this.#signals["program-status"] !== undefined || this.#signals.title !== undefined;
  }

  #decide(now: number): StatusSignal {
    const toldAt = this.toldToWorkAt;
    return toldAt === undefined ? this.#told() : withoutSupport(this.#told(), toldAt, now);
  }

  #told(): StatusSignal {
    return decideStatus(this.#allSignals(), this.found.launchedAt);
  }

  #allSignals(): StatusSignals {
    const file = this.joined?.reported;
    const transcript = this.#transcriptSignal();
    let signals = this.#signals;
    if (transcript !== undefined) signals = { ...signals, transcript };
    if (file !== undefined) signals = { ...signals, "agent-file": { source: "agent-file", ...file } };
    return signals;
  }

  /** A resumed session's last words of an earlier run say nothing about this one. */
  #transcriptSignal(): StatusSignal | undefined {
    const told = this.account?.status;
    const at = told === undefined ? Number.NaN : Date.parse(told.at);
    if (told === undefined || !(at >= this.found.launchedAt - SLACK_MS)) return undefined;
    if (told.status !== "error") return { source: "transcript", status: told.status, detail: told.detail, at };
    const message = shownLine(oneLine(told.detail), MAX_MESSAGE);
    return {
      source: "transcript",
      status: "error",
      detail: `error: ${message}`,
      at,
      ...(message !== "" && { message }),
    };
  }
}

const SLACK_MS = 1000;
const MAX_MESSAGE = 2048;
const KEPT_TURNS = 200;
/** Between a turn's record in the transcript and the report of it, on a machine that is busy. */
const TURN_SLACK_MS = 2000;
