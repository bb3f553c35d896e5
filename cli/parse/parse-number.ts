import { usageError } from "./exit-codes.ts";

/** A number as people write it. Whether it is in range is for the relay to say, as long as JSON can carry it. */
export function parseNumber(text: string, what: string): number {
  const number = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : Number.NaN;
  if (Number.isFinite(number)) return number;
  throw usageError(`${what}: expected a number, got ${JSON.stringify(text)}.`);
}
