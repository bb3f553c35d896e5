import type { z } from "zod";
import { type MethodName, specs } from "../core/commands/specs.ts";
import { type OperationName, operations } from "../core/operations/index.ts";

/** A method or an operation, whose declaration says what its result is. */
export type Declared = { readonly method: MethodName } | { readonly operation: OperationName };

/**
 * Returns what of a result contradicts its declaration; undefined where nothing does. A remote of a newer version may have
 * more fields, and more values of an enumeration.
 */
export function findMismatch(declared: Declared, result: unknown): z.ZodError | undefined {
  const schema: z.ZodType =
    "method" in declared ? specs[declared.method].result : operations[declared.operation].result;
  // An issue has its input only where that is asked for.
  const { error } = schema.safeParse(result, { reportInput: true });
  return error === undefined || error.issues.every(isOfNewerVersion) ? undefined : error;
}

type Issue = z.core.$ZodIssue;

function isOfNewerVersion(issue: Issue): boolean {
  if (issue.code === "unrecognized_keys") return true;
  if (issue.code === "invalid_union")
    return issue.errors.some((branch) => branch.length > 0 && branch.every(isOfNewerVersion));
  // Values of an enumeration: a single one is no choice, and what goes with another one is not known.
  return issue.code === "invalid_value" && issue.values.length > 1 && typeof issue.input === "string";
}
