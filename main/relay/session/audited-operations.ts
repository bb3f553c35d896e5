import { askSpec } from "../../../core/commands/asked.ts";
import { RemoteError } from "../../../core/protocol/errors.ts";
import type { Caller } from "../access/permits/caller.ts";
import type { Audit } from "../audit/audit.ts";
import { auditIdentity, maskedValues } from "../audit/audit-fields.ts";
import type { RunOperation } from "./operations.ts";

interface AuditedOperationsOptions {
  readonly audit: Audit;
  readonly operate: RunOperation;
  /** Id of the session. */
  readonly session: string;
}

/** Operations that run for every key or resize: repetitions within a minute are one entry. */
const REPEATED: ReadonlySet<string> = new Set([
  "writeShell",
  "sendKeys",
  "resizeShell",
  "setPluginState",
  "sendUpload",
]);

/**
 * Wraps a session's operations for one client, so that the audit log records what the client changes on its own account.
 * A caller's command has its own entry.
 */
export function auditedOperations(
  { audit, operate, session }: AuditedOperationsOptions,
  { principal, from }: Pick<Caller, "principal" | "from">,
): RunOperation {
  return async (client, op, params, ...terms) => {
    const spec = askSpec(op);
    if (spec?.touches === undefined) return operate(client, op, params, ...terms);
    const startedAt = performance.now();
    let outcome = "ok";
    try {
      return await operate(client, op, params, ...terms);
    } catch (error) {
      outcome = error instanceof RemoteError ? error.code : "internal";
      throw error;
    } finally {
      const given = typeof params === "object" && params !== null ? params : {};
      const entry = () => ({
        ...auditIdentity(principal),
        from,
        session,
        action: op,
        params: maskedValues(spec, given),
        outcome,
        client: client.id,
        durationMs: Math.round(performance.now() - startedAt),
      });
      const shell = "shell" in given ? given.shell : undefined;
      audit.call(entry, REPEATED.has(op) ? { repeats: [session, client.id, op, shell, outcome].join("\n") } : {});
    }
  };
}
