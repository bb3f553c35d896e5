import type { AskSpec } from "../../../../core/commands/asked.ts";
import { refuse } from "./check-call.ts";
import { checkShells } from "./check-things.ts";
import type { OwnedResources } from "./owned-resources.ts";
import type { Permit } from "./permit.ts";

/**
 * Refuses an operation that a client requests for a restricted caller's command and that the caller itself may not do.
 * Throws `scope_forbids`.
 */
export function checkOperation(
  { permit, ownedResources }: { permit: Permit; ownedResources: OwnedResources },
  op: string,
  { role, touches }: AskSpec,
  params: Readonly<Record<string, unknown>>,
): void {
  if (role === "reader" || touches === undefined) return;
  if (permit.readOnly) refuse(permit, op, `${permit.caller} is read-only, and ${op} changes something.`);
  const { ownership: own } = permit;
  if (own === undefined) return;
  if (touches === "screen") refuse(permit, op, `${permit.caller} may change only its own shells and tiles.`);
  checkShells({ permit, own, ownedResources, params, source: undefined, method: op }, touches);
}
