import { z } from "zod";

const usd = z.number().positive().max(1_000_000).nullable();

/** Budgets of agents in US dollars at list prices; null for none. */
export const BudgetLimits = z.object({
  day: usd.describe("for all sessions, each local day"),
  session: usd.describe("for each session, for as long as it lives"),
});
export type BudgetLimits = z.infer<typeof BudgetLimits>;
