import type { HookQuestion, HookReply, HookReport } from "../../../core/protocol/agent-hooks.ts";
import type { Agent } from "../../../core/protocol/agent-records.ts";
import { RemoteError } from "../../../core/protocol/errors.ts";
import type { RelayEvent } from "../../../core/protocol/events.ts";
import { formatSeconds } from "../../../core/protocol/format-seconds.ts";
import type { ShellId } from "../../../core/protocol/ids.ts";
import type { Lifetime } from "../../../core/protocol/lifetime.ts";
import {
  needsAttention,
  type Question,
  type QuestionAnswerer,
  type QuestionReceipt,
} from "../../../core/protocol/questions.ts";
import { Changes } from "../../system/changes.ts";
import type { QuestionRows, StoredQuestion } from "../store/question-rows.ts";
import { chosenAnswer, type GivenAnswer } from "./chosen-answer.ts";
import { Proofs } from "./proofs.ts";
import { type Closing, closedError, type NewQuestion, QuestionBook, type QuestionsSession } from "./question-book.ts";
import { type ScreenPort, ScreenQuestions } from "./screen-questions.ts";
import { NO_DECISION, WaitingHooks } from "./waiting-hooks.ts";

export interface QuestionsOptions {
  readonly session: QuestionsSession;
  readonly rows: QuestionRows;
  readonly isRunning: (shell: ShellId) => boolean;
  readonly agents: () => readonly Agent[];
  /** What the tools of an agent session have answered lately. */
  readonly toolResults: (agentSessionId: string) => Promise<readonly string[]>;
  readonly screen: ScreenPort;
  /** Carries out the answer to a question of the relay itself. */
  readonly relayAnswered?: ((question: Question) => void) | undefined;
  readonly unconfirmedAfterMs?: number;
}

/** A question of the relay itself about an agent: see `askForRelay`. */
export type RelayQuestion = Pick<
  NewQuestion,
  "shellId" | "agentType" | "agentSessionId" | "kind" | "title" | "text" | "options" | "risk" | "rule"
>;

/** What an answerer may decide. */
export interface AnswerRights {
  /** The questions of the relay itself: for the session's owner. */
  readonly forRelay: boolean;
}

/** An event of an agent in a shell, from its hook or by its protocol. */
export interface HookEvent {
  readonly shell: ShellId;
  readonly agentType: string;
  /** Default: its hook. */
  readonly source?: "hook" | "protocol";
  /** Names the run of the hook, so that one that connects again continues its question. */
  readonly key: string;
  readonly report: HookReport;
}

const UNCONFIRMED_AFTER_MS = 10_000;
/** After a hook's end: time for the signal that says whether its agent ended too. Within the 300 ms of docs/questions.md. */
const HOOK_END_MS = 200;
/** After an agent has stopped waiting, its next dialog opens, or it ends, within this time. */
const NEXT_SIGN_MS = 200;
/** After a start of the relay, agents are found again within this time. */
const AGENTS_FOUND_MS = 30_000;
const EXPIRE_AFTER_MS = 24 * 3600 * 1000;
const EXPIRE_CHECK_MS = 60_000;

const TERMINAL: Closing = {
  state: "answered",
  answer: { option: null, text: null },
  answeredBy: { kind: "terminal", name: "terminal", client: null },
  receipt: null,
};

/**
 * The questions of the agents in a session's shells. The first answer wins, given here or in the terminal. A relay that
 * does not know an answer never decides: the hook that waits then ends without a decision, and the agent's own dialog
 * stays (docs/decisions/0025).
 */
export class Questions implements Disposable {
  readonly #options: QuestionsOptions;
  readonly #book: QuestionBook;
  readonly #proofs: Proofs;
  readonly #screens: ScreenQuestions;
  readonly #hooks = new WaitingHooks();
  /**
   * Questions whose agent was seen waiting, so that its next state means that they are settled. Those from the screen are
   * asked by agents that wait.
   */
  readonly #seenWaiting = new Set<number>();
  readonly #changes = new Changes<Question>();
  readonly #timers = new Set<NodeJS.Timeout>();
  #disposed = false;

  constructor(options: QuestionsOptions) {
    const { session, rows, toolResults, unconfirmedAfterMs = UNCONFIRMED_AFTER_MS } = options;
    this.#options = options;
    this.#book = new QuestionBook(
      {
        id: session.id,
        apply: (diff) => session.apply(diff),
        emit: (event) => {
          session.emit(event);
          if (event.type.startsWith("question.")) this.#tell(event);
        },
      },
      rows,
    );
    this.#proofs = new Proofs({
      set: (id, state, evidence) => this.settle(id, state, evidence),
      toolResults,
      unconfirmedAfterMs,
    });
    this.#screens = new ScreenQuestions({
      book: this.#book,
      screen: options.screen,
      isWaiting: (agent) => options.agents().some((one) => isSame(one, agent) && one.state === "waiting"),
    });
    const expiry = setInterval(() => this.#expire(), EXPIRE_CHECK_MS);
    expiry.unref();
    this.#timers.add(expiry);
  }

  /** Takes over what the last run of the relay left. Called once, when the session is complete. */
  restore(): void {
    for (const { question } of this.#book.all()) {
      if (needsAttention(question)) this.#options.session.apply({ kind: "question", question });
      if (question.receipt?.state === "pending")
        this.#book.setReceipt(question.id, "unconfirmed", "answer not confirmed: the relay was restarted");
      if (question.state !== "open") continue;
      if (isOfRelay(question)) {
        if (!this.#options.isRunning(question.shellId)) this.withdraw(question.id, "its shell has ended");
        continue;
      }
      this.#book.setAnswerable(question.id, false);
      this.#seenWaiting.add(question.id);
      if (!this.#options.isRunning(question.shellId)) this.withdraw(question.id, "its shell has ended");
    }
    const left = this.#ofAgents().map(({ question }) => question.id);
    if (left.length > 0) this.#after(AGENTS_FOUND_MS, () => this.#withdrawOrphans(left));
  }

  /** Returns the questions that need a person, oldest first; with `all` the kept closed ones too. */
  list({ all = false }: { readonly all?: boolean } = {}): Question[] {
    return this.#book.all().flatMap(({ question }) => (all || needsAttention(question) ? [question] : []));
  }

  /** Returns a question that is kept, whatever its state. */
  find(id: number): Question | undefined {
    return this.#book.find(id)?.question;
  }

  /**
   * Asks a question of the relay itself about an agent. It is answered through Patchbay alone: nothing that the agent does
   * settles it. Returns undefined where too many are open already.
   */
  askForRelay(asked: RelayQuestion): Question | undefined {
    return this.#book.open(
      { ...asked, detail: {}, acceptsText: false, answerable: true, source: "governor", confidence: "high" },
      { hook: null, thread: "", call: "" },
    );
  }

  /** Records what has become of the answer to a question of the relay. */
  settle(id: number, state: QuestionReceipt["state"], evidence: string): void {
    this.#book.setReceipt(id, state, evidence);
    const changed = this.find(id);
    if (changed !== undefined) this.#changes.tell(changed);
  }

  /** Withdraws an open question. */
  withdraw(id: number, because: string): void {
    this.#close(id, withdrawn(because));
  }

  /**
   * Takes an event of a hook. For a question it resolves to the hook's output when that is answered, without a decision
   * when it is settled elsewhere. `signal` says that the hook has ended.
   */
  async hook(event: HookEvent, signal: AbortSignal): Promise<HookReply["output"]> {
    const { report } = event;
    switch (report.kind) {
      case "asks":
        return this.#ask(event, report.question, signal);
      case "settled":
        this.#closeAll(TERMINAL, ({ question, origin }) => {
          return question.agentSessionId === report.agentSessionId && origin.call === report.call;
        });
        break;
      case "ran":
        this.#proofs.ran(report.agentSessionId, report.call);
        this.#closeAll(TERMINAL, ({ question, origin }) => {
          return question.agentSessionId === report.agentSessionId && origin.call === report.call;
        });
        break;
      case "turn":
        this.#proofs.turnEnded(report.agentSessionId);
        this.#closeAll(TERMINAL, ({ question, origin }) => {
          return question.agentSessionId === report.agentSessionId && origin.thread === report.thread;
        });
        break;
      case "ended":
        this.#proofs.ended(report.agentSessionId);
        this.#closeAll(withdrawn("its agent session has ended"), ({ question }) => {
          return question.agentSessionId === report.agentSessionId;
        });
    }
    return NO_DECISION;
  }

  /**
   * Answers a question. Of several answers the first one wins.
   *
   * @throws RemoteError `unknown_question`, `question_closed`, `question_not_answerable`, `invalid_params`,
   * `screen_changed`, `scope_forbids`, `storage_failed`
   */
  async answer(
    id: number,
    given: GivenAnswer,
    by: QuestionAnswerer,
    rights: AnswerRights = { forRelay: false },
  ): Promise<Question> {
    const { question, origin } = this.#book.get(id);
    if (isOfRelay(question) && !rights.forRelay) throw notForCaller(question);
    if (question.state !== "open") throw closedError(question);
    const answer = chosenAnswer(question, given);
    const receipt = {
      state: "pending",
      evidence: "the agent's record is awaited",
      at: new Date().toISOString(),
    } as const;
    const closing: Closing = { state: "answered", answer, answeredBy: by, receipt };
    if (isOfRelay(question)) {
      const closed = this.#book.close(id, closing);
      this.#options.relayAnswered?.(closed);
      return this.#book.get(id).question;
    }
    const asked = this.#hooks.questionOf(id);
    if (asked === undefined) {
      const closed = await this.#screens.answer(question, given, closing);
      this.#proofs.expect({ id, agent: agentOf(question), call: "", allows: true });
      return closed;
    }
    const { output, allows, recorded } = asked.reply(answer, `${by.name}, question ${id}`);
    const closed = this.#book.close(id, closing);
    this.#proofs.expect({ id, agent: agentOf(question), call: origin.call, allows, ...(recorded && { recorded }) });
    this.#hooks.release(id, output);
    return closed;
  }

  /** Whether an agent in the shell waits for an answer. */
  isOpenIn(shell: ShellId): boolean {
    return this.#ofAgents().some(({ question }) => question.shellId === shell);
  }

  /** Resolves when the receipt of an answer is no longer pending, at the latest after `timeoutMs`. */
  async settled(id: number, timeoutMs: number): Promise<Question> {
    const isSettled = ({ receipt }: Question) => receipt?.state !== "pending";
    const { question } = this.#book.get(id);
    if (isSettled(question) || timeoutMs <= 0) return question;
    return (
      (await this.#changes.next((changed) => changed.id === id && isSettled(changed), timeoutMs)) ??
      this.#book.get(id).question
    );
  }

  /**
   * Resolves to an open question of a shell, at once if there is one.
   *
   * @throws RemoteError `wait_timeout`
   */
  async waitForOpen(shell: ShellId, timeoutMs: number, lifetime?: Lifetime): Promise<Question> {
    const isOpen = ({ shellId, state }: Question) => shellId === shell && state === "open";
    const known = this.#book.openOnes().find(({ question }) => isOpen(question));
    const found = known?.question ?? (await this.#changes.next(isOpen, timeoutMs, lifetime));
    if (found !== undefined) return found;
    if (lifetime?.ended !== undefined) throw lifetime.ended;
    throw new RemoteError(
      "wait_timeout",
      `No agent in shell ${shell} asked anything within ${formatSeconds(timeoutMs)}.`,
    );
  }

  /** Takes an event of the session: what agents and shells do settles questions. */
  heard(event: RelayEvent): void {
    switch (event.type) {
      case "agent.started":
      case "agent.waiting":
      case "agent.updated":
        this.#agentChanged(event.data);
        break;
      case "agent.ended":
        this.#screens.forget(event.data);
        this.#proofs.ended(agentOf(event.data));
        this.#closeAll(withdrawn("its agent has ended"), ({ question }) => isSame(question, event.data));
        break;
      case "shell.exited":
        this.#closeOpen(
          this.#openIds(({ question }) => question.shellId === event.data.shellId),
          withdrawn("its shell has ended"),
        );
    }
  }

  /** Leaves the questions open in the store: a hook whose connection ends with the relay connects again to the next one. */
  [Symbol.dispose](): void {
    this.#disposed = true;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
    this.#proofs[Symbol.dispose]();
    this.#screens[Symbol.dispose]();
    this.#hooks.clear();
    this.#changes[Symbol.dispose]();
  }

  #ask(event: HookEvent, asked: HookQuestion, signal: AbortSignal): Promise<HookReply["output"]> {
    const { shell, agentType, key, source = "hook" } = event;
    const { thread, call, takesReply, onScreen: _screen, reply: _reply, ...fields } = asked;
    const known = this.#book.all().find(({ question, origin }) => origin.hook === key && question.shellId === shell);
    if (known !== undefined && known.question.state !== "open") return Promise.resolve(NO_DECISION);
    const question =
      known?.question ??
      this.#book.open(
        {
          ...fields,
          detail: asked.onScreen ? { ...fields.detail, screen: "" } : fields.detail,
          shellId: shell,
          agentType,
          answerable: takesReply,
          source,
          confidence: "high",
          rule: null,
        },
        { hook: key, thread, call },
      );
    if (question === undefined || signal.aborted) return Promise.resolve(NO_DECISION);
    this.#screens.replacedBy(question);
    if (this.#options.agents().some((agent) => isSame(question, agent) && agent.state === "waiting"))
      this.#seenWaiting.add(question.id);
    if (asked.onScreen) this.#screens.readDialog(question);
    return takesReply ? this.#holdHook(question.id, asked, signal) : Promise.resolve(NO_DECISION);
  }

  #holdHook(id: number, question: HookQuestion, signal: AbortSignal): Promise<HookReply["output"]> {
    const output = this.#hooks.hold(id, question, signal, () => this.#hookEnded(id));
    this.#book.setAnswerable(id, true);
    return output;
  }

  /** A hook ends without an answer when the user cancels the dialog, or the agent ends. */
  #hookEnded(id: number): void {
    this.#book.setAnswerable(id, false);
    this.#after(HOOK_END_MS, () => {
      const question = this.#book.find(id)?.question;
      if (question?.state !== "open" || this.#hooks.has(id)) return;
      // The dialog is still there: the hook alone was ended.
      if (this.#options.agents().some((agent) => isSame(question, agent) && agent.state === "waiting")) return;
      this.#close(id, TERMINAL);
    });
  }

  #agentChanged(agent: Agent): void {
    const open = this.#ofAgents().filter(({ question }) => isSame(question, agent));
    if (agent.state === "waiting") {
      for (const { question } of open) this.#seenWaiting.add(question.id);
      this.#screens.noticed(agent, open.length > 0);
      return;
    }
    this.#screens.forget(agent);
    if (agent.state === "working") this.#proofs.workedOn(agentOf(agent));
    const settled = open
      .filter(({ question }) => question.source === "screen" || this.#seenWaiting.has(question.id))
      .map(({ question }) => question.id);
    // Of several the next dialog shows which is settled; an agent that does not work on may be about to end.
    if (settled.length === 1 && agent.state === "working") this.#closeOpen(settled, TERMINAL);
    else if (settled.length > 0) this.#after(NEXT_SIGN_MS, () => this.#closeUnlessWaiting(agent, settled));
  }

  #closeUnlessWaiting(agent: Agent, ids: readonly number[]): void {
    const waits = this.#options.agents().some((one) => isSame(one, agent) && one.state === "waiting");
    if (!waits) this.#closeOpen(ids, TERMINAL);
  }

  /** The open questions of agents. */
  #ofAgents(): StoredQuestion[] {
    return this.#book.openOnes().filter(({ question }) => !isOfRelay(question));
  }

  /** Closes questions of agents. */
  #closeAll(closing: Closing, which: (stored: StoredQuestion) => boolean): void {
    this.#closeOpen(
      this.#openIds((stored) => !isOfRelay(stored.question) && which(stored)),
      closing,
    );
  }

  #openIds(which: (stored: StoredQuestion) => boolean): number[] {
    return this.#book
      .openOnes()
      .filter(which)
      .map(({ question }) => question.id);
  }

  #closeOpen(ids: readonly number[], closing: Closing): void {
    for (const id of ids) if (this.#book.find(id)?.question.state === "open") this.#close(id, closing);
  }

  /** Closes a question without an answer of ours, and lets its hook go. */
  #close(id: number, closing: Closing): void {
    this.#seenWaiting.delete(id);
    try {
      this.#book.close(id, closing);
    } finally {
      this.#hooks.release(id, NO_DECISION);
    }
  }

  #withdrawOrphans(ids: readonly number[]): void {
    for (const { question } of this.#book.openOnes()) {
      const isAlive = this.#hooks.has(question.id) || this.#options.agents().some((agent) => isSame(question, agent));
      if (ids.includes(question.id) && !isAlive) this.withdraw(question.id, "its agent ended while the relay was away");
    }
  }

  #expire(): void {
    const due = Date.now() - EXPIRE_AFTER_MS;
    this.#closeOpen(
      this.#openIds(({ question }) => Date.parse(question.askedAt) < due),
      { state: "expired", because: "not answered in a day" },
    );
  }

  #tell(event: RelayEvent): void {
    if (event.type === "question.opened" || event.type === "question.answered" || event.type === "question.withdrawn")
      this.#changes.tell(event.data);
  }

  #after(milliseconds: number, act: () => void): NodeJS.Timeout {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      if (!this.#disposed) act();
    }, milliseconds);
    timer.unref();
    this.#timers.add(timer);
    return timer;
  }
}

/** Whether the relay itself asks. */
function isOfRelay({ source }: Pick<Question, "source">): boolean {
  return source === "governor";
}

function notForCaller({ id }: Question): RemoteError {
  return new RemoteError(
    "scope_forbids",
    `Question ${id} is about a budget, which only the session's owner decides: answer in the app, or with an API key.`,
  );
}

function withdrawn(because: string): Closing {
  return { state: "withdrawn", because };
}

type AgentRef = Pick<Agent, "shellId" | "agentType"> & {
  readonly sessionId?: string;
  readonly agentSessionId?: string;
};

/** Compares agents by their own session, and by their shell while that is not known. */
function isSame(one: AgentRef, other: AgentRef): boolean {
  const [mine, theirs] = [sessionOf(one), sessionOf(other)];
  if (mine !== "" && theirs !== "") return mine === theirs;
  return one.shellId === other.shellId && one.agentType === other.agentType;
}

function agentOf(agent: AgentRef): string {
  return sessionOf(agent) || `shell ${agent.shellId}`;
}

function sessionOf({ sessionId, agentSessionId }: AgentRef): string {
  return agentSessionId ?? sessionId ?? "";
}
