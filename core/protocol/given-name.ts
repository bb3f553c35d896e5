import { z } from "zod";

/**
 * A name that is given to something and kept: on one line, of characters that a database gives back. SQLite's texts end at
 * U+0000 and have no lone surrogates, so after a restart such a name would be another one.
 */
export function givenName(longest: number) {
  return z
    .string()
    .trim()
    .min(1)
    .max(longest)
    .refine((name) => !/[\p{Cc}\p{Cs}]/u.test(name), { error: "expected a name without control characters" });
}
