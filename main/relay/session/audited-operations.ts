import { RemoteError } from "../../../core/protocol/errors.ts";
import { type RelayOp, relayOps } from "../../../core/protocol/relay-ops.ts";
import type { Audit } from "../audit/audit.ts";
import { auditIdentity, maskedValues } from "../audit/audit-fields.ts";
import type { Identity } from "./identity.ts";
import type { OwnOperation, RunOperation } from "./operations.ts";

interface AuditedOperationsOptions {
  readonly audit: Audit;
  readonly operate: RunOperation;
  /** Id of the session. */
  readonly session: string;
  /** The user of this machine, who is at a client of this process. */
  readonly owner: string;
}

/** Operations that are called for every key or every change of a size: the same one within a minute is one entry. */
const REPEATED: ReadonlySet<RelayOp> = new Set(["writeShell", "sendKeys", "resizeShell", "setPluginState"]);

/**
 * Wraps the operations of a session for one client, so that whatever it changes on its own account stands in the audit
 * log: a command of a caller has its entry already.
 */
export function auditedOperations(
  { audit, operate, session, owner }: AuditedOperationsOptions,
  { name, admission, principal, from }: Identity,
): OwnOperation {
  const who =
    admission === undefined
      ? auditIdentity(principal ?? { user: owner, scheme: "api", scopes: [] })
      : ({ who: name, credential: "guest" } as const);
  return async (client, op, params) => {
    const spec = relayOps[op];
    if (spec.role === "reader") return operate(client, op, params);
    const startedAt = performance.now();
    let outcome = "ok";
    try {
      return await operate(client, op, params);
    } catch (error) {
      outcome = error instanceof RemoteError ? error.code : "internal";
      throw error;
    } finally {
      const given = typeof params === "object" && params !== null ? params : {};
      const entry = {
        ...who,
        from: from ?? "panel",
        session,
        action: op,
        params: maskedValues(spec, given),
        outcome,
        client: client.id,
        durationMs: Math.round(performance.now() - startedAt),
      };
      const shell = "shell" in given ? given.shell : undefined;
      audit.call(entry, REPEATED.has(op) ? { repeats: [session, client.id, op, shell, outcome].join("\n") } : {});
    }
  };
}
