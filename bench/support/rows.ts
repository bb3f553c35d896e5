import type { Baseline, BenchRow } from "../bench-row.ts";

/** How a figure should stand to its baseline: at least this share of it, or at most this multiple. */
export type RatioGoal = { readonly atLeast: number } | { readonly within: number };

/** A figure beside its baseline, which must have been measured in the same run. */
export function against(name: string, value: number, unit: string, baseline: Baseline, goal?: RatioGoal): BenchRow {
  const ratio = value / baseline.value;
  return {
    name,
    value: rounded(value),
    unit,
    baseline: { ...baseline, value: rounded(baseline.value) },
    ratio: Number(ratio.toPrecision(3)),
    ...(goal === undefined ? {} : judged(ratio, goal)),
  };
}

/** A figure that must stay below a fixed bound. */
export function under(name: string, value: number, unit: string, most: number, baseline?: Baseline): BenchRow {
  const row = baseline === undefined ? plain(name, value, unit) : against(name, value, unit, baseline);
  return { ...row, goal: `under ${most} ${unit}`, ok: value < most };
}

/** A figure without a goal. */
export function plain(name: string, value: number, unit: string): BenchRow {
  return { name, value: rounded(value), unit };
}

/** A figure that could not be measured on this machine. */
export function missing(name: string, note: string): BenchRow {
  return { name, value: null, unit: "", note };
}

function judged(ratio: number, goal: RatioGoal): Pick<BenchRow, "goal" | "ok"> {
  return "atLeast" in goal
    ? { goal: `at least ${goal.atLeast} times`, ok: ratio >= goal.atLeast }
    : { goal: `within ${goal.within} times`, ok: ratio <= goal.within };
}

/** Three digits are more than a shared machine can tell apart. */
function rounded(value: number): number {
  return Math.abs(value) >= 100 ? Math.round(value) : Number(value.toPrecision(3));
}
