import { resolve } from "node:path";
import {
  type AccountWindow,
  type QuotaWindow,
  type ReportedWindow,
  roundMinutes,
  windowName,
} from "../../core/protocol/quotas.ts";
import type { StoredWindow, UsageStore } from "./usage-store.ts";

/** The account of an agent: agents of one kind with one data folder share it. */
export interface QuotaAccount {
  readonly agentType: string;
  /** The agent's data folder. */
  readonly home: string;
}

interface Options {
  readonly store: Pick<UsageStore, "windows" | "putWindow">;
  readonly log: (message: string, fields?: object) => void;
}

/** Reports of one window tell the time of its reset with this accuracy. */
const SAME_RESET_MS = 120_000;
const MINUTE_MS = 60_000;

/**
 * The quota windows of the agents' accounts, as the agents have last reported them. Several agents report the same
 * window, and an idle one repeats what it was told with its last answer: within one window the highest share counts.
 */
export class Quotas {
  readonly #options: Options;
  #known: Map<string, StoredWindow> | undefined;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Takes a report. `at` is its time. */
  report({ agentType, home }: QuotaAccount, windows: readonly ReportedWindow[], at: number): void {
    for (const { minutes, limit = "", usedPercent, resetsAt = null } of windows)
      this.#take({ agentType, home: resolve(home), limit, minutes: roundMinutes(minutes), usedPercent, resetsAt, at });
  }

  /** Returns the windows of an account at a time, the shortest first. */
  of({ agentType, home }: QuotaAccount, now: number): QuotaWindow[] {
    return this.#all()
      .filter((one) => one.agentType === agentType && one.home === resolve(home))
      .map((one) => windowAt(one, now));
  }

  list(now: number): AccountWindow[] {
    return this.#all().map((one) => ({ agentType: one.agentType, account: one.home, ...windowAt(one, now) }));
  }

  #take(reported: StoredWindow): void {
    const known = this.#windows().get(keyOf(reported));
    const next = known === undefined ? reported : merged(known, reported);
    if (next === known) return;
    this.#windows().set(keyOf(next), next);
    try {
      this.#options.store.putWindow(next);
    } catch (error) {
      this.#options.log("an agent's quota window could not be kept", { error: String(error) });
    }
  }

  #all(): StoredWindow[] {
    const order = ({ agentType, home, limit }: StoredWindow) => `${agentType}\0${home}\0${limit}`;
    return [...this.#windows().values()].sort((one, other) =>
      order(one) === order(other) ? one.minutes - other.minutes : order(one) < order(other) ? -1 : 1,
    );
  }

  #windows(): Map<string, StoredWindow> {
    this.#known ??= new Map(this.#options.store.windows().map((one) => [keyOf(one), one]));
    return this.#known;
  }
}

/** Returns what is known after another report: the known window itself where the report adds nothing. */
function merged(known: StoredWindow, reported: StoredWindow): StoredWindow {
  if (isSameReset(known, reported)) {
    const usedPercent = Math.max(known.usedPercent, reported.usedPercent);
    const at = usedPercent === reported.usedPercent ? Math.max(known.at, reported.at) : known.at;
    return usedPercent === known.usedPercent && at === known.at ? known : { ...known, usedPercent, at };
  }
  // The report of an agent that has been idle since before the reset.
  if (reported.resetsAt !== null && reported.resetsAt <= reported.at) return known;
  return reported.at > known.at ? reported : known;
}

function isSameReset({ resetsAt: one }: StoredWindow, { resetsAt: other }: StoredWindow): boolean {
  return one !== null && other !== null && Math.abs(one - other) <= SAME_RESET_MS;
}

/** A window that was reset is empty, as far as is known. Without the time of its reset it ends after its length. */
function windowAt({ minutes, limit, usedPercent, resetsAt, at }: StoredWindow, now: number): QuotaWindow {
  const isOver = now >= (resetsAt ?? at + minutes * MINUTE_MS);
  return {
    window: windowName(minutes),
    minutes,
    ...(limit !== "" && { limit }),
    usedPercent: isOver ? 0 : usedPercent,
    resetsAt: isOver || resetsAt === null ? null : new Date(resetsAt).toISOString(),
    at: new Date(at).toISOString(),
  };
}

function keyOf({ agentType, home, limit, minutes }: StoredWindow): string {
  return `${agentType}\0${home}\0${limit}\0${minutes}`;
}
