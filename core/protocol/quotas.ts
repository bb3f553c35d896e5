import { z } from "zod";
import { Timestamp } from "./records.ts";

/** How full the context of an agent's model is. */
export const AgentContext = z
  .object({
    used: z.int().min(0).describe("tokens of the last request, as the agent counts them"),
    size: z.int().positive().optional().describe("tokens that fit; absent where the agent does not report it"),
  })
  .meta({ id: "AgentContext" });
export type AgentContext = z.infer<typeof AgentContext>;

/** A limit that a provider sets to the use of an account within some time, as an agent reports it. */
export const QuotaWindow = z
  .object({
    window: z.string().describe("the window by its length, such as `5h`, `week` or `30d`"),
    minutes: z.int().positive().describe("the window's length"),
    limit: z.string().optional().describe("name of a limit of its own, such as that of one model"),
    usedPercent: z.number().min(0).describe("0 after the time of the reset, until the agent reports again"),
    resetsAt: Timestamp.nullable().describe("null where that is not known, and after the reset"),
    at: Timestamp.describe("when the agent reported it"),
  })
  .meta({ id: "QuotaWindow" });
export type QuotaWindow = z.infer<typeof QuotaWindow>;

/** A quota window as an agent reports it. `resetsAt` in ms since the epoch. */
export interface ReportedWindow extends Readonly<Pick<QuotaWindow, "minutes" | "limit" | "usedPercent">> {
  readonly resetsAt: number | undefined;
}

/** A window of an account, which agents of one kind with one data folder share. */
export const AccountWindow = QuotaWindow.extend({
  agentType: z.string(),
  account: z.string().describe("the agent's data folder"),
}).meta({ id: "AccountWindow" });
export type AccountWindow = z.infer<typeof AccountWindow>;

const HOUR = 60;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;
/** Agents also report lengths such as 299 minutes. */
const INACCURACY = 2;

/** Rounds the length of a window to whole hours, where it is that but for a minute or two. */
export function roundMinutes(minutes: number): number {
  const hours = Math.round(minutes / HOUR);
  return hours > 0 && Math.abs(minutes - hours * HOUR) <= INACCURACY ? hours * HOUR : Math.max(1, Math.round(minutes));
}

/** Returns the name of a window by its length: `5h`, `week`, `30d`, `90m`. */
export function windowName(minutes: number): string {
  if (minutes === WEEK) return "week";
  if (minutes % DAY === 0) return `${minutes / DAY}d`;
  return minutes % HOUR === 0 ? `${minutes / HOUR}h` : `${minutes}m`;
}

/** Returns whether some window has this name: `week` has, `7d`, `24h` and `60m` have not. */
export function isWindowName(name: string): boolean {
  const [, count = "", unit = ""] = /^([1-9]\d{0,5})([dhm])$/.exec(name) ?? [];
  const minutes = name === "week" ? WEEK : Number(count) * ({ d: DAY, h: HOUR, m: 1 }[unit] ?? 0);
  return minutes > 0 && windowName(minutes) === name;
}

/** Returns a window's name as a part of a sentence: `5-hour window`, `weekly window`. */
export function describeWindow({ minutes, limit }: Pick<QuotaWindow, "minutes" | "limit">): string {
  const name = windowName(minutes).replace(/^(\d+)([dhm])$/, (_, count, unit) => `${count}-${UNITS[unit]}`);
  return `${name === "week" ? "weekly" : name} window${limit === undefined ? "" : ` of ${limit}`}`;
}

const UNITS: Readonly<Record<string, string>> = { d: "day", h: "hour", m: "minute" };
