import { usageError } from "./exit-codes.ts";

/** A number as people write it. Whether it is in range is for the relay to say. */
export function numberFrom(text: string, what: string): number {
  if (/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)) return Number(text);
  throw usageError(`${what}: expected a number, got ${JSON.stringify(text)}.`);
}
