import { usageError } from "./exit-codes.ts";

/** Parses a number; the relay checks its range. @throws CliError for a text that is none, or that JSON cannot represent */
export function parseNumber(text: string, what: string): number {
  const number = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : Number.NaN;
  if (Number.isFinite(number)) return number;
  throw usageError(`${what}: expected a number, got ${JSON.stringify(text)}.`);
}
