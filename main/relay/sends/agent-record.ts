import type { Agent, AgentEvent } from "../../../core/protocol/agent-records.ts";
import type { ShellId } from "../../../core/protocol/ids.ts";
import type { PromptInput } from "../../../core/protocol/prompt-input.ts";
import type { StoredReceipt } from "../store/receipt-rows.ts";
import type { ReceiptBook } from "./receipt-book.ts";

type Follow = () => Promise<readonly AgentEvent[]>;

export interface AgentRecordOptions {
  readonly book: ReceiptBook;
  readonly agents: () => readonly Agent[];
  /** Reads the new events of an agent session at each call. Throws where the session is not known (yet). */
  readonly follow: (agentSessionId: string) => Follow;
  readonly input: (agentType: string) => PromptInput | undefined;
  readonly timing?: Partial<RecordTiming>;
}

interface RecordTiming {
  readonly lookEveryMs: number;
  readonly lookSeldomMs: number;
  /** After Enter an agent between turns has recorded the prompt within this time. */
  readonly uncertainAfterMs: number;
  /** A later record still counts for this long. */
  readonly givenUpAfterMs: number;
}

const TIMING: RecordTiming = {
  lookEveryMs: 150,
  lookSeldomMs: 2_000,
  uncertainAfterMs: 8_000,
  givenUpAfterMs: 3_600_000,
};
/** Events of one transcript that are kept while a prompt may be among them. */
const MOST_EVENTS = 5_000;
/** Events that show that the agent works on a prompt. */
const WORK = ["assistant_message", "thinking", "tool_call", "error"];
/** States that a look at the transcript does not change. */
const SETTLED: readonly string[] = ["queued", "refused", "expired", "started"];

/** A followed transcript. What was read is kept as long as a prompt that may be in it. */
interface Followed {
  readonly read: Follow;
  events: AgentEvent[];
}

/**
 * Proves prompts by the agents' own transcripts: a user's message with the same text, not older than the prompt and not
 * the proof of another one, is `accepted`; what the agent does after it is `started`.
 */
export class AgentRecord implements Disposable {
  readonly #options: AgentRecordOptions;
  readonly #timing: RecordTiming;
  readonly #followed = new Map<string, Followed>();
  /** When Enter was pressed, or the agent was last seen at work since, by receipt. */
  readonly #quietSince = new Map<number, number>();
  /** In which session an agent ended that is looked for a last time, by receipt. */
  readonly #lastSession = new Map<number, string>();
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  #again = false;
  #disposed = false;

  constructor(options: AgentRecordOptions) {
    this.#options = options;
    this.#timing = { ...TIMING, ...options.timing };
  }

  /** Looks soon: a prompt was written, or an agent has changed. */
  wake(): void {
    if (this.#disposed || this.#open().length === 0) return;
    this.#schedule(0);
  }

  /** Reads everything that was written before the call. */
  look(): Promise<void> {
    this.#again = true;
    this.#looking ??= this.#lookWhileAsked().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  /** An agent has ended: what its transcript does not contain now, it never will. `agent`: as it was at its end. */
  ended(agent: Agent): Promise<void> {
    const { shellId, agentType, sessionId } = agent;
    const concerned = this.#open().filter(
      ({ receipt }) =>
        receipt.shellId === shellId && receipt.agentType === agentType && !this.#isOfAnother(receipt, sessionId),
    );
    // An agent that ends soon is known with its session at its end only.
    for (const { receipt } of concerned) if (sessionId !== "") this.#lastSession.set(receipt.id, sessionId);
    return this.#conclude(concerned);
  }

  /** A shell has ended. Of an agent that is still known there the end is told, too. */
  shellEnded(shell: ShellId): Promise<void> {
    return this.#conclude(
      this.#open().filter(({ receipt }) => receipt.shellId === shell && this.#agentOf(receipt) === undefined),
    );
  }

  async #conclude(concerned: readonly StoredReceipt[]): Promise<void> {
    if (concerned.length === 0) return;
    await this.look();
    for (const stored of concerned) {
      const { id } = stored.receipt;
      const isKnown = this.#sessionsOf(stored).length > 0;
      this.#options.book.step(id, {
        state: "uncertain",
        evidence: isKnown
          ? "the agent ended, and its transcript does not contain the prompt"
          : "the agent ended before its transcript was known",
      });
      this.#options.book.close(id);
      this.#lastSession.delete(id);
    }
  }

  /** Whether a prompt was for another agent of the kind, which runs on. */
  #isOfAnother({ shellId, agentSessionId }: StoredReceipt["receipt"], sessionId: string): boolean {
    const runs = (agent: Agent) => agent.shellId === shellId && agent.sessionId === agentSessionId;
    return agentSessionId !== "" && agentSessionId !== sessionId && this.#options.agents().some(runs);
  }

  [Symbol.dispose](): void {
    this.#disposed = true;
    clearTimeout(this.#timer);
    this.#followed.clear();
  }

  /** The receipts that the transcript may still change, in the order in which their prompts were written. */
  #open(): StoredReceipt[] {
    return this.#options.book
      .all()
      .filter(({ receipt, prompt }) => !receipt.final && prompt.writingAt !== null && !SETTLED.includes(receipt.state))
      .toSorted((one, other) => (one.prompt.writingAt ?? 0) - (other.prompt.writingAt ?? 0));
  }

  async #lookWhileAsked(): Promise<void> {
    while (this.#again && !this.#disposed) {
      this.#again = false;
      await this.#lookOnce();
    }
  }

  async #lookOnce(): Promise<void> {
    const open = this.#open();
    const sessions = new Set(open.flatMap((stored) => this.#sessionsOf(stored)));
    this.#forgetAllBut(sessions);
    for (const session of sessions) await this.#read(session);
    if (this.#disposed) return;
    for (const { receipt } of open) this.#prove(receipt.id);
    for (const { receipt } of open) this.#give(receipt.id);
    const left = this.#open();
    if (left.length === 0) this.#quietSince.clear();
    else
      this.#schedule(
        left.some(({ receipt }) => receipt.state !== "uncertain")
          ? this.#timing.lookEveryMs
          : this.#timing.lookSeldomMs,
      );
  }

  /** A transcript is read from its beginning once for each agent that runs. */
  #forgetAllBut(sessions: ReadonlySet<string>): void {
    const kept = new Set([...sessions, ...this.#options.agents().map(({ sessionId }) => sessionId)]);
    for (const session of this.#followed.keys()) if (!kept.has(session)) this.#followed.delete(session);
  }

  /** The agent's session may become known, or be another one, after the prompt was written. */
  #sessionsOf({ receipt }: StoredReceipt): string[] {
    const current = this.#agentOf(receipt)?.sessionId ?? "";
    const last = this.#lastSession.get(receipt.id) ?? "";
    return [...new Set([receipt.agentSessionId, current, last])].filter((id) => id !== "");
  }

  #agentOf({ shellId, agentType }: StoredReceipt["receipt"]): Agent | undefined {
    return this.#options.agents().find((agent) => agent.shellId === shellId && agent.agentType === agentType);
  }

  async #read(session: string): Promise<void> {
    try {
      const followed = this.#followed.get(session) ?? { read: this.#options.follow(session), events: [] };
      this.#followed.set(session, followed);
      const since = Math.min(...this.#open().map(({ prompt }) => prompt.writingAt ?? Number.POSITIVE_INFINITY));
      const news = await followed.read();
      followed.events = [...followed.events, ...news].filter(({ at }) => Date.parse(at) >= since).slice(-MOST_EVENTS);
    } catch {
      // A session that is not known yet, or a file that cannot be read now: the next look tries again.
    }
  }

  #prove(id: number): void {
    const { book, input } = this.#options;
    const stored = book.find(id);
    if (stored === undefined || stored.receipt.final) return;
    const { receipt, prompt } = stored;
    const rule = input(receipt.agentType);
    for (const session of rule === undefined ? [] : this.#sessionsOf(stored)) {
      const events = this.#followed.get(session)?.events ?? [];
      const index = events.findIndex((event) => this.#proves(event, stored, rule));
      const event = events[index];
      if (event === undefined) continue;
      if (receipt.state !== "accepted") {
        book.setPrompt(id, { proof: event.id });
        book.step(id, { state: "accepted", evidence: `the agent's transcript contains the prompt (${event.id})` });
      }
      const work = events.slice(index + 1).find(({ type }) => WORK.includes(type));
      const agent = this.#agentOf(receipt);
      if (work !== undefined) {
        const evidence = `the agent's transcript goes on with ${work.type} (${work.id})`;
        book.step(id, { state: "started", evidence });
      } else if (agent?.state === "working" && Date.parse(agent.since ?? "") >= (prompt.writingAt ?? Number.NaN)) {
        book.step(id, { state: "started", evidence: `the agent reports that it works since ${agent.since}` });
      }
      return;
    }
  }

  #proves(event: AgentEvent, { receipt, prompt }: StoredReceipt, rule: PromptInput | undefined): boolean {
    if (event.type !== "user_message" || rule === undefined) return false;
    if (prompt.proof !== null) return prompt.proof === event.id;
    if (Date.parse(event.at) < (prompt.writingAt ?? Number.POSITIVE_INFINITY)) return false;
    if (!rule.isRecorded(event.text, prompt.text)) return false;
    return !this.#options.book
      .all()
      .some((other) => other.prompt.proof === event.id && other.receipt.id !== receipt.id);
  }

  /** Says that a prompt is uncertain when its time is over, and that nothing more is expected. */
  #give(id: number): void {
    const { book } = this.#options;
    const stored = book.find(id);
    if (stored === undefined || stored.receipt.final) return;
    const { receipt, prompt } = stored;
    const isTyped = prompt.entered || receipt.state === "uncertain";
    if (!isTyped) return;
    const now = Date.now();
    const state = this.#agentOf(receipt)?.state;
    if (state === "working" || state === "waiting" || !this.#quietSince.has(id)) this.#quietSince.set(id, now);
    const quietMs = now - (this.#quietSince.get(id) ?? now);
    if (quietMs > this.#timing.uncertainAfterMs && receipt.state !== "accepted") {
      book.step(id, {
        state: "uncertain",
        evidence: "Enter was pressed, and the agent's transcript does not contain the prompt",
      });
    }
    if (quietMs > this.#timing.givenUpAfterMs) book.close(id);
  }

  #schedule(milliseconds: number): void {
    if (this.#disposed) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.look(), milliseconds);
    this.#timer.unref();
  }
}
