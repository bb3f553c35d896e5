import type { SignedPrices } from "./signed-prices.ts";

/** From so many tokens of a prompt on, Haiku 5.5 has its second prices. */
const LONG_PROMPT = 100_000;

const tier = (input: number, cacheRead: number) => ({
  input_mtok: input,
  output_mtok: input * 5,
  cache_write_mtok: input * 1.25,
  cache_write_1h_mtok: input * 2,
  cache_read_mtok: cacheRead,
});

const tiered = (base: number, price: number) => ({ base, tiers: [{ start: LONG_PROMPT, price }] });

/**
 * Prices of models that the built-in list does not have yet, in the terms of that list: those by which Claude Code 2.1.330
 * counts them itself. A list that has such a model comes first.
 */
export const priceSupplement: SignedPrices["providers"] = [
  {
    id: "anthropic",
    models: [
      modelOf("claude-sonnet-5-5", tier(2, 0.1)),
      modelOf("claude-mythos-5", tier(10, 1)),
      modelOf("claude-mythos-5-1", tier(10, 0.25)),
      modelOf("claude-mythos-5-2", tier(8, 0.2)),
      modelOf("claude-fable-5-2", tier(8, 0.2)),
      modelOf("claude-haiku-5-5", {
        input_mtok: tiered(0.1, 0.5),
        output_mtok: tiered(0.5, 2.5),
        cache_write_mtok: tiered(0.125, 0.625),
        cache_write_1h_mtok: tiered(0.2, 1),
        cache_read_mtok: tiered(0.01, 0.05),
      }),
    ],
  },
];

/** An entry for a model's id, alone and with what only names a release of it. */
function modelOf(id: string, prices: SignedPrices["providers"][number]["models"][number]["prices"]) {
  return { id, match: { regex: `^${id}(-latest|-\\d{8})?$` }, prices };
}
