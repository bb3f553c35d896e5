import type { UsageRow } from "./usage.ts";

/** Returns the cost since local midnight at the end of each hour, the current one included, from today's use by hour. */
export function costByHour(rows: readonly Pick<UsageRow, "from" | "cost">[], now: Date): readonly number[] {
  const hours = Array.from({ length: now.getHours() + 1 }, () => 0);
  for (const { from, cost } of rows) {
    const hour = Math.min(new Date(from).getHours(), hours.length - 1);
    hours[hour] = (hours[hour] ?? 0) + cost;
  }
  let spent = 0;
  return hours.map((cost) => {
    spent += cost;
    return spent;
  });
}
