import { costByHour } from "../../../core/protocol/cost-by-hour.ts";
import { slicesOf, type UsageDays, type UsageSlice } from "../../../core/protocol/usage.ts";
import type { DesktopClient } from "./desktop-client.ts";
import type { RelayDesk } from "./relay-for-desktop.ts";

/** Agents report many times a second; costs are summed at most this often. */
const SUM_EVERY_MS = 1_000;

interface Options {
  readonly relay: RelayDesk;
  readonly sessions: () => readonly DesktopClient[];
  /** Called when the sums have changed. */
  readonly changed: () => void;
  readonly log: (line: string) => void;
}

/** Sums the agents' costs soon after they report. */
export class UsageWatch implements Disposable {
  readonly #options: Options;
  #today = { total: 0, bySession: new Map<string, number>(), byHour: [0] as readonly number[] };
  #starts: ReadonlyMap<string, string> = new Map();
  #timer: NodeJS.Timeout | undefined;
  #midnight: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(options: Options) {
    this.#options = options;
    this.look();
  }

  /** US dollars since local midnight, of everything or of one session. */
  today(session?: string): number {
    return session === undefined ? this.#today.total : (this.#today.bySession.get(session) ?? 0);
  }

  /** US dollars since local midnight at the end of each hour, the current one included. */
  byHour(): readonly number[] {
    return this.#today.byHour;
  }

  /** When an agent's session began; undefined where that is not known. */
  startOf(agentSession: string): string | undefined {
    return this.#starts.get(agentSession);
  }

  /** Schedules a sum after usage changed. */
  look(): void {
    if (this.#stopped) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#sum().catch((error: Error) => this.#options.log(`Costs could not be summed: ${error.message}`));
    }, SUM_EVERY_MS);
  }

  /** By hour for today, by local day for more. */
  async slices(days: UsageDays): Promise<readonly UsageSlice[]> {
    const homes = await this.#homes();
    const names = new Map(this.#options.sessions().map((session) => [session.id as string, session.name()]));
    return slicesOf(this.#rows(days), (agentSession) => {
      const found = homes.get(agentSession);
      return found && { session: names.get(found.id) ?? "", folder: found.folder };
    });
  }

  [Symbol.dispose](): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#midnight);
  }

  async #sum(): Promise<void> {
    const homes = await this.#homes();
    const bySession = new Map<string, number>();
    let total = 0;
    const rows = this.#rows(1);
    for (const { sessionId, cost } of rows) {
      const home = homes.get(sessionId)?.id;
      total += cost;
      if (home !== undefined) bySession.set(home, (bySession.get(home) ?? 0) + cost);
    }
    this.#today = { total, bySession, byHour: costByHour(rows, new Date()) };
    if (this.#stopped) return;
    this.#lookAtMidnight();
    this.#options.changed();
  }

  /** Starts the new day at zero, also without reports. */
  #lookAtMidnight(): void {
    const now = new Date();
    const next = new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1);
    clearTimeout(this.#midnight);
    this.#midnight = setTimeout(() => this.look(), next.getTime() - now.getTime());
  }

  #rows(days: UsageDays) {
    const now = new Date();
    return this.#options.relay.usageHistory(
      startOf(days, now),
      new Date(now.getTime() + 60_000),
      days === 1 ? "hour" : "day",
    );
  }

  /** In which Patchbay session and folder each agent session was seen; of several the last. */
  async #homes(): Promise<ReadonlyMap<string, { readonly id: string; readonly folder: string }>> {
    const seen = await Promise.all(
      this.#connected().map(async ({ id, client }) => {
        const agents = await client.ask("getAgentSessions", {});
        return agents.map(({ sessionId, startedAt, cwd }) => ({
          sessionId,
          startedAt,
          home: { id: id as string, folder: cwd },
        }));
      }),
    );
    this.#starts = new Map(seen.flat().map(({ sessionId, startedAt }) => [sessionId, startedAt]));
    return new Map(seen.flat().map(({ sessionId, home }) => [sessionId, home]));
  }

  #connected(): readonly DesktopClient[] {
    return this.#options.sessions().filter(({ client }) => client.connected);
  }
}

/** Returns local midnight of the first of so many days, today included: 1 is today's. */
export function startOf(days: UsageDays, now: Date): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - (days - 1));
}
