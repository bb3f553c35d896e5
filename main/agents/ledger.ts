import type { TokenUsage } from "../../core/protocol/agent-records.ts";
import { approximateCostOf } from "../../core/protocol/usage.ts";
import type { ApiCall } from "./adapters/adapter.ts";
import type { Price, PriceBasis, PriceCall } from "./pricing.ts";

/** One API call that counts, with its price. */
export interface PricedCall {
  readonly id: string;
  readonly model: string;
  readonly at: string;
  readonly input: number;
  readonly output: number;
  readonly cached: number;
  readonly cost: number;
  readonly basis: PriceBasis;
  readonly pricedAs?: string;
}

/** Per model: what it used and how its price was found. */
export interface ModelSum {
  readonly model: string;
  readonly usage: TokenUsage;
  readonly calls: number;
  readonly basis: PriceBasis;
  readonly pricedAs?: string;
}

/**
 * The accounts of one agent session: every call once, by its id. Of several tellings of one call the one with the most
 * output counts, because an answer's first lines are written before its output is known.
 */
export class Ledger {
  readonly #provider: string;
  readonly #price: PriceCall;
  readonly #foreign: ReadonlySet<string>;
  readonly #calls = new Map<string, PricedCall>();
  readonly #skipped = new Map<string, number>();
  #changed = new Map<string, PricedCall>();
  #sums: readonly ModelSum[] | undefined;

  /** `foreign`: ids that count for an older session. `known`: what the store has of this one. */
  constructor(provider: string, price: PriceCall, foreign: ReadonlySet<string>, known: readonly PricedCall[] = []) {
    this.#provider = provider;
    this.#price = price;
    this.#foreign = foreign;
    for (const call of known) this.#calls.set(call.id, call);
  }

  add(call: ApiCall): void {
    if (this.#foreign.has(call.id)) {
      this.skip("copied from the session that this one was forked from");
      return;
    }
    const { input, cacheWrite, cacheWrite1h, cached, output } = call.tokens;
    if (!isPlausible(MOST_TOKENS, input, cacheWrite, cacheWrite1h, cached, output)) {
      this.skip("absurd number of tokens");
      return;
    }
    const known = this.#calls.get(call.id);
    const isUnpriced = known?.basis === "unpriced" && known.output === call.tokens.output;
    if (known !== undefined && known.output >= call.tokens.output && !isUnpriced) return;
    const price = this.#price(call.provider ?? this.#provider, call.model, call.tokens, call.at);
    const priced = pricedCall(call, withOwnCost(withSurcharges(price, call), call));
    if (!isPlausible(MOST_DOLLARS, priced.cost)) {
      this.skip("absurd price");
      return;
    }
    // What was counted keeps its price, so that no sum changes later; what had none gets one as soon as it is known.
    if (isUnpriced && priced.basis === "unpriced") return;
    this.#calls.set(call.id, priced);
    this.#changed.set(call.id, priced);
    this.#sums = undefined;
  }

  skip(reason: string): void {
    this.#skipped.set(reason, (this.#skipped.get(reason) ?? 0) + 1);
  }

  /** Hands over what was added since the last time; kept for the next time if `keep` throws. */
  flush(keep: (calls: readonly PricedCall[]) => void): void {
    if (this.#changed.size === 0) return;
    keep([...this.#changed.values()]);
    this.#changed = new Map();
  }

  /** The calls that count. */
  all(): Iterable<PricedCall> {
    return this.#calls.values();
  }

  get counted(): number {
    return this.#calls.size;
  }

  get skipped(): readonly { reason: string; count: number }[] {
    return [...this.#skipped].map(([reason, count]) => ({ reason, count }));
  }

  byModel(): readonly ModelSum[] {
    this.#sums ??= sumByModel(this.#calls.values());
    return this.#sums;
  }
}

export const noUsage: TokenUsage = { input: 0, output: 0, cached: 0, cost: 0 };

export function addUsage(one: TokenUsage, other: TokenUsage): TokenUsage {
  return {
    input: one.input + other.input,
    output: one.output + other.output,
    cached: one.cached + other.cached,
    cost: dollars(one.cost + other.cost),
    ...doubtsOf(one.unpriced ?? other.unpriced ?? false, sumOfKnown(approximateCostOf(one), approximateCostOf(other))),
  };
}

function sumOfKnown(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : one + other;
}

/** Returns what is not certain in a sum of costs. `approximateCost`: undefined where no call is approximate. */
export function doubtsOf(
  unpriced: boolean,
  approximateCost: number | undefined,
): Pick<TokenUsage, "unpriced" | "approximate" | "approximateCost"> {
  return {
    ...(unpriced && { unpriced: true }),
    ...(approximateCost !== undefined && { approximate: true, approximateCost: dollars(approximateCost) }),
  };
}

/** Returns the usage of one call. */
export function usageOfCall({ input, output, cached, cost, basis }: PricedCall): TokenUsage {
  const doubts = doubtsOf(basis === "unpriced", basis === "approximate" ? cost : undefined);
  return { input, output, cached, cost, ...doubts };
}

/**
 * More than one call, or one turn of many, can be. The sums of what programs write into their transcripts must stay
 * numbers that the database and JSON can hold.
 */
const MOST_TOKENS = 1e10;
const MOST_DOLLARS = 1e6;

function isPlausible(most: number, ...numbers: readonly number[]): boolean {
  return numbers.every((number) => number >= 0 && number <= most);
}

/** A sum of prices without the dust of binary fractions, so that it is the same in whatever order it was made. */
export function dollars(sum: number): number {
  return Math.round(sum * 1e10) / 1e10;
}

export function sumByModel(calls: Iterable<PricedCall>): readonly ModelSum[] {
  const sums = new Map<string, PricedCall[]>();
  for (const call of calls) {
    const same = sums.get(call.model);
    if (same === undefined) sums.set(call.model, [call]);
    else same.push(call);
  }
  return [...sums].map(([model, same]) => sumOf(model, same));
}

function sumOf(model: string, calls: readonly PricedCall[]): ModelSum {
  const usage = { input: 0, output: 0, cached: 0, cost: 0 };
  let worst: PricedCall | undefined;
  let approximateCost: number | undefined;
  for (const call of calls) {
    usage.input += call.input;
    usage.output += call.output;
    usage.cached += call.cached;
    usage.cost += call.cost;
    if (call.basis === "approximate") approximateCost = (approximateCost ?? 0) + call.cost;
    if (worst === undefined || doubt[call.basis] > doubt[worst.basis]) worst = call;
  }
  const basis = worst?.basis ?? "unpriced";
  const pricedAs = worst?.pricedAs;
  return {
    model,
    calls: calls.length,
    basis,
    ...(pricedAs !== undefined && { pricedAs }),
    usage: { ...usage, cost: dollars(usage.cost), ...doubtsOf(basis === "unpriced", approximateCost) },
  };
}

/** A sum is as certain as its least certain call. */
const doubt = { listed: 0, override: 1, reported: 2, approximate: 3, unpriced: 4 } as const satisfies Record<
  PriceBasis,
  number
>;

/** US dollars for a search of the web; every provider whose agents report them asks the same. */
const WEB_SEARCH = 0.01;

/** Adds what is paid beyond the list price of the tokens. */
function withSurcharges(price: Price, { factor = 1, webSearches = 0 }: ApiCall): Price {
  return { ...price, cost: price.cost * factor + webSearches * WEB_SEARCH };
}

/** Prices a call by what the agent says, where no list knows the model or the tokens are not all told. */
function withOwnCost(price: Price, { ownCost = 0, isSeveral }: ApiCall): Price {
  const counts = price.basis === "unpriced" || (isSeveral === true && price.basis !== "override");
  if (!counts || ownCost <= 0) return price;
  return { cost: ownCost, basis: "reported" };
}

function pricedCall({ id, model, at, tokens }: ApiCall, { cost, basis, pricedAs }: Price): PricedCall {
  return {
    id,
    model,
    at,
    input: tokens.input + tokens.cacheWrite,
    output: tokens.output,
    cached: tokens.cached,
    cost,
    basis,
    ...(pricedAs !== undefined && { pricedAs }),
  };
}
