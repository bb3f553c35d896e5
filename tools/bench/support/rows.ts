import type { Baseline, BenchRow } from "../bench-row.ts";

/** Goal for a ratio: at least this share of the baseline, or at most this multiple. */
export type RatioGoal = { readonly atLeast: number } | { readonly within: number };

/** Returns the row of a figure and its baseline, which must be measured in the same run. */
export function compared(name: string, value: number, unit: string, baseline: Baseline, goal?: RatioGoal): BenchRow {
  const ratio = value / baseline.value;
  return {
    name,
    value: rounded(value),
    unit,
    baseline: { ...baseline, value: rounded(baseline.value) },
    ratio: Number(ratio.toPrecision(3)),
    ...(goal === undefined ? {} : goalResult(ratio, goal)),
  };
}

/** Returns the row of a figure that must stay below a fixed bound. */
export function bounded(name: string, value: number, unit: string, most: number, baseline?: Baseline): BenchRow {
  const row = baseline === undefined ? plain(name, value, unit) : compared(name, value, unit, baseline);
  return { ...row, goal: `under ${most} ${unit}`, ok: value < most };
}

/** Returns the row of a figure without a goal. */
export function plain(name: string, value: number, unit: string): BenchRow {
  return { name, value: rounded(value), unit };
}

/** Returns the row of a figure that could not be measured on this machine. */
export function missing(name: string, note: string): BenchRow {
  return { name, value: null, unit: "", note };
}

function goalResult(ratio: number, goal: RatioGoal): Pick<BenchRow, "goal" | "ok"> {
  return "atLeast" in goal
    ? { goal: `at least ${goal.atLeast} times`, ok: ratio >= goal.atLeast }
    : { goal: `within ${goal.within} times`, ok: ratio <= goal.within };
}

/** Rounds to three digits; more are noise on a shared machine. */
function rounded(value: number): number {
  return Math.abs(value) >= 100 ? Math.round(value) : Number(value.toPrecision(3));
}
