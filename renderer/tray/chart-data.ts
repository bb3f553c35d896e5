import type { UsageDays, UsageSlice } from "../../core/protocol/usage.ts";
import { words } from "./words/index.ts";

export type ChartBy = "model" | "session";

export interface ChartRow {
  /** Start of the hour or day. */
  readonly at: Date;
  /** US dollars by series, in the order of `series`. */
  readonly costs: readonly number[];
}

export interface ChartData {
  /** Names of the stacked series, most expensive first; the rest is summed up as "other". */
  readonly series: readonly string[];
  readonly rows: readonly ChartRow[];
}

const MAX_SERIES = 5;
/** Minimum number of bars for today. */
const MIN_HOURS = 8;
export const OTHER = "other";

/**
 * Computes the stacked bars of the chart. Today's hours are cumulative, for comparison with the day's budget, and start
 * with the first hour used. Days are not cumulative. Every hour or day from the start has a row, even without usage.
 */
export function chartData(slices: readonly UsageSlice[], days: UsageDays, by: ChartBy, now: Date): ChartData {
  const total = new Map<string, number>();
  for (const slice of slices) total.set(nameOf(slice, by), (total.get(nameOf(slice, by)) ?? 0) + slice.cost);
  const ranked = [...total.keys()].sort((a, b) => (total.get(b) ?? 0) - (total.get(a) ?? 0));
  const series = ranked.length <= MAX_SERIES ? ranked : [...ranked.slice(0, MAX_SERIES - 1), OTHER];
  const rows = (days === 1 ? hours(slices, now) : dates(days, now)).map((at) => ({ at, costs: series.map(() => 0) }));
  const rowAt = new Map(rows.map((row) => [row.at.getTime(), row]));
  for (const slice of slices) {
    const row = rowAt.get(startOf(slice.from).getTime());
    const named = series.indexOf(nameOf(slice, by));
    const index = named === -1 ? series.length - 1 : named;
    if (row !== undefined) row.costs[index] = (row.costs[index] ?? 0) + slice.cost;
  }
  return { series, rows: days === 1 ? cumulative(rows) : rows };
}

function nameOf({ model, session }: UsageSlice, by: ChartBy): string {
  if (by === "model") return model === "" ? words.costs.unknownModel : model;
  return session === "" ? words.costs.closedSessions : session;
}

/** Parses the start of a period. `Date` would treat a local date as UTC. */
function startOf(from: string): Date {
  return from.includes("T") ? new Date(from) : new Date(`${from}T00:00`);
}

function hours(slices: readonly UsageSlice[], now: Date): Date[] {
  const last = now.getHours();
  const used = slices.map(({ from }) => startOf(from).getHours());
  const first = Math.max(0, Math.min(last - MIN_HOURS + 1, ...used));
  const [year, month, day] = [now.getFullYear(), now.getMonth(), now.getDate()];
  return Array.from({ length: last - first + 1 }, (_, index) => new Date(year, month, day, first + index));
}

function dates(days: number, now: Date): Date[] {
  const [year, month, day] = [now.getFullYear(), now.getMonth(), now.getDate()];
  return Array.from({ length: days }, (_, index) => new Date(year, month, day - days + 1 + index));
}

function cumulative(rows: readonly ChartRow[]): ChartRow[] {
  let sums: readonly number[] = [];
  return rows.map(({ at, costs }) => {
    sums = costs.map((cost, index) => cost + (sums[index] ?? 0));
    return { at, costs: sums };
  });
}
