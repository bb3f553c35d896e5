import { calcPrice, type PriceCalculationResult, type Provider } from "@pydantic/genai-prices";
import type { CostExplanation } from "../../core/protocol/agent-records.ts";
import type { CallTokens } from "./adapters/adapter.ts";
import type { PriceOverride } from "./price-overrides.ts";
import { priceSupplement } from "./price-supplement.ts";
import type { IdMatch, SignedPrices } from "./signed-prices.ts";

export type PriceBasis = CostExplanation["models"][number]["basis"];

/** The list price of one API call in US dollars, and its basis. */
export interface Price {
  readonly cost: number;
  readonly basis: PriceBasis;
  readonly pricedAs?: string;
}

/** Prices one call (never a sum: tiers apply per call). An unknown model costs 0 and says so; this never throws. */
export type PriceCall = (provider: string, model: string, tokens: CallTokens, at: string) => Price;

type Providers = SignedPrices["providers"];

/**
 * Prices calls by the user's own prices, else by a list.
 * @param installed - returns the providers of the list; undefined for the list that is built in
 */
export function createPricing(
  overrides: () => readonly PriceOverride[],
  installed: () => Providers | undefined = () => undefined,
): PriceCall {
  const linear = new Map<string, LinearPrice>();
  let providers: Providers | undefined;
  return (provider, model, tokens, at) => {
    if (providers !== installed()) {
      providers = installed();
      linear.clear();
    }
    const own = ownModel(provider, model);
    const override = overrides().find(
      (entry) =>
        (entry.provider === provider && matches(entry.match, model)) ||
        (entry.provider === own.provider && matches(entry.match, own.model)),
    );
    if (override !== undefined)
      return { cost: overridden(override, tokens), basis: "override", pricedAs: override.match };
    const day = `${provider}/${model}/${at.slice(0, 10)}`;
    const known = linear.get(day);
    if (known !== undefined) return { ...known.price, cost: costAt(tokens, known.perMillion) };
    const source = listOf(providers, own, tokens, at);
    const result = listed(source, own, tokens, at);
    if (result === null || !Number.isFinite(result.total_price)) return { cost: 0, basis: "unpriced" };
    const basis = isOwnEntry(own, result) && !isDisputed(result, tokens) ? "listed" : "approximate";
    const price = { cost: result.total_price, basis, pricedAs: result.model.id } as const;
    if (isLinear(result)) {
      if (linear.size >= MAX_KNOWN) linear.clear();
      linear.set(
        day,
        linearPrice(price, (part) => listed(source, own, part, at)?.total_price ?? 0),
      );
    }
    return price;
  };
}

/** Returns the list that prices a model: the supplement only for one that the list does not have itself. */
function listOf(list: Providers | undefined, own: ListedModel, tokens: CallTokens, at: string): Providers | undefined {
  const result = listed(list, own, tokens, at);
  if (result !== null && isOwnEntry(own, result)) return list;
  const more = listed(priceSupplement, own, tokens, at);
  return more === null ? list : priceSupplement;
}

/** Whether an entry is the model's, and not a sibling's. */
function isOwnEntry(own: ListedModel, { model }: NonNullable<PriceCalculationResult>): boolean {
  return own.sibling !== true && model.id === plainModel(own.model);
}

/**
 * Whether the list and Anthropic's own program price a call in two ways: for a long prompt to Sonnet 4 and 4.5 the list has a
 * second price, and Claude Code counts the first.
 */
function isDisputed({ model }: NonNullable<PriceCalculationResult>, tokens: CallTokens): boolean {
  const prompt = tokens.input + tokens.cacheWrite + tokens.cached;
  return /^claude-sonnet-4-[05]$/.test(model.id) && prompt > SONNET_LONG_PROMPT;
}

const SONNET_LONG_PROMPT = 200_000;

/** Prices per million tokens of each part, learned from the list: ten times as fast as asking it for every call. */
interface LinearPrice {
  readonly price: Price;
  readonly perMillion: CallTokens;
}

const MAX_KNOWN = 1000;
const MILLION = 1_000_000;
const nothing: CallTokens = { input: 0, cacheWrite: 0, cacheWrite1h: 0, cached: 0, output: 0 };

/** Without tiers and prices by the time of day a call's price is the sum of its parts' prices, all day long. */
function isLinear({ model, model_price }: NonNullable<PriceCalculationResult>): boolean {
  const byTheHour =
    Array.isArray(model.prices) && model.prices.some(({ constraint }) => constraint?.type === "time_of_date");
  return !byTheHour && Object.values(model_price).every((price) => price === undefined || typeof price === "number");
}

function linearPrice(price: Price, costOf: (tokens: CallTokens) => number): LinearPrice {
  const perMillion = {
    input: costOf({ ...nothing, input: MILLION }),
    cacheWrite: costOf({ ...nothing, cacheWrite: MILLION }),
    cacheWrite1h: costOf({ ...nothing, cacheWrite: MILLION, cacheWrite1h: MILLION }),
    cached: costOf({ ...nothing, cached: MILLION }),
    output: costOf({ ...nothing, output: MILLION }),
  };
  return { price, perMillion };
}

function costAt(tokens: CallTokens, perMillion: CallTokens): number {
  const cost =
    tokens.input * perMillion.input +
    (tokens.cacheWrite - tokens.cacheWrite1h) * perMillion.cacheWrite +
    tokens.cacheWrite1h * perMillion.cacheWrite1h +
    tokens.cached * perMillion.cached +
    tokens.output * perMillion.output;
  return cost / MILLION;
}

/** A model as its provider's price list names it. `sibling`: the list has it from another provider only. */
interface ListedModel {
  readonly provider: string;
  readonly model: string;
  readonly sibling?: true;
}

/**
 * Finds the entry for a model's id as agents write it. Amazon Bedrock, Google Vertex and OpenRouter name the models of others
 * by ids of their own; their calls are priced as the maker's, as the agents do it themselves.
 */
function ownModel(provider: string, id: string): ListedModel {
  const model = id.replace(/\[1m\]$/, "");
  const bedrock = /(?:^|[./])anthropic\.(claude-.+)$/s.exec(model)?.[1];
  if (bedrock !== undefined) return { provider: "anthropic", model: bedrock.replace(/-v\d+(?::\d+)?$/, "") };
  const [, maker = "", name = ""] = /^(anthropic|openai|google)\/([^/:]+)/.exec(model) ?? [];
  if (maker === "anthropic") return { provider: maker, model: name.replaceAll(".", "-") };
  if (maker !== "") return { provider: maker, model: name };
  const vertex = /^(claude-.+)@(\d{8})$/.exec(model);
  if (vertex !== null) return { provider: "anthropic", model: `${vertex[1]}-${vertex[2]}` };
  if (/^[^/]+\/[^/]+$/.test(model)) return { provider: "openrouter", model };
  if (provider === "qwen") return { provider: "openrouter", model: `qwen/${model}`, sibling: true };
  return { provider: provider || makerOf(model), model };
}

/** Returns the maker of a model by the beginning of its id; "" for a search in the whole list. */
function makerOf(model: string): string {
  if (model.startsWith("claude-")) return "anthropic";
  if (/^(gpt-|o\d|codex-)/.test(model)) return "openai";
  return model.startsWith("gemini-") ? "google" : "";
}

function listed(
  providers: Providers | undefined,
  { provider, model }: ListedModel,
  tokens: CallTokens,
  at: string,
): PriceCalculationResult {
  const usage = {
    // The list expects the whole input here and subtracts the cached parts itself.
    input_tokens: tokens.input + tokens.cacheWrite + tokens.cached,
    output_tokens: tokens.output,
    cache_read_tokens: tokens.cached,
    ...(tokens.cacheWrite > 0 && { cache_write_tokens: tokens.cacheWrite }),
    ...(tokens.cacheWrite1h > 0 && { cache_write_1h_tokens: tokens.cacheWrite1h }),
  };
  try {
    const timestamp = new Date(at);
    if (providers === undefined)
      return calcPrice(usage, model, { ...(provider !== "" && { providerId: provider }), timestamp });
    const own = providerOf(providers, provider, model);
    return own === undefined ? null : calcPrice(usage, model, { provider: own, timestamp });
  } catch {
    return null;
  }
}

/** Finds the provider of a list as the library does in its own, with the models of those that it falls back to. */
function providerOf(providers: Providers, id: string, model: string): Provider | undefined {
  const found =
    providers.find((one) => one.id === id) ??
    providers.find(({ provider_match: of }) => of !== undefined && id !== "" && fits(of, id)) ??
    providers.find(({ model_match: of }) => of !== undefined && id === "" && fits(of, model));
  if (found === undefined) return undefined;
  const { id: name, fallback_model_providers: others = [], models } = found;
  const more = others.flatMap((other) => providers.find((one) => one.id === other)?.models ?? []);
  return { id: name, name, api_pattern: "", models: [...models, ...more] };
}

function fits(match: IdMatch, id: string): boolean {
  const text = id.toLowerCase();
  if ("or" in match) return match.or.some((one) => fits(one, id));
  if ("and" in match) return match.and.every((one) => fits(one, id));
  if ("equals" in match) return text === match.equals.toLowerCase();
  if ("starts_with" in match) return text.startsWith(match.starts_with.toLowerCase());
  if ("ends_with" in match) return text.endsWith(match.ends_with.toLowerCase());
  if ("contains" in match) return text.includes(match.contains.toLowerCase());
  // Bounded pattern: it stands in a price list that the project has signed.
  return new RegExp(match.regex).test(id);
}

/** The id without what only names a release of the same model: a date, `-latest`, `[1m]`. */
function plainModel(model: string): string {
  return model.replace(/\[1m\]$/, "").replace(/-(latest|\d{8}|\d{4}-\d{2}-\d{2})$/, "");
}

function matches(pattern: string, model: string): boolean {
  return pattern.endsWith("*") ? model.startsWith(pattern.slice(0, -1)) : model === pattern;
}

function overridden({ prices }: PriceOverride, tokens: CallTokens): number {
  const cacheWrite = prices.cacheWrite ?? prices.input;
  return costAt(tokens, {
    input: prices.input,
    cacheWrite,
    cacheWrite1h: prices.cacheWrite1h ?? cacheWrite,
    cached: prices.cacheRead ?? prices.input,
    output: prices.output,
  });
}
