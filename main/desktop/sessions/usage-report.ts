import type { UsageDays } from "../../../core/protocol/usage.ts";

/** Local midnight of the first of so many days, today included: 1 is today's. */
export function startOf(days: UsageDays, now: Date): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - (days - 1));
}
