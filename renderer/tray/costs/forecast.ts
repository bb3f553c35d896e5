import { localMidnight, type UsageSlice } from "../../../core/protocol/usage.ts";

const HOUR_MS = 3_600_000;
/** How far back the pace is measured. */
const PACE_MS = 3 * HOUR_MS;
/** A shorter use says nothing about a day. */
const MIN_USE_MS = HOUR_MS / 2;

/** The cost of a day up to now, and what it may come to. */
export interface DayCourse {
  /** US dollars in all at the end of each hour with use, and now; times in ms. */
  readonly points: readonly { readonly at: number; readonly cost: number }[];
  /** US dollars at midnight, at the pace of the last three hours; undefined before half an hour of use. */
  readonly forecast: number | undefined;
  readonly midnight: number;
}

/** Follows the cost of today from its slices, which are by hour. */
export function dayCourse(slices: readonly Pick<UsageSlice, "from" | "cost">[], now: Date): DayCourse {
  const end = now.getTime();
  const start = localMidnight(now);
  const midnight = new Date(start.getFullYear(), start.getMonth(), start.getDate() + 1).getTime();
  const byHour = new Map<number, number>();
  for (const { from, cost } of slices) {
    const hour = Date.parse(from);
    if (cost > 0 && hour >= start.getTime() && hour <= end) byHour.set(hour, (byHour.get(hour) ?? 0) + cost);
  }
  const hours = [...byHour].sort(([one], [other]) => one - other);
  const [first] = hours;
  if (first === undefined) return { points: [], forecast: undefined, midnight };
  let sum = 0;
  const points = hours.map(([hour, cost]) => {
    sum += cost;
    return { at: Math.min(hour + HOUR_MS, end), cost: sum };
  });
  // Whole hours, because the slices are.
  const since = Math.max(first[0], end - PACE_MS - ((end - start.getTime()) % HOUR_MS));
  const spent = hours.filter(([hour]) => hour >= since).reduce((total, [, cost]) => total + cost, 0);
  const forecast = end - first[0] < MIN_USE_MS ? undefined : sum + (spent / (end - since)) * (midnight - end);
  return {
    points: [
      { at: first[0], cost: 0 },
      ...points,
      ...((points.at(-1)?.at ?? end) < end ? [{ at: end, cost: sum }] : []),
    ],
    forecast,
    midnight,
  };
}
