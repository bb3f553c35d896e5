import type { HookQuestion, HookReply } from "../../../core/protocol/agent-hooks.ts";
import type { Agent } from "../../../core/protocol/agent-records.ts";
import { RemoteError } from "../../../core/protocol/errors.ts";
import type { RelayEvent } from "../../../core/protocol/events.ts";
import { formatSeconds } from "../../../core/protocol/format-seconds.ts";
import type { ShellId } from "../../../core/protocol/ids.ts";
import type { Lifetime } from "../../../core/protocol/lifetime.ts";
import type { PolicyVerdict } from "../../../core/protocol/policies.ts";
import {
  type GivenAnswer,
  needsAttention,
  type Question,
  type QuestionAnswerer,
  type QuestionReceipt,
} from "../../../core/protocol/questions.ts";
import { Changes } from "../../system/changes.ts";
import type { StoredQuestion } from "../store/question-rows.ts";
import { agentOf, isSame } from "./agent-ref.ts";
import { checkNothingHidden, notForCaller } from "./answer-rights.ts";
import { chosenAnswer } from "./chosen-answer.ts";
import { Closings, isOfRelay, TERMINAL, withdrawn } from "./closings.ts";
import { ONCE } from "./policy-decision.ts";
import { Proofs } from "./proofs.ts";
import { type Closing, changedError, closedError, type NewQuestion, QuestionBook } from "./question-book.ts";
import { originOf } from "./question-digest.ts";
import type { AnswerRights, HookEvent, QuestionsOptions, RelayQuestion } from "./questions-options.ts";
import { ScreenQuestions } from "./screen-questions.ts";
import { NO_DECISION, WaitingHooks } from "./waiting-hooks.ts";

const UNCONFIRMED_AFTER_MS = 10_000;
const AWAITED = "the agent's record is awaited";

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
  readonly #closings: Closings;
  readonly #changes = new Changes<Question>();
  /** The agents that have reported something to the relay since they were started, by shell and kind. */
  readonly #reporting = new Set<string>();

  constructor(options: QuestionsOptions) {
    const { session, rows, follow, unconfirmedAfterMs = UNCONFIRMED_AFTER_MS } = options;
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
      follow,
      unconfirmedAfterMs,
      isAtWork: (id) => this.#closings.isAtWork(this.#book.get(id).question),
    });
    this.#screens = new ScreenQuestions({
      book: this.#book,
      screen: options.screen,
      isWaiting: (agent) => this.#closings.isWaiting(agent),
      reports: ({ shellId, agentType }) => this.#reporting.has(`${shellId}/${agentType}`),
      dialogStays: (id) => this.#proofs.dialogStays(id),
    });
    this.#closings = new Closings({ book: this.#book, hooks: this.#hooks, agents: options.agents });
  }

  /** Takes over what the last run of the relay left. Called once, when the session is complete. */
  restore(): void {
    this.#book.announceKept();
    for (const { question } of this.#book.all()) {
      if (question.receipt?.state === "pending")
        this.#book.setReceipt(
          question.id,
          "unconfirmed",
          "the relay was restarted before the agent's record showed it",
        );
      if (question.state !== "open") continue;
      if (!isOfRelay(question)) {
        this.#book.setAnswerable(question.id, false);
        this.#closings.sawWaiting(question.id);
      }
      if (!this.#options.isRunning(question.shellId)) this.withdraw(question.id, "its shell has ended");
    }
    this.#closings.withdrawOrphansLater();
  }

  /** Returns the questions that need a person, oldest first; with `all` the kept closed ones too. */
  list({ all = false }: { readonly all?: boolean } = {}): Question[] {
    return this.#book.all().flatMap(({ question }) => (all || needsAttention(question) ? [question] : []));
  }

  /** Returns all questions that are kept, oldest first, with what the relay knows of their origin. */
  stored(): StoredQuestion[] {
    return this.#book.all();
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
    const question: NewQuestion = {
      ...asked,
      ...{ detail: {}, acceptsText: false, answerable: true, source: "governor", confidence: "high" },
    };
    return this.#book.open(question, originOf(question));
  }

  /** Records what has become of the answer to a question of the relay. */
  settle(id: number, state: QuestionReceipt["state"], evidence: string): void {
    this.#book.setReceipt(id, state, evidence);
    const changed = this.find(id);
    if (changed !== undefined) this.#changes.tell(changed);
  }

  /** Withdraws an open question. */
  withdraw(id: number, because: string): void {
    this.#closings.close(id, withdrawn(because));
  }

  /**
   * Takes an event of a hook. For a question it resolves to the hook's output when that is answered, without a decision
   * when it is settled elsewhere. `signal` says that the hook has ended.
   */
  async hook(event: HookEvent, signal: AbortSignal): Promise<HookReply["output"]> {
    const { report, shell } = event;
    if (event.isBeside !== true) this.#reporting.add(`${shell}/${event.agentType}`);
    if (report.kind === "asks") return this.#ask(event, report.question, signal);
    const reporter = { agent: report.agentSessionId, shell };
    const closeOwn = (closing: Closing, which: (origin: StoredQuestion["origin"]) => boolean) =>
      this.#closings.closeAll(closing, ({ question, origin }) => {
        // The token of a shell speaks for the agents in it, whichever agent session it names.
        return question.shellId === shell && question.agentSessionId === report.agentSessionId && which(origin);
      });
    switch (report.kind) {
      case "settled":
        if (report.decision !== undefined) this.#proofs.decided(reporter, report.call, report.decision);
        closeOwn(TERMINAL, ({ call }) => call === report.call);
        break;
      case "withdrawn":
        closeOwn(withdrawn("it was cancelled"), ({ call }) => call === report.call);
        break;
      case "ran":
        this.#proofs.ran(reporter, report.call);
        closeOwn(TERMINAL, ({ call }) => call === report.call);
        break;
      case "turn":
        this.#proofs.turnEnded(reporter, report.thread);
        closeOwn(TERMINAL, ({ thread }) => thread === report.thread);
        break;
      case "ended":
        this.#proofs.ended(reporter);
        closeOwn(withdrawn("its agent session has ended"), () => true);
    }
    return NO_DECISION;
  }

  /**
   * Answers a question. Of several answers the first one wins. It is for what the question shows now, and reaches no other
   * event.
   *
   * @throws RemoteError `unknown_question`, `question_closed`, `question_changed`, `question_not_answerable`, `invalid_params`,
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
    if (given.digest !== undefined && given.digest !== question.digest) throw changedError(question);
    const answer = chosenAnswer(question, given);
    const receipt = { state: "pending", evidence: AWAITED, at: new Date().toISOString() } as const;
    const closing: Closing = { state: "answered", answer, answeredBy: by, receipt };
    if (isOfRelay(question)) {
      const closed = this.#book.close(id, closing);
      this.#options.relayAnswered?.(closed);
      return this.#book.get(id).question;
    }
    const { call, thread } = origin;
    const place = { id, agent: agentOf(question), shell: question.shellId, call, thread };
    const reply = this.#hooks.questionOf(id, origin.digest)?.reply(answer, `${by.name}, question ${id}`);
    if (rights.hidesSecrets === true) checkNothingHidden(question, answer, reply);
    if (reply === undefined) {
      const typed = await this.#screens.answer(question, given, closing);
      this.#proofs.expect({ ...place, allows: typed.allows, typed });
      return this.#book.get(id).question;
    }
    const { output, ...expected } = reply;
    const closed = this.#book.close(id, closing);
    this.#proofs.expect({ ...place, ...expected, isWaiting: this.#closings.isWaiting(question) });
    this.#hooks.release(id, output);
    return closed;
  }

  /** Whether a question of an agent is open in the shell, or the answer to one is being typed there. */
  isOpenIn(shell: ShellId): boolean {
    const open = this.#closings.openOnes().some(({ question }) => question.shellId === shell);
    return open || this.#screens.isTyping(shell);
  }

  /**
   * Whether only a person may type into the shell: a question is open, or an agent waits there whose question is not known
   * yet, or was reported as settled by another program in its shell.
   */
  isForPeople(shell: ShellId): boolean {
    return (
      this.isOpenIn(shell) ||
      this.#options.agents().some((agent) => agent.shellId === shell && agent.state === "waiting")
    );
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

  /** Whether the screen of the shell shows tmux, and so perhaps another pane. */
  #isInPane(question: Question): boolean {
    return this.#options.agents().some((agent) => isSame(question, agent) && agent.inPane === true);
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
        this.#reporting.delete(`${event.data.shellId}/${event.data.agentType}`);
        this.#proofs.ended(reporterOf(event.data));
        this.#closings.closeAll(withdrawn("its agent has ended"), ({ question }) => isSame(question, event.data));
        break;
      case "shell.exited":
        this.#closings.shellEnded(event.data.shellId);
    }
  }

  /** Leaves the questions open in the store: a hook whose connection ends with the relay connects again to the next one. */
  [Symbol.dispose](): void {
    this.#closings[Symbol.dispose]();
    this.#proofs[Symbol.dispose]();
    this.#screens[Symbol.dispose]();
    this.#hooks.clear();
    this.#changes[Symbol.dispose]();
    this.#book[Symbol.dispose]();
  }

  /** `verdict`: what the policies have decided; undefined before they were asked. */
  async #ask(
    event: HookEvent,
    asked: HookQuestion,
    signal: AbortSignal,
    verdict?: PolicyVerdict,
  ): Promise<HookReply["output"]> {
    const { shell, agentType, key, source = "hook" } = event;
    const {
      thread,
      call,
      event: name,
      action,
      takesReply,
      onScreen,
      tellsAnswers: _tells,
      reply: _reply,
      ...fields
    } = asked;
    const opening: NewQuestion = {
      ...fields,
      detail: onScreen ? { ...fields.detail, screen: "" } : fields.detail,
      shellId: shell,
      agentType,
      answerable: takesReply,
      source,
      confidence: "high",
      rule: null,
    };
    const origin = originOf(opening, { hook: key, thread, call, action, event: name });
    const ofKey = this.#book.all().filter((one) => one.origin.hook === key && one.question.shellId === shell);
    const known = ofKey.find((one) => one.origin.digest === origin.digest);
    const isOver = known !== undefined && known.question.state !== "open";
    if (isOver || signal.aborted) return NO_DECISION;
    const { policies } = this.#options;
    if (known === undefined && verdict === undefined && takesReply && policies?.isEmpty() === false) {
      const decided = await policies.decide({ question: opening, action }, shell);
      return this.#ask(event, asked, signal, decided ?? UNDECIDED);
    }
    const policy = verdict?.would === "allow" ? verdict.policy : null;
    const question = known?.question ?? this.#book.open(opening, origin, { quiet: policy !== null });
    if (known === undefined && ofKey.length > 0) this.#askedOtherwise(event, ofKey, question);
    if (question === undefined) return NO_DECISION;
    if (event.isBeside !== true) this.#screens.replacedBy(question);
    if (this.#closings.isWaiting(question)) this.#closings.sawWaiting(question.id);
    if (onScreen && !this.#isInPane(question)) this.#screens.readDialog(question);
    if (!takesReply) return NO_DECISION;
    const output = this.#holdHook(question.id, { question: asked, digest: origin.digest }, signal);
    if (policy !== null && known === undefined) this.#answerByPolicy(question, policy);
    return output;
  }

  /** Answers a question that was not announced. If that fails, a person is asked. */
  #answerByPolicy(question: Question, policy: number): void {
    const by = { kind: "policy", name: `policy ${policy}`, client: null, policy } as const;
    this.answer(question.id, { option: ONCE, digest: question.digest ?? undefined }, by).then(
      () => this.#options.policies?.answered({ question, policy, outcome: "ok" }),
      (error: unknown) => {
        const outcome = error instanceof RemoteError ? error.code : "internal";
        this.#options.policies?.answered({ question, policy, outcome });
        if (this.find(question.id)?.state === "open") this.#book.announce(question.id);
      },
    );
  }

  /**
   * An event has the key of earlier questions, and is another one: it gets none of their answers. A question that no hook
   * waits for any more is asked anew by it, as after an update of the relay.
   */
  #askedOtherwise(
    { shell, agentType }: HookEvent,
    earlier: readonly StoredQuestion[],
    asked: Question | undefined,
  ): void {
    for (const { question } of earlier) {
      this.#options.askedOtherwise?.({ shell, agentType, question: question.id, asked: asked?.id ?? null });
      if (question.state === "open" && asked !== undefined && !this.#hooks.has(question.id))
        this.withdraw(question.id, `its hook asks something else as question ${asked.id}`);
    }
  }

  #holdHook(id: number, asked: Parameters<WaitingHooks["hold"]>[1], signal: AbortSignal): Promise<HookReply["output"]> {
    const output = this.#hooks.hold(id, asked, signal, () => this.#closings.hookEnded(id, asked.question));
    this.#book.setAnswerable(id, true);
    return output;
  }

  #agentChanged(agent: Agent): void {
    this.#proofs.wentOn(reporterOf(agent), agent.state, this.#closings.isAsking(agent));
    if (agent.state === "waiting") {
      this.#screens.noticed(agent, this.#closings.waits(agent));
      return;
    }
    this.#screens.forget(agent);
    this.#closings.wentOn(agent);
  }

  #tell(event: RelayEvent): void {
    if (event.type === "question.opened" || event.type === "question.answered" || event.type === "question.withdrawn")
      this.#changes.tell(event.data);
  }
}

const UNDECIDED: PolicyVerdict = { would: "ask", policy: null, because: "" };

/** Names an agent in the proofs of the answers that were given in its shell; see `isSame` for an agent in a pane of tmux. */
function reporterOf(agent: Agent): { readonly agent: string; readonly shell?: ShellId } {
  return { agent: agentOf(agent), ...(agent.inPane !== true && { shell: agent.shellId }) };
}
