import { z } from "zod";
import { TokenUsage } from "./agent-records.ts";
import { csvText } from "./csv.ts";

/** Length of a usage report, in days. */
export const UsageDays = z.union([z.literal(1), z.literal(7), z.literal(30)]);
export type UsageDays = z.infer<typeof UsageDays>;

/** Usage of one model in one session, during one hour of the local clock or one local day. */
export interface UsageSlice {
  /** Start of the period: ISO 8601 with Z for an hour, a local date for a day. */
  readonly from: string;
  readonly model: string;
  /** Name of the session; "" if it was closed. */
  readonly session: string;
  /** Folder that the agent was started in; "" if it is not known. */
  readonly folder: string;
  readonly agentType: string;
  readonly calls: number;
  /** Tokens. */
  readonly input: number;
  readonly output: number;
  readonly cached: number;
  /** US dollars at list prices. */
  readonly cost: number;
}

/** Usage of one model in one agent session, during one hour or one local day. */
export const UsageRow = TokenUsage.extend({
  from: z.string().describe("beginning of the period: ISO 8601 with Z for an hour, a local date for a day"),
  agentType: z.string(),
  model: z.string(),
  sessionId: z.string().describe("the agent's own session"),
  calls: z.int(),
}).meta({ id: "UsageRow" });
export type UsageRow = Readonly<z.infer<typeof UsageRow>>;

/**
 * Returns the part of a cost that is priced by sibling models, in US dollars; undefined where no call is. A record of an
 * earlier version says only that there is such a part: all of it may be.
 */
export function approximateCostOf({ cost, approximate, approximateCost }: TokenUsage): number | undefined {
  return approximateCost ?? (approximate === true ? cost : undefined);
}

/** Returns the local date of a time, such as `2026-01-31`. */
export function localDate(at: Date): string {
  const parts = [at.getFullYear(), at.getMonth() + 1, at.getDate()];
  return parts.map((part) => String(part).padStart(2, "0")).join("-");
}

/** Returns the beginning of a time's local day. */
export function localMidnight(at: Date): Date {
  return new Date(at.getFullYear(), at.getMonth(), at.getDate());
}

/** Where an agent's session ran. */
export type UsageHome = Pick<UsageSlice, "session" | "folder">;

/** The rows summed by where they came from; `homeOf` says where an agent's session ran. */
export function slicesOf(
  rows: readonly UsageRow[],
  homeOf: (agentSession: string) => UsageHome | undefined,
): readonly UsageSlice[] {
  const slices = new Map<string, UsageSlice>();
  for (const { sessionId, ...row } of rows) {
    const { session, folder } = homeOf(sessionId) ?? { session: "", folder: "" };
    const key = JSON.stringify([row.from, row.model, session, folder, row.agentType]);
    const known = slices.get(key);
    slices.set(key, known === undefined ? { ...row, session, folder } : added(known, row));
  }
  return [...slices.values()];
}

/** For a spreadsheet: costs in US dollars at list prices. */
export function usageCsv(slices: readonly UsageSlice[]): string {
  const columns = [
    "from",
    "session",
    "folder",
    "agentType",
    "model",
    "calls",
    "input",
    "output",
    "cached",
    "cost",
  ] as const;
  return csvText(
    columns,
    slices.map((slice) => columns.map((column) => slice[column])),
  );
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
