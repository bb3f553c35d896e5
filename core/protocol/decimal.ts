import { z } from "zod";

/** A number in a query string: decimal digits only. Rejects `0x10`, `1e3` and spaces. */
export function decimal<T extends z.ZodType>(number: T) {
  return z.preprocess((text) => (typeof text === "string" && /^\d{1,15}$/.test(text) ? Number(text) : text), number);
}
