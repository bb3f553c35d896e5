import type { UsageDays, UsageSlice } from "../../../core/protocol/usage.ts";
import { words } from "../words/index.ts";

export const chartParts = ["agent", "model", "session", "folder"] as const;
export type ChartBy = (typeof chartParts)[number];

interface ChartRow {
  /** Start of the hour or day. */
  readonly at: Date;
  /** US dollars by series, in the order of `series`. */
  readonly costs: readonly number[];
  /** US dollars that are expected on top, in an hour to come. */
  readonly expected?: number;
}

interface ChartOptions {
  readonly days: UsageDays;
  readonly by: ChartBy;
  readonly now: Date;
  readonly forecast?: number | undefined;
}

export interface ChartData {
  /** Names of the stacked series, most expensive first; the last may sum up the rest. Two may have one name. */
  readonly series: readonly string[];
  /** US dollars of the whole time, in the order of `series`. */
  readonly sums: readonly number[];
  readonly rows: readonly ChartRow[];
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const MAX_SERIES = 5;
/** Minimum number of days in a chart of days. */
const MIN_DAYS = 7;

/**
 * Computes the stacked bars of the chart. Today's hours are cumulative, for comparison with the day's budget, up to midnight
 * where there is a forecast. Days are not cumulative. Both start with the first use; every hour or day from then on has a
 * row, even without usage.
 * @param forecast US dollars at midnight
 */
export function chartData(slices: readonly UsageSlice[], { days, by, now, forecast }: ChartOptions): ChartData {
  const total = new Map<string, number>();
  for (const slice of slices) total.set(nameOf(slice, by), (total.get(nameOf(slice, by)) ?? 0) + slice.cost);
  const ranked = [...total.keys()].sort((a, b) => (total.get(b) ?? 0) - (total.get(a) ?? 0));
  const isAll = ranked.length <= MAX_SERIES;
  const named = isAll ? ranked : ranked.slice(0, MAX_SERIES - 1);
  const series = isAll ? named : [...named, words.costs.otherSeries];
  const sumOf = (names: readonly string[]) => names.reduce((sum, name) => sum + (total.get(name) ?? 0), 0);
  const sums = series.map((name, place) => sumOf(place < named.length ? [name] : ranked.slice(named.length)));
  const rows = (days === 1 ? hours(slices, now) : dates(slices, days, now)).map((at) => ({
    at,
    costs: series.map(() => 0),
  }));
  const rowAt = new Map(rows.map((row) => [row.at.getTime(), row]));
  for (const slice of slices) {
    const row = rowAt.get(days === 1 ? hourOf(startOf(slice.from)) : startOf(slice.from).getTime());
    const place = named.indexOf(nameOf(slice, by));
    const index = place === -1 ? series.length - 1 : place;
    if (row !== undefined) row.costs[index] = (row.costs[index] ?? 0) + slice.cost;
  }
  if (days !== 1) return { series, sums, rows };
  const course = cumulative(rows);
  return { series, sums, rows: forecast === undefined ? course : [...course, ...expected(course, forecast, now)] };
}

/** The name under which a slice is summed. */
export function nameOf({ agentType, model, session, folder }: UsageSlice, by: ChartBy): string {
  switch (by) {
    case "agent":
      return agentType;
    case "model":
      return model === "" ? words.costs.unknownModel : model;
    case "session":
      return session === "" ? words.costs.closedSessions : session;
    case "folder":
      return folder === "" ? words.costs.unknownFolder : folder;
  }
}

/** Parses the start of a period. `Date` would treat a local date as UTC. */
function startOf(from: string): Date {
  return from.includes("T") ? new Date(from) : new Date(`${from}T00:00`);
}

/** Returns the beginning of a time's hour on the reader's clock, in ms. */
function hourOf(at: Date): number {
  // `setMinutes` would take the second of two equal hours for the first.
  return at.getTime() - ((at.getTime() - at.getTimezoneOffset() * MINUTE_MS) % HOUR_MS);
}

function hours(slices: readonly UsageSlice[], now: Date): Date[] {
  const last = hourOf(now);
  const used = slices.filter(({ cost }) => cost > 0).map(({ from }) => hourOf(startOf(from)));
  // The day may be the relay's and not the reader's, but it is no longer than 25 hours.
  const first = Math.max(Math.min(last, ...used), last - 24 * HOUR_MS);
  // By time and not by the clock, which shows one hour twice at the end of summer time.
  return Array.from({ length: (last - first) / HOUR_MS + 1 }, (_, index) => new Date(first + index * HOUR_MS));
}

function dates(slices: readonly UsageSlice[], days: number, now: Date): Date[] {
  const [year, month, day] = [now.getFullYear(), now.getMonth(), now.getDate()];
  const all = Array.from({ length: days }, (_, index) => new Date(year, month, day - days + 1 + index));
  const first = Math.min(...slices.filter(({ cost }) => cost > 0).map(({ from }) => startOf(from).getTime()));
  const used = all.findIndex((at) => at.getTime() >= first);
  return all.slice(Math.min(used === -1 ? 0 : used, days - MIN_DAYS));
}

/** The hours to come: what is spent, and on it what is expected, in a straight line to midnight. */
function expected(course: readonly ChartRow[], forecast: number, now: Date): readonly ChartRow[] {
  const last = course.at(-1);
  const spent = (last?.costs ?? []).reduce((sum, cost) => sum + cost, 0);
  const first = now.getHours() + 1;
  const left = 24 - first;
  return Array.from({ length: left }, (_, index) => ({
    at: new Date(now.getFullYear(), now.getMonth(), now.getDate(), first + index),
    costs: last?.costs ?? [],
    expected: ((forecast - spent) * (index + 1)) / left,
  }));
}

function cumulative(rows: readonly ChartRow[]): ChartRow[] {
  let sums: readonly number[] = [];
  return rows.map(({ at, costs }) => {
    sums = costs.map((cost, index) => cost + (sums[index] ?? 0));
    return { at, costs: sums };
  });
}
