import { z } from "zod";

/** A number in a query: decimal digits, and nothing that can merely be read as a number (`0x10`, `1e3`, a space). */
export function decimal<T extends z.ZodType>(number: T) {
  return z.preprocess((text) => (typeof text === "string" && /^\d{1,15}$/.test(text) ? Number(text) : text), number);
}
