import { createPublicKey, verify } from "node:crypto";
import { z } from "zod";
import { MAX_PRICE_LIST } from "../../core/protocol/prices.ts";

/** A list in UTF-8 is no longer than this; the rest is the envelope. */
export const MAX_LIST_BYTES = 2 * MAX_PRICE_LIST;

/**
 * Public keys of the project for price lists: base64 of SPKI. A list has to be signed with one of them; a second one is
 * here while the key changes (CONTRIBUTING.md, Price lists).
 */
export const PRICE_LIST_KEYS: readonly string[] = [];

const FORMAT = "patchbay price list 1";

/** What is signed begins with this, so that no signature for something else is one of a price list. */
export const SIGNED_PREFIX = `${FORMAT}\n`;

/** A list that is not installed; the message says why, as a part of a sentence. */
export class PriceListError extends Error {}

const dollars = z.number().min(0).max(1_000_000);
const name = z.string().min(1).max(200);

/** A price for a million tokens (or a thousand searches), in dollars; with tiers, from so many tokens of input on. */
const TieredPrice = z.strictObject({
  base: dollars,
  tiers: z.array(z.strictObject({ start: z.int().min(0), price: dollars })).max(20),
});
const Prices = z.record(name, z.union([dollars, TieredPrice]));

const time = z.string().max(40);
const Constraint = z.union([
  z.strictObject({ type: z.literal("start_date"), start_date: z.iso.date() }),
  z.strictObject({ type: z.literal("time_of_date"), start_time: time, end_time: time }),
]);
const DatedPrices = z.union([
  z.strictObject({ prices: Prices }),
  z.strictObject({ constraint: Constraint, prices: Prices }),
]);

const simpleMatch = [
  z.strictObject({ equals: name }),
  z.strictObject({ starts_with: name }),
  z.strictObject({ ends_with: name }),
  z.strictObject({ contains: name }),
  z.strictObject({ regex: name.refine(isPattern, "not a regular expression") }),
] as const;
const MAX_MATCHES = 100;
/** At most three levels, one in another. */
const innerMatch = z.union([
  ...simpleMatch,
  z.strictObject({ or: z.array(z.union(simpleMatch)).max(MAX_MATCHES) }),
  z.strictObject({ and: z.array(z.union(simpleMatch)).max(MAX_MATCHES) }),
]);
const Match = z.union([
  ...simpleMatch,
  z.strictObject({ or: z.array(innerMatch).max(MAX_MATCHES) }),
  z.strictObject({ and: z.array(innerMatch).max(MAX_MATCHES) }),
]);

/** Tells the ids of a model. */
export type IdMatch = z.infer<typeof Match>;

const Provider = z.strictObject({
  id: name,
  /** Where the list does not have a model, those of these providers count. */
  fallback_model_providers: z.array(name).max(20).optional(),
  model_match: Match.optional(),
  provider_match: Match.optional(),
  models: z
    .array(z.strictObject({ id: name, match: Match, prices: z.union([Prices, z.array(DatedPrices).min(1).max(50)]) }))
    .max(5000),
});

/** The content of a price list, in the terms of @pydantic/genai-prices. */
export const SignedPrices = z.strictObject({
  list: name,
  version: name,
  date: z.iso.date(),
  providers: z.array(Provider).min(1).max(200),
});
export type SignedPrices = z.infer<typeof SignedPrices>;

/** A price list as it is published. `prices` is the JSON of the content, of which each byte is signed. */
const Envelope = z.strictObject({
  format: z.literal(FORMAT),
  prices: z.string().max(MAX_PRICE_LIST),
  signature: z.base64().max(200),
});

/** A list may be a day ahead of this machine's clock. */
const AHEAD_MS = 24 * 3600 * 1000;

/** Reads a price list as it was published. @throws PriceListError where it is not signed by one of the keys, or not valid */
export function verifyPriceList(text: string, keys: readonly string[], now = Date.now()): SignedPrices {
  const envelope = parse(Envelope, text);
  const bytes = Buffer.from(`${SIGNED_PREFIX}${envelope.prices}`, "utf8");
  const signature = Buffer.from(envelope.signature, "base64");
  if (!keys.some((key) => verify(null, bytes, publicKey(key), signature))) {
    throw new PriceListError("it is not signed with the project's key");
  }
  const prices = parse(SignedPrices, envelope.prices);
  if (Date.parse(prices.date) > now + AHEAD_MS) throw new PriceListError(`its date is in the future: ${prices.date}`);
  return prices;
}

function isPattern(text: string): boolean {
  try {
    // Bounded pattern: it is compiled only, and the project has signed it.
    return new RegExp(text).source !== "";
  } catch {
    return false;
  }
}

function publicKey(key: string) {
  return createPublicKey({ key: Buffer.from(key, "base64"), format: "der", type: "spki" });
}

function parse<T>(schema: z.ZodType<T>, text: string): T {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new PriceListError("it is not JSON");
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new PriceListError(`it is not a price list: ${issue?.path.join(".") ?? ""}: ${issue?.message ?? ""}`);
}
