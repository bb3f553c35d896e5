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
interface QuotaAccount {
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

/** Windows of one account, limit and length that are kept beside each other. */
const MOST_KEPT = 4;

/**
 * The quota windows of the agents' accounts, as the agents have last reported them. Several agents report the same
 * window, an idle one repeats what it was told with its last answer, and any program can make a report up. So no report
 * lowers a share before the reset that was told with it, or moves that reset: windows with other resets are kept beside
 * each other, and of those that have not passed the highest share counts (docs/decisions/0031).
 */
export class Quotas {
  readonly #options: Options;
  #known: Map<string, readonly StoredWindow[]> | undefined;

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
    return this.#all(now)
      .filter((one) => one.agentType === agentType && one.home === resolve(home))
      .map((one) => windowAt(one, now));
  }

  list(now: number): AccountWindow[] {
    return this.#all(now).map((one) => ({ agentType: one.agentType, account: one.home, ...windowAt(one, now) }));
  }

  #take(reported: StoredWindow): void {
    const key = keyOf(reported);
    const known = this.#windows().get(key) ?? [];
    const next = merged(known, withinLength(reported));
    if (next === known) return;
    this.#windows().set(key, next);
    // An old report, of a transcript that is read again, does not bring its window back.
    const now = Math.max(reported.at, ...next.map(({ at }) => at));
    const [kept, before] = [countingOf(next, now), countingOf(known, now)];
    if (kept === undefined || kept === before) return;
    try {
      this.#options.store.putWindow(kept);
    } catch (error) {
      this.#options.log("an agent's quota window could not be kept", { error: String(error) });
    }
  }

  #all(now: number): StoredWindow[] {
    const order = ({ agentType, home, limit }: StoredWindow) => `${agentType}\0${home}\0${limit}`;
    return [...this.#windows().values()]
      .flatMap((kept) => countingOf(kept, now) ?? [])
      .sort((one, other) =>
        order(one) === order(other) ? one.minutes - other.minutes : order(one) < order(other) ? -1 : 1,
      );
  }

  #windows(): Map<string, readonly StoredWindow[]> {
    this.#known ??= new Map(this.#options.store.windows().map((one) => [keyOf(one), [one]]));
    return this.#known;
  }
}

/** Returns what is known after another report: the known windows themselves where the report adds nothing. */
function merged(known: readonly StoredWindow[], reported: StoredWindow): readonly StoredWindow[] {
  // The report of an agent that has been idle since before the reset.
  if (endOf(reported) <= reported.at) return known;
  const same = known.find((one) => isSameReset(one, reported));
  const usedPercent = Math.max(same?.usedPercent ?? 0, reported.usedPercent);
  const isNewer = same !== undefined && usedPercent === reported.usedPercent && reported.at > same.at;
  if (same !== undefined && usedPercent === same.usedPercent && !isNewer) return known;
  const next = same === undefined ? reported : { ...same, usedPercent, at: isNewer ? reported.at : same.at };
  const now = Math.max(reported.at, ...known.map(({ at }) => at));
  const others = known.filter((one) => one !== same && endOf(one) > now);
  // The lowest are left out: a report pushes out none that holds more.
  return [next, ...others].toSorted((one, other) => other.usedPercent - one.usedPercent).slice(0, MOST_KEPT);
}

/** Returns the window that counts at a time: the fullest that has not passed, else the one that passed last. */
function countingOf(kept: readonly StoredWindow[], now: number): StoredWindow | undefined {
  const open = kept.filter((one) => endOf(one) > now);
  if (open.length > 0) return open.reduce((most, one) => (one.usedPercent > most.usedPercent ? one : most));
  return kept.toSorted((one, other) => endOf(other) - endOf(one))[0];
}

/** Returns a report with its reset no later than a window that begins now has it. */
function withinLength(reported: StoredWindow): StoredWindow {
  const latest = reported.at + reported.minutes * MINUTE_MS + SAME_RESET_MS;
  return reported.resetsAt !== null && reported.resetsAt > latest ? { ...reported, resetsAt: latest } : reported;
}

/** Without the time of its reset a window ends after its length. */
function endOf({ resetsAt, at, minutes }: StoredWindow): number {
  return resetsAt ?? at + minutes * MINUTE_MS;
}

/** Reports without the time of a reset are of one window as long as it lasts. */
function isSameReset(known: StoredWindow, reported: StoredWindow): boolean {
  if (known.resetsAt === null || reported.resetsAt === null)
    return known.resetsAt === reported.resetsAt && endOf(known) > reported.at;
  return Math.abs(known.resetsAt - reported.resetsAt) <= SAME_RESET_MS;
}

/** A window that was reset is empty, as far as is known. */
function windowAt(window: StoredWindow, now: number): QuotaWindow {
  const { minutes, limit, usedPercent, resetsAt, at } = window;
  const isOver = now >= endOf(window);
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
