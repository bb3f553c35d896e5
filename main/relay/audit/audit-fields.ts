import type { z } from "zod";
import type { AuditEntry } from "../../../core/protocol/audit.ts";
import type { Question } from "../../../core/protocol/questions.ts";
import { maskedStart } from "../../system/mask-secrets.ts";
import type { EndedCredential, Principal } from "../access/keys.ts";

const LONGEST_TEXT = 200;
const LONGEST_NAME = 64;
/** Characters of an address that are decoded: more than `maskedStart` masks, even if each of them is escaped. */
const DECODED_CHARACTERS = 4096;

/** Returns who called and with what credential, as the audit log records it. */
export function auditIdentity(principal: Principal | undefined): Pick<AuditEntry, "who" | "credential"> {
  if (principal === undefined) return { who: null, credential: "none" };
  const { guest, shell, scheme, key, keyName, user } = principal;
  if (guest !== undefined) return { who: guest, credential: "guest" };
  if (shell !== undefined) return { who: `shell ${shell}`, credential: "shell" };
  if (key === undefined) return { who: user, credential: "user" };
  return { who: keyName ?? user, credential: scheme === "api" ? "key" : "token" };
}

/** Returns the entry for what was open with a credential and ended with it. */
export function endedEntry({
  principal,
  ending,
  open,
}: EndedCredential): Omit<AuditEntry, "id" | "at" | "kind" | "count"> {
  return {
    ...auditIdentity(principal),
    from: "relay",
    session: principal.session ?? null,
    action: "credential ended",
    params: { reason: ending, closed: open },
    outcome: "ok",
    client: null,
    durationMs: null,
  };
}

/** Returns the entry for a question that a policy has answered, or could not answer. */
export function policyEntry({
  question: { session, id, agentType, title },
  policy,
  outcome,
}: {
  readonly question: Pick<Question, "session" | "id" | "agentType" | "title">;
  readonly policy: number;
  readonly outcome: string;
}): Omit<AuditEntry, "id" | "at" | "kind" | "count"> {
  return {
    who: `policy ${policy}`,
    credential: "none",
    from: "relay",
    session,
    action: "answerQuestion",
    params: { id, policy, agentType, title: maskedStart(title, LONGEST_TEXT) },
    outcome,
    client: null,
    durationMs: null,
  };
}

/**
 * Returns parameters as the audit log records them: the declared ones only, long texts truncated, sensitive values
 * replaced by their length, secrets in the others hidden.
 */
export function maskedValues(
  { params: declared, sensitive = [] }: { readonly params: z.ZodObject; readonly sensitive?: readonly string[] },
  params: object,
): Record<string, unknown> {
  const given = Object.entries(params).filter(([name, value]) => name in declared.shape && value !== undefined);
  return Object.fromEntries(
    given.map(([name, value]) => [name, sensitive.includes(name) ? masked(value) : shortened(value)]),
  );
}

function masked(value: unknown): string {
  const length = typeof value === "string" ? value.length : JSON.stringify(value)?.length;
  return `(${length ?? 0} characters)`;
}

function shortened(value: unknown): unknown {
  if (value === null || typeof value === "number" || typeof value === "boolean") return value;
  return maskedStart(typeof value === "string" ? value : JSON.stringify(value), LONGEST_TEXT, "…");
}

/** Returns texts of an entry that its caller chose, such as a path or a session's id, without secrets and truncated. */
export function maskedTexts<Entry extends Pick<AuditEntry, "who" | "from" | "session" | "action">>(
  entry: Entry,
): Entry {
  const { who, from, session, action } = entry;
  return {
    ...entry,
    who: who === null ? null : maskedStart(decoded(who), LONGEST_TEXT),
    from: from.slice(0, LONGEST_NAME),
    session: session === null ? null : maskedStart(decoded(session), LONGEST_NAME),
    action: maskedStart(decoded(action), LONGEST_TEXT),
  };
}

/** Returns the start of a text of an address as it reads: a secret that is escaped is none the less one. */
function decoded(text: string): string {
  return text.slice(0, DECODED_CHARACTERS).replace(/%([0-9a-f]{2})/gi, (escaped, code: string) => {
    const byte = Number.parseInt(code, 16);
    return byte > 0x20 && byte < 0x7f ? String.fromCharCode(byte) : escaped;
  });
}
