import type { HookQuestion } from "../../../core/protocol/agent-hooks.ts";
import type { Agent } from "../../../core/protocol/agent-records.ts";
import type { ShellId } from "../../../core/protocol/ids.ts";
import type { Question } from "../../../core/protocol/questions.ts";
import type { StoredQuestion } from "../store/question-rows.ts";
import { type AgentRef, isSame } from "./agent-ref.ts";
import type { Closing, QuestionBook } from "./question-book.ts";
import { NO_DECISION, type WaitingHooks } from "./waiting-hooks.ts";

interface Options {
  readonly book: QuestionBook;
  readonly hooks: WaitingHooks;
  readonly agents: () => readonly Agent[];
}

/** After a hook's end: time for the signal that says whether its agent ended too. Within the 300 ms of docs/questions.md. */
const HOOK_END_MS = 200;
/** After a hook's end: the agent's own end is noticed within this time. */
const AGENT_END_MS = 3000;
/** After an agent has stopped waiting, its next dialog opens, or it ends, within this time. */
const NEXT_SIGN_MS = 200;
/** After a start of the relay, agents are found again within this time. */
const AGENTS_FOUND_MS = 30_000;
const EXPIRE_AFTER_MS = 24 * 3600 * 1000;
const EXPIRE_CHECK_MS = 60_000;

/** How a question ends that is answered in the terminal. */
export const TERMINAL: Closing = {
  state: "answered",
  answer: { option: null, text: null },
  answeredBy: { kind: "terminal", name: "terminal", client: null },
  receipt: null,
};

/** Ends questions that are settled without an answer through the relay: by the terminal, their agent, their shell or time. */
export class Closings implements Disposable {
  readonly #options: Options;
  /**
   * Questions whose agent was seen waiting, so that its next state means that they are settled. Those from the screen are
   * asked by agents that wait.
   */
  readonly #seenWaiting = new Set<number>();
  readonly #timers = new Set<NodeJS.Timeout>();
  #disposed = false;

  constructor(options: Options) {
    this.#options = options;
    const expiry = setInterval(() => this.#expire(), EXPIRE_CHECK_MS);
    expiry.unref();
    this.#timers.add(expiry);
  }

  /** Returns the open questions of agents. */
  openOnes(): StoredQuestion[] {
    return this.#options.book.openOnes().filter(({ question }) => !isOfRelay(question));
  }

  /** Closes a question without an answer of ours, and lets its hook go. */
  close(id: number, closing: Closing): void {
    this.#seenWaiting.delete(id);
    try {
      this.#options.book.close(id, closing);
    } finally {
      this.#options.hooks.release(id, NO_DECISION);
    }
  }

  /** Closes the open questions of agents that `which` is true for. */
  closeAll(closing: Closing, which: (stored: StoredQuestion) => boolean): void {
    this.#closeOpen(
      this.openOnes()
        .filter(which)
        .map(({ question }) => question.id),
      closing,
    );
  }

  /** Withdraws all that was asked in a shell, by the relay too. */
  shellEnded(shell: ShellId): void {
    this.#closeOpen(
      this.#openIds(({ question }) => question.shellId === shell),
      withdrawn("its shell has ended"),
    );
  }

  sawWaiting(id: number): void {
    this.#seenWaiting.add(id);
  }

  /** Whether the agent is known to wait for its user now. */
  isWaiting(agent: AgentRef): boolean {
    return this.#options.agents().some((one) => isSame(one, agent) && one.state === "waiting");
  }

  /** Tells that the agent works, and no question of it is open. */
  isAtWork(agent: AgentRef): boolean {
    return this.#options.agents().some((one) => isSame(one, agent) && one.state === "working" && !this.isAsking(one));
  }

  /** Tells that a question of the agent is open. */
  isAsking(agent: Agent): boolean {
    return this.#of(agent).length > 0;
  }

  /** Takes note that an agent waits. Returns whether a question of it is open. */
  waits(agent: Agent): boolean {
    const open = this.#of(agent);
    for (const { question } of open) this.#seenWaiting.add(question.id);
    return open.length > 0;
  }

  /** Closes the questions that an agent waited for, because it does not wait any longer. */
  wentOn(agent: Agent): void {
    const settled = this.#of(agent)
      .filter(({ question }) => question.source === "screen" || this.#seenWaiting.has(question.id))
      .map(({ question }) => question.id);
    // Of several the next dialog shows which is settled; an agent that does not work on may be about to end.
    if (settled.length === 1 && agent.state === "working") this.#closeOpen(settled, TERMINAL);
    else if (settled.length > 0)
      this.#after(NEXT_SIGN_MS, () => {
        if (!this.isWaiting(agent)) this.#closeOpen(settled, TERMINAL);
      });
  }

  /**
   * A hook ends without an answer when the user cancels the dialog, or the agent ends. Where the agent tells of its answers,
   * its end alone is left.
   */
  hookEnded(id: number, { tellsAnswers = false }: Pick<HookQuestion, "tellsAnswers">): void {
    const { book, hooks, agents } = this.#options;
    book.setAnswerable(id, false);
    this.#after(tellsAnswers ? AGENT_END_MS : HOOK_END_MS, () => {
      const question = book.find(id)?.question;
      if (question?.state !== "open" || hooks.has(id)) return;
      if (tellsAnswers) {
        if (!agents().some((agent) => isSame(question, agent))) this.close(id, withdrawn("its agent has ended"));
        return;
      }
      // Where it waits on, the dialog is still there: the hook alone was ended.
      if (!this.isWaiting(question)) this.close(id, TERMINAL);
    });
  }

  /** Withdraws the questions that are open now whose agents are not found again. */
  withdrawOrphansLater(): void {
    const left = new Set(this.openOnes().map(({ question }) => question.id));
    if (left.size === 0) return;
    const { hooks, agents } = this.#options;
    this.#after(AGENTS_FOUND_MS, () =>
      this.closeAll(withdrawn("its agent ended while the relay was away"), ({ question }) => {
        const isAlive = hooks.has(question.id) || agents().some((agent) => isSame(question, agent));
        return left.has(question.id) && !isAlive;
      }),
    );
  }

  [Symbol.dispose](): void {
    this.#disposed = true;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
  }

  #of(agent: Agent): StoredQuestion[] {
    return this.openOnes().filter(({ question }) => isSame(question, agent));
  }

  #openIds(which: (stored: StoredQuestion) => boolean): number[] {
    return this.#options.book
      .openOnes()
      .filter(which)
      .map(({ question }) => question.id);
  }

  #closeOpen(ids: readonly number[], closing: Closing): void {
    // The relay stops, and its store may be closed: the next start finds out.
    if (this.#disposed) return;
    for (const id of ids) if (this.#options.book.find(id)?.question.state === "open") this.close(id, closing);
  }

  #expire(): void {
    const due = Date.now() - EXPIRE_AFTER_MS;
    this.#closeOpen(
      this.#openIds(({ question }) => Date.parse(question.askedAt) < due),
      { state: "expired", because: "not answered in a day" },
    );
  }

  #after(milliseconds: number, act: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      if (!this.#disposed) act();
    }, milliseconds);
    timer.unref();
    this.#timers.add(timer);
  }
}

/** Whether the relay itself asks. */
export function isOfRelay({ source }: Pick<Question, "source">): boolean {
  return source === "governor";
}

/** How a question ends that is not answered any more. */
export function withdrawn(because: string): Closing {
  return { state: "withdrawn", because };
}
