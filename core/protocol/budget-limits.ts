import { z } from "zod";

const usd = z.number().positive().max(1_000_000).nullable();

/** Budgets of agents in US dollars at list prices; null for none. */
export const BudgetLimits = z.object({
  day: usd.describe("US dollars for all sessions together, each local day"),
  session: usd.describe("US dollars for each session, as long as it exists"),
});
export type BudgetLimits = z.infer<typeof BudgetLimits>;
