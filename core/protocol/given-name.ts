import { z } from "zod";

/**
 * A name that is given to something and kept: on one line, of characters that a database gives back. SQLite's texts end at
 * U+0000 and have no lone surrogates, so after a restart such a name would be another one.
 */
export function givenName(longest: number) {
  return labelText(longest).min(1);
}

/** As a given name, but it may be empty, which takes the name away. */
export function labelText(longest: number) {
  return z
    .string()
    .trim()
    .max(longest)
    .refine((name) => !/[\p{Cc}\p{Cs}\u2028\u2029]/u.test(name), {
      error: "expected a name without control characters",
    });
}
