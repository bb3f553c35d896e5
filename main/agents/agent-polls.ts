import type { ProcessSource } from "../system/processes/process-source.ts";
import { processorMs } from "../system/processor-time.ts";
import type { Clock } from "./clock.ts";
import type { LiveAgents } from "./live-agents.ts";

const POLL_MS = 1000;
/** An agent's session becomes known a moment after its start. */
const SOON_MS = 250;
/**
 * Minimum pause after a poll, as a multiple of the processor time meanwhile: polling takes at most a fifth of the processor.
 * By the clock polls would become rare on a busy machine, where short runs would end unseen.
 */
const REST_FACTOR = 4;

interface AgentPollsOptions {
  readonly live: Pick<LiveAgents, "poll" | "hasUnjoinedAgents" | "nextCheckMs">;
  readonly source: Pick<ProcessSource, "newest">;
  readonly clock: Clock;
  readonly log: (message: string, fields?: object) => void;
}

/** Looks for agents every second, at once where a program has started, and soon where a terminal tells of one. */
export class AgentPolls implements Disposable {
  readonly #options: AgentPollsOptions;
  #stopTimer: () => void = () => {};
  #stopWatching: () => void = () => {};
  #dueAt = Number.POSITIVE_INFINITY;
  /** The machine's newest process at the last poll. */
  #newest: string | undefined;
  /** No poll before this time, so that frequent polls take only a small part of the time. */
  #restUntil = 0;
  #started = false;

  constructor(options: AgentPollsOptions) {
    this.#options = options;
  }

  start(): void {
    if (this.#started) return;
    this.#started = true;
    void this.#poll();
  }

  /** Polls at once where an agent was in the foreground of a shell that shows its prompt again, else within a second. */
  ended(isAgent: boolean): void {
    this.#within(isAgent ? 0 : POLL_MS);
  }

  /** Polls soon: agents set a title when they start, so a signal from a shell without a known one is worth it. */
  soon(): void {
    this.#within(SOON_MS);
  }

  /** Checks between polls whether any program was started, which is cheap; then polls at once. */
  watch(): void {
    const { live, source, clock } = this.#options;
    const pace = this.#newest === undefined ? undefined : live.nextCheckMs();
    this.#stopWatching();
    if (!this.#started || pace === undefined) return;
    this.#stopWatching = clock.after(pace, () => {
      const isNews = source.newest?.() !== this.#newest || live.hasUnjoinedAgents();
      if (clock.now() >= this.#restUntil && isNews) this.#within(0);
      else this.watch();
    });
  }

  async #poll(): Promise<void> {
    const { live, source, clock, log } = this.#options;
    this.#dueAt = Number.POSITIVE_INFINITY;
    const before = processorMs();
    this.#newest = source.newest?.();
    try {
      await live.poll();
    } catch (error) {
      log("looking for agents failed", { error: String(error) });
    }
    this.#restUntil = clock.now() + (processorMs() - before) * REST_FACTOR;
    this.#within(live.hasUnjoinedAgents() ? SOON_MS : POLL_MS);
    this.watch();
  }

  /** Schedules a poll, unless an earlier one is due. */
  #within(milliseconds: number): void {
    const { clock } = this.#options;
    const at = clock.now() + milliseconds;
    if (!this.#started || at >= this.#dueAt) return;
    this.#stopTimer();
    this.#dueAt = at;
    this.#stopTimer = clock.after(milliseconds, () => void this.#poll());
  }

  [Symbol.dispose](): void {
    this.#started = false;
    this.#stopTimer();
    this.#stopWatching();
  }
}
