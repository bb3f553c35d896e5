import { z } from "zod";

/** Longest signed price list, in characters: three times what all models take today. */
export const MAX_PRICE_LIST = 700_000;

/** The price list by which agents' calls are priced. */
export const PriceListStatus = z
  .object({
    list: z.string(),
    version: z.string(),
    date: z.string().describe("local date of the list"),
    ageDays: z.int().min(0).describe("how old the list is, in days"),
    source: z.enum(["built-in", "installed"]).describe("`installed`: by `updatePrices`"),
    problem: z.string().optional().describe("why an installed list is not used"),
    overrides: z.string().optional().describe("file of the user's own prices, which come before the list"),
    unpriced: z
      .array(z.object({ model: z.string(), agentType: z.string(), calls: z.int() }))
      .describe("models of the last 30 days that no list knows, by their calls"),
  })
  .meta({ id: "PriceListStatus" });
export type PriceListStatus = z.infer<typeof PriceListStatus>;
