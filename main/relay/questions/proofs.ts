import type { HookReply } from "../../../core/protocol/agent-hooks.ts";
import type { Agent, AgentEvent } from "../../../core/protocol/agent-records.ts";
import type { ShellId } from "../../../core/protocol/ids.ts";
import type { QuestionReceipt } from "../../../core/protocol/questions.ts";
import { CallRecord, type TypedAnswer } from "./call-record.ts";

/** What the agent's record must show for an answer that was passed on to it. */
interface Expected extends Pick<HookReply, "recorded" | "decision"> {
  /** Whether the tool runs because of it; undefined where that is not known. */
  readonly allows: boolean | undefined;
  /** Set for an answer that was typed: only the agent's record of the call proves it. */
  readonly typed?: TypedAnswer;
  readonly id: number;
  /** Names the agent's run: its own session, or its shell where that is not known. */
  readonly agent: string;
  /** Where it was asked. */
  readonly shell: ShellId;
  readonly call: string;
  /** Names the agent or sub-agent that asked, as its hooks do. */
  readonly thread: string | undefined;
  /** The agent waited for its user when the answer was given. */
  readonly isWaiting?: boolean;
  readonly timer: NodeJS.Timeout;
  readonly since: number;
  /** What was read of the agent's transcript; undefined for an answer that it does not prove. */
  readonly record: CallRecord | undefined;
}

/** Whose record it is: an agent's, as the relay knows it, or as the programs in a shell tell of it. */
interface Reporter {
  readonly agent: string;
  /** Set where it proves the answers given in this shell alone, as what a program in the shell tells does. */
  readonly shell?: ShellId;
}

/**
 * Follows an agent session: each call of the returned function resolves to the events since the last one. Throws or rejects
 * where the session is not known.
 */
export type FollowEvents = (agentSessionId: string) => () => Promise<readonly AgentEvent[]>;

interface ProofsOptions {
  readonly set: (id: number, state: QuestionReceipt["state"], evidence: string) => void;
  readonly follow: FollowEvents;
  readonly unconfirmedAfterMs: number;
  /** Tells that the agent that asked works, and asks nothing. */
  readonly isAtWork: (id: number) => boolean;
}

/** How often the transcript is read while an answer is not found in it. */
const LOOK_EVERY_MS = 200;
const NOT_SHOWN = "the agent's record does not show it";
/** A tool's result is reported beside the end of its turn, not before it. */
const TURN_GRACE_MS = 1000;
/** Answers that are still watched for; beyond this number the oldest stay unconfirmed. */
const MOST_EXPECTED = 100;

/**
 * Waits for the agent's own record of each answer: a tool that ran proves a permission, a transcript that contains the
 * refusal proves that. An answer that was typed has the transcript's result of its call as its only proof: that the agent
 * goes on says nothing of which answer it took. Another decision in the record shows that the answer was overruled, and
 * none in time that it is not confirmed; a later proof still counts.
 */
export class Proofs implements Disposable {
  readonly #options: ProofsOptions;
  readonly #expected = new Map<number, Expected>();
  /** What follows the transcripts that are read, by the answer. */
  readonly #followed = new Map<number, () => Promise<readonly AgentEvent[]>>();
  readonly #timers = new Set<NodeJS.Timeout>();
  /** Answers whose agent has waited for its user since. */
  readonly #waited = new Set<number>();

  constructor(options: ProofsOptions) {
    this.#options = options;
  }

  expect(expected: Omit<Expected, "timer" | "since" | "record">): void {
    const { id, typed, recorded } = expected;
    const why = typed === undefined ? NOT_SHOWN : `the key was typed, but ${NOT_SHOWN}`;
    const timer = this.#after(this.#options.unconfirmedAfterMs, () => {
      // A hook's answer that was not taken would have left its dialog, for which the agent waits: what was allowed still runs.
      if (expected.allows && typed === undefined && this.#options.isAtWork(id))
        this.#settleForNow(id, "the agent works, and asked nothing more");
      else this.#options.set(id, "unconfirmed", why);
    });
    const [oldest] = this.#expected.keys();
    if (this.#expected.size >= MOST_EXPECTED && oldest !== undefined) this.#forget(oldest);
    const since = typed?.at ?? Date.now();
    const record = typed === undefined && recorded === undefined ? undefined : new CallRecord();
    this.#expected.set(id, { ...expected, timer, since, record });
    if (expected.isWaiting === true) this.#waited.add(id);
    if (record !== undefined) this.#lookOften(id, Date.now() + this.#options.unconfirmedAfterMs);
  }

  /** A typed answer has not closed its dialog. */
  dialogStays(id: number): void {
    if (this.#expected.has(id))
      this.#options.set(id, "unconfirmed", "the key was typed, but the dialog is still there");
  }

  /** A tool call has run. */
  ran(by: Reporter, call: string): void {
    for (const { id, allows } of this.#of(by, call)) {
      if (allows) this.#settle(id, "confirmed", "the agent reported that the tool ran");
      else if (allows === false)
        this.#settle(id, "overruled", "the tool ran: it was allowed elsewhere before the refusal arrived");
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
  turnEnded(by: Reporter, thread: string | undefined): void {
    for (const { id, allows, record, thread: asked } of this.#of(by)) {
      if (record !== undefined || asked !== thread) continue;
      const state = allows ? "overruled" : "confirmed";
      this.#after(TURN_GRACE_MS, () => this.#settle(id, state, "the turn ended, and the tool did not run in it"));
    }
  }

  /**
   * An agent has changed, so that its record may have more. That it works again after a wait shows a permission to be taken,
   * unless the wait may have been for another answer, pending or still to come.
   *
   * @param isAsking whether the agent has a question that is open
   */
  wentOn(by: Reporter, state: Agent["state"], isAsking: boolean): void {
    const answers = this.#of(by);
    const pending = answers.filter(({ timer }) => this.#timers.has(timer));
    for (const { id, allows, typed } of answers) {
      const isTaken = state === "working" && this.#waited.has(id) && !isAsking && pending.every((one) => one.id === id);
      if (state === "waiting") this.#waited.add(id);
      else if (typed === undefined && allows && isTaken) this.#settleForNow(id, "the agent goes on to work");
      else void this.#look(id);
    }
  }

  ended(by: Reporter): void {
    for (const { id, record } of this.#of(by)) {
      const abandon = () => this.#settle(id, "abandoned", "its record did not show the answer by then");
      if (record === undefined) abandon();
      else void this.#look(id).then(abandon);
    }
  }

  [Symbol.dispose](): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
    this.#expected.clear();
    this.#followed.clear();
    this.#waited.clear();
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
    this.#forget(id);
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

  #forget(id: number): void {
    this.#expected.delete(id);
    this.#followed.delete(id);
    this.#waited.delete(id);
  }

  /** Reads the transcript until it shows the answer, or for a time: from then on it is read when the agent changes. */
  #lookOften(id: number, until: number): void {
    void this.#look(id).then(() => {
      if (this.#expected.has(id) && Date.now() < until) this.#after(LOOK_EVERY_MS, () => this.#lookOften(id, until));
    });
  }

  /** Reads what is new in the transcript, and settles the answer by it. Never rejects. */
  async #look(id: number): Promise<void> {
    const { agent, record, typed, recorded, since } = this.#expected.get(id) ?? {};
    if (agent === undefined || record === undefined || since === undefined) return;
    try {
      const next = this.#followed.get(id) ?? this.#options.follow(agent);
      this.#followed.set(id, next);
      record.add(await next());
    } catch {
      // A session that is not known has no record: the answer stays unconfirmed.
      return;
    }
    if (recorded !== undefined && record.hasRefusal(recorded, since))
      this.#settle(id, "confirmed", "the agent's transcript contains the refusal");
    const verdict = typed && record.verdict(typed);
    if (verdict !== undefined) this.#settle(id, verdict.state, verdict.evidence);
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
