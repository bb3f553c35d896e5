import type { z } from "zod";
import type { Role } from "./records.ts";
import type { Touches } from "./touches.ts";

interface OpMarks<Name extends string> {
  /** Parameters of which the audit log keeps the length only. */
  readonly sensitive?: readonly Name[];
  /** Runs for every key or resize: in the audit log, repetitions within a minute are one entry. */
  readonly frequent?: true;
  /** Closed to keys for automation. */
  readonly closedToAutomation?: true;
}

/**
 * Declares an operation that a client asks of the relay. `touches` says what a changing operation changes, as a command's
 * declaration does; one without it only reads.
 */
export function op<P extends z.ZodObject, R extends z.ZodType>(
  role: Role,
  params: P,
  result: R,
  touches?: Touches<Extract<keyof P["shape"], string>>,
  marks: OpMarks<Extract<keyof P["shape"], string>> = {},
) {
  return { role, params, result, touches, ...marks };
}
