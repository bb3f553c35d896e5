import type { z } from "zod";
import type { Role } from "./records.ts";
import type { Touches } from "./touches.ts";

/**
 * Declares an operation that a client asks of the relay. `touches` says what a changing operation changes, as a command's
 * declaration does; one without it only reads. `sensitive` names the parameters of which the audit log keeps the length only.
 */
export function op<P extends z.ZodObject, R extends z.ZodType>(
  role: Role,
  params: P,
  result: R,
  touches?: Touches<Extract<keyof P["shape"], string>>,
  sensitive: readonly Extract<keyof P["shape"], string>[] = [],
) {
  return { role, params, result, touches, sensitive };
}
