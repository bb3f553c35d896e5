import type { z } from "zod";
import type { Caller } from "../access/permits/caller.ts";
import type { Audit } from "./audit.ts";
import { auditIdentity, maskedValues } from "./audit-fields.ts";

/** A call of a procedure that has ended, or what a client has asked on its own account. */
interface EndedCall {
  readonly name: string;
  /** Undefined for a name that nothing has. */
  readonly spec: CalledSpec | undefined;
  /** As far as they were read. */
  readonly params: object;
  /** Id of the session. */
  readonly session: string | null;
  /** `ok`, or the code of the refusal. */
  readonly outcome: string;
  readonly client: number | null;
  readonly durationMs: number;
  /** Repetitions by one caller within a minute are one entry. */
  readonly isFrequent: boolean;
}

interface CalledSpec {
  readonly params: z.ZodObject;
  readonly sensitive?: readonly string[];
}

/** Writes the audit entry of a call. */
export function recordCall(
  audit: Audit,
  { principal, from }: Pick<Caller, "principal" | "from">,
  { name, spec, params, durationMs, isFrequent, ...call }: EndedCall,
): void {
  const identity = auditIdentity(principal);
  const entry = () => ({
    ...identity,
    from,
    action: name,
    params: spec === undefined ? {} : maskedValues(spec, params),
    ...call,
    durationMs: Math.round(durationMs),
  });
  // Not yet checked: an object may have no text.
  const shell = "shell" in params && typeof params.shell === "number" ? params.shell : undefined;
  const { who, credential } = identity;
  const repeats = [call.session, who, credential, from, call.client, name, shell, call.outcome].join("\n");
  audit.call(entry, isFrequent ? { repeats } : {});
}
