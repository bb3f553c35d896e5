import type { UsageDays, UsageRow, UsageSlice } from "../../../core/protocol/usage.ts";

/** Local midnight of the first of so many days, today included: 1 is today's. */
export function startOf(days: UsageDays, now: Date): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - (days - 1));
}

/** The rows summed by Patchbay session; `nameOf` says in which one an agent's session ran. */
export function slicesOf(
  rows: readonly UsageRow[],
  nameOf: (agentSession: string) => string | undefined,
): readonly UsageSlice[] {
  const slices = new Map<string, UsageSlice>();
  for (const { sessionId, ...row } of rows) {
    const session = nameOf(sessionId) ?? "";
    const key = JSON.stringify([row.from, row.model, session, row.agentType]);
    const known = slices.get(key);
    slices.set(key, known === undefined ? { ...row, session } : added(known, row));
  }
  return [...slices.values()];
}

/** For a spreadsheet: RFC 4180, a header, costs in US dollars at list prices. */
export function usageCsv(slices: readonly UsageSlice[]): string {
  const columns = ["from", "session", "agentType", "model", "calls", "input", "output", "cached", "cost"] as const;
  const lines = slices.map((slice) => columns.map((column) => cell(slice[column])).join(","));
  return [columns.join(","), ...lines, ""].join("\r\n");
}

/** Prefixes text that looks like a formula with an apostrophe: spreadsheets would evaluate it. */
function cell(value: string | number): string {
  if (typeof value === "number") return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function added(slice: UsageSlice, row: Omit<UsageRow, "sessionId">): UsageSlice {
  return {
    ...slice,
    calls: slice.calls + row.calls,
    input: slice.input + row.input,
    output: slice.output + row.output,
    cached: slice.cached + row.cached,
    cost: slice.cost + row.cost,
  };
}
