import { z } from "zod";
import { Timestamp } from "./records.ts";

const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A time, or how long ago: `10m`. */
const TimeOrAge = z.string().refine((text) => /^\d{1,6}[smhd]$/.test(text) || Timestamp.safeParse(text).success, {
  error: "expected a time such as 2026-01-31T09:00:00Z, or how long ago, such as 10m",
});

/** Returns a time in ms since 1970. @param now in ms since 1970 */
function timeOf(given: z.infer<typeof TimeOrAge>, now: number): number {
  const unit = UNITS[given.at(-1) ?? ""];
  return unit === undefined || /\D/.test(given.slice(0, -1))
    ? Date.parse(given)
    : now - Number(given.slice(0, -1)) * unit;
}

/** A time in the past, as `TimeOrAge` takes it; parses to a timestamp. */
export const PastTime = TimeOrAge.transform((given) => new Date(Math.max(0, timeOf(given, Date.now()))).toISOString());
