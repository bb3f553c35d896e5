import { z } from "zod";
import { MAX_PRICE_LIST, PriceListStatus } from "../protocol/prices.ts";
import { operation } from "./operation.ts";

export const priceOperations = {
  getPrices: operation({
    summary: "Show which price list is used, how old it is, and which models it does not know",
    params: z.object({}),
    result: PriceListStatus,
    access: "read",
    owner: "relay",
    effect: "read",
    http: { method: "GET", path: "prices" },
    panel: true,
  }),
  updatePrices: operation({
    summary: "Install a newer price list",
    details:
      "Only a list that the project has signed, and none older than the list in use. Calls that were counted keep their price; those of unknown models are priced when their transcript is read again. Nothing is fetched by the relay.",
    params: z.object({
      list: z.string().min(1).max(MAX_PRICE_LIST).describe("the signed list, as it was published"),
    }),
    result: PriceListStatus,
    access: "unrestricted",
    owner: "relay",
    closedToShells: true,
    closedToAutomation: true,
    effect: "change",
    sensitive: ["list"],
    http: { method: "PUT", path: "prices" },
  }),
} as const;
