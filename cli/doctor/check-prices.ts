import type { PriceListStatus } from "../../core/protocol/prices.ts";
import { isAlive } from "../../main/system/processes/is-alive.ts";
import { connectWithKey } from "../connect/connect.ts";
import { exitCodeOf } from "../parse/exit-codes.ts";
import type { Check, CheckResult } from "./finding.ts";

/** Models that are named in one finding. */
const MOST_NAMED = 5;

/** Checks that every model that agents use has a price: a call without one costs 0 in all sums. */
export const checkPrices: Check = async ({ data, env, relay, inRelay }) => {
  if (inRelay !== undefined) return pricesFinding(inRelay.prices());
  if (relay === undefined || !isAlive(relay.pid)) return { state: "ok", found: "No relay runs that counts costs." };
  try {
    const client = await connectWithKey({ env }, { data, url: relay.url });
    return pricesFinding(await client.operation("getPrices", {}));
  } catch (error) {
    if (exitCodeOf(error) === undefined) throw error;
    const advice = "Give a key of the relay in SERVICE_TOKEN, then run `service agents prices`.";
    return { state: "note", found: "Which models have no price could not be asked.", advice };
  }
};

/** Says which models of the last 30 days have no price, those with the most calls first. */
export function pricesFinding({
  list,
  date,
  unpriced,
  problem,
}: Pick<PriceListStatus, "list" | "date" | "unpriced" | "problem">): CheckResult {
  if (problem !== undefined) {
    const found = `The installed price list is not used: ${problem}.`;
    return { state: "problem", found, advice: "Install it again with `service agents prices update`." };
  }
  const [first] = unpriced;
  if (first === undefined) return { state: "ok", found: `Every model in use has a price (${list}, ${date}).` };
  const named = unpriced.slice(0, MOST_NAMED).map(({ model, agentType, calls }) => `${model} (${agentType}, ${calls})`);
  const more = unpriced.length > MOST_NAMED ? ` and ${unpriced.length - MOST_NAMED} more` : "";
  return {
    state: "problem",
    found: `These models have no price, and their calls cost 0 in all sums and budgets: ${named.join(", ")}${more}.`,
    advice:
      "Install a newer list with `service agents prices update`, or write the prices to the price file (docs/agents.md); a budget in tokens counts such calls.",
  };
}
