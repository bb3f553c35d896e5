import type { CommandSpec } from "../../../core/commands/command.ts";
import { RemoteError } from "../../../core/protocol/errors.ts";
import { fitsPattern, namesOf } from "./method-pattern.ts";
import type { Permit } from "./permit.ts";
import { type RouteAction, routeActions } from "./route-actions.ts";

/** How to get past a refusal; every one of them ends with it. */
export const WIDER =
  "For more, use an API key without restrictions, with --token or in SERVICE_TOKEN: `patchbay keys create --name NAME` makes one.";

/** Refuses a command that the permit does not open, whatever its parameters. Throws `scope_forbids`. */
export function checkCall(permit: Permit, method: string, { role, touches }: CommandSpec): void {
  checkPattern(permit, method);
  const reads = role === "reader" && touches === undefined;
  if (reads) return;
  if (permit.readOnly) refuse(`${permit.caller} is read-only, and ${method} is not a reading command.`);
  if (permit.own === undefined) return;
  if (touches === undefined || touches === "screen") {
    refuse(
      `${permit.caller} may change only its own shells and tiles, and ${method} changes more: a person's screen, or what a person decides.`,
    );
  }
}

/** Refuses what is done over HTTP beside the commands. Throws `scope_forbids`. */
export function checkAction(permit: Permit, action: RouteAction): void {
  const kind = routeActions[action];
  if (kind === "anyone") return;
  checkPattern(permit, action);
  if (kind === "reads") return;
  if (kind === "opens") refuse(`${permit.caller} is restricted, and ${action} would open a way around that.`);
  if (permit.readOnly) refuse(`${permit.caller} is read-only, and ${action} changes something.`);
  if (permit.own !== undefined) {
    refuse(`${permit.caller} may change only its own shells and tiles, and ${action} changes more.`);
  }
}

/** Refuses what no declaration opens to restricted keys. Throws `scope_forbids`. */
export function checkUnrestricted(permit: Permit): void {
  refuse(`${permit.caller} is restricted, and this is only for keys without restrictions.`);
}

export function refuse(sentence: string): never {
  throw new RemoteError("scope_forbids", `${sentence} ${WIDER}`);
}

function checkPattern({ caller, methods }: Permit, name: string): void {
  if (methods === undefined) return;
  const names = namesOf(name);
  if (methods.some((pattern) => names.some((known) => fitsPattern(known, pattern)))) return;
  const allowed = methods.length === 0 ? "nothing" : `only ${methods.join(", ")}`;
  refuse(`${caller} may call ${allowed}; ${name} is not among it.`);
}
