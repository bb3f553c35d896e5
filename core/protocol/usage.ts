import { z } from "zod";

/** Length of a usage report, in days. */
export const UsageDays = z.union([z.literal(1), z.literal(7), z.literal(30)]);
export type UsageDays = z.infer<typeof UsageDays>;

/** Usage of one model in one session, during one hour or one local day. */
export interface UsageSlice {
  /** Start of the period: ISO 8601 with Z for an hour, a local date for a day. */
  readonly from: string;
  readonly model: string;
  /** Name of the session; "" if it was closed. */
  readonly session: string;
  readonly agentType: string;
  readonly calls: number;
  /** Tokens. */
  readonly input: number;
  readonly output: number;
  readonly cached: number;
  /** US dollars at list prices. */
  readonly cost: number;
}
