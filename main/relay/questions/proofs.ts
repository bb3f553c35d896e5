import type { HookReply } from "../../../core/protocol/agent-hooks.ts";
import type { ShellId } from "../../../core/protocol/ids.ts";
import type { QuestionReceipt } from "../../../core/protocol/questions.ts";

/** What the agent's record must show for an answer that was passed on to it. */
interface Expected extends Pick<HookReply, "allows" | "recorded" | "decision"> {
  readonly id: number;
  /** Names the agent's run: its own session, or its shell where that is not known. */
  readonly agent: string;
  /** Where it was asked. */
  readonly shell: ShellId;
  readonly call: string;
  readonly timer: NodeJS.Timeout;
}

/** Whose record it is: an agent's, as the relay knows it, or as the programs in a shell tell of it. */
interface Reporter {
  readonly agent: string;
  /** Set for what a program in this shell tells, which proves the answers given there alone. */
  readonly shell?: ShellId;
}

interface ProofsOptions {
  readonly set: (id: number, state: QuestionReceipt["state"], evidence: string) => void;
  /** Reads what an agent session's tools have answered lately. Rejects or resolves to nothing where that is unknown. */
  readonly toolResults: (agentSessionId: string) => Promise<readonly string[]>;
  readonly unconfirmedAfterMs: number;
}

/** How often the transcript is read while a refusal is not found in it. */
const LOOK_EVERY_MS = 200;
/** A tool's result is reported beside the end of its turn, not before it. */
const TURN_GRACE_MS = 1000;
/** Answers that are still watched for; beyond this number the oldest stay unconfirmed. */
const MOST_EXPECTED = 100;

/**
 * Waits for the agent's own record of each answer: a tool that ran proves a permission, a transcript that contains the
 * refusal proves that. Another decision in the record shows that the answer was overruled, and none in time that it is
 * not confirmed; a later proof still counts.
 */
export class Proofs implements Disposable {
  readonly #options: ProofsOptions;
  readonly #expected = new Map<number, Expected>();
  readonly #timers = new Set<NodeJS.Timeout>();

  constructor(options: ProofsOptions) {
    this.#options = options;
  }

  expect(expected: Omit<Expected, "timer">): void {
    const timer = this.#after(this.#options.unconfirmedAfterMs, () =>
      this.#options.set(expected.id, "unconfirmed", "the agent's record does not show it"),
    );
    const [oldest] = this.#expected.keys();
    if (this.#expected.size >= MOST_EXPECTED && oldest !== undefined) this.#expected.delete(oldest);
    this.#expected.set(expected.id, { ...expected, timer });
    if (expected.recorded !== undefined) this.#look(expected.id, Date.now() + this.#options.unconfirmedAfterMs);
  }

  /** A tool call has run. */
  ran(by: Reporter, call: string): void {
    for (const { id, allows } of this.#of(by, call)) {
      if (allows) this.#settle(id, "confirmed", "the agent reported that the tool ran");
      else this.#settle(id, "overruled", "the tool ran: it was allowed elsewhere before the refusal arrived");
    }
  }

  /** The agent tells which answer it has taken. */
  decided(by: Reporter, call: string, decision: string): void {
    for (const { id, decision: wanted } of this.#of(by, call)) {
      if (decision === wanted) this.#settle(id, "confirmed", "the agent reported that it took this answer");
      else this.#settle(id, "overruled", `the agent reported another answer, which was faster: ${decision}`);
    }
  }

  /**
   * A turn has ended, and a tool that is still expected did not run in it: an allowed one was refused elsewhere, and a
   * refusal that the transcript does not quote was taken.
   */
  turnEnded(by: Reporter): void {
    for (const { id, allows, recorded } of this.#of(by)) {
      if (recorded !== undefined) continue;
      const state = allows ? "overruled" : "confirmed";
      this.#after(TURN_GRACE_MS, () => this.#settle(id, state, "the turn ended, and the tool did not run in it"));
    }
  }

  /** The agent works again after its question. Enough where nothing better is reported. */
  workedOn(by: Reporter): void {
    for (const { id, allows, call } of this.#of(by)) {
      if (call === "") this.#settle(id, "confirmed", "the agent's question is gone, and it goes on");
      else if (allows) this.#settleForNow(id, "the agent goes on to work");
    }
  }

  ended(by: Reporter): void {
    for (const { id } of this.#of(by)) {
      this.#settle(id, "abandoned", "its record did not show the answer by then");
    }
  }

  [Symbol.dispose](): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
    this.#expected.clear();
  }

  #of({ agent, shell }: Reporter, call?: string): Expected[] {
    return [...this.#expected.values()].filter(
      (expected) =>
        expected.agent === agent &&
        (shell === undefined || expected.shell === shell) &&
        (call === undefined || expected.call === call),
    );
  }

  #settle(id: number, state: QuestionReceipt["state"], evidence: string): void {
    const expected = this.#expected.get(id);
    if (expected === undefined) return;
    this.#expected.delete(id);
    clearTimeout(expected.timer);
    this.#timers.delete(expected.timer);
    this.#options.set(id, state, evidence);
  }

  /** Confirms an answer; a record of another decision can still overrule it. */
  #settleForNow(id: number, evidence: string): void {
    const expected = this.#expected.get(id);
    if (expected === undefined) return;
    clearTimeout(expected.timer);
    this.#timers.delete(expected.timer);
    this.#options.set(id, "confirmed", evidence);
  }

  /** Reads the transcript until it contains the refusal. */
  #look(id: number, until: number): void {
    const expected = this.#expected.get(id);
    if (expected?.recorded === undefined) return;
    const { agent, recorded } = expected;
    this.#options
      .toolResults(agent)
      .catch(() => [])
      .then((results) => {
        if (results.some((text) => text.includes(recorded)))
          this.#settle(id, "confirmed", "the agent's transcript contains the refusal");
        else if (Date.now() < until) this.#after(LOOK_EVERY_MS, () => this.#look(id, until));
      });
  }

  #after(milliseconds: number, act: () => void): NodeJS.Timeout {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      act();
    }, milliseconds);
    timer.unref();
    this.#timers.add(timer);
    return timer;
  }
}
