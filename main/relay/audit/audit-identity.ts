import type { AuditEntry } from "../../../core/protocol/audit.ts";
import type { Principal } from "../access/keys.ts";

/** Names a caller as the audit log does. */
export function auditIdentity(principal: Principal | undefined): Pick<AuditEntry, "who" | "credential"> {
  if (principal === undefined) return { who: null, credential: "none" };
  const { shell, scheme, key, keyName, user } = principal;
  if (shell !== undefined) return { who: `shell ${shell}`, credential: "shell" };
  if (key === undefined) return { who: user, credential: "user" };
  return { who: keyName ?? user, credential: scheme === "api" ? "key" : "token" };
}
