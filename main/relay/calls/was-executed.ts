import type { Procedure } from "../../../core/procedures/index.ts";
import type { ErrorCode } from "../../../core/protocol/errors.ts";
import type { Outcome } from "../../../core/protocol/outcome.ts";

/** Returns whether a call was executed. One that was refused before that may be repeated. */
export function wasExecuted(procedure: Procedure | undefined, outcome: Outcome): boolean {
  if (procedure?.kind === "operation") return !("error" in outcome);
  if ("error" in outcome && BEFORE_EXECUTION.has(outcome.error.code)) return false;
  return outcome.client !== undefined;
}

/**
 * Refusals of a command whose client is chosen, but was not asked: the cause may be gone when it is repeated. Those that keep a
 * write from one shell are not among them, because a command may have written to other shells before.
 */
const BEFORE_EXECUTION: ReadonlySet<string> = new Set(["too_many_requests", "role_forbids"] satisfies ErrorCode[]);
