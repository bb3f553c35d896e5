import { z } from "zod";
import { decimal } from "./decimal.ts";

/** An entry of the audit log: a credential check, or a call that changes something. */
export const AuditEntry = z.object({
  id: z.int(),
  at: z.iso.datetime(),
  kind: z.enum(["authentication", "call"]),
  /** Who: a key by its name, a shell by its number, a guest by the name given at the invite; null when nobody was known. */
  who: z.string().nullable(),
  /** `user`: the user of this machine, in the app's panel or at its command line. */
  credential: z.enum(["key", "token", "shell", "guest", "user", "none"]),
  /**
   * Address that the call came from, of a browser that has used a link of the owner after `owner's link from`; `panel`, `app`
   * (its windows) or `command line` for a call of this machine's user.
   */
  from: z.string(),
  session: z.string().nullable(),
  /** Name of the command or operation; for a request that reached neither, its method and path. */
  action: z.string(),
  /** The command's parameters; values that may contain secrets are masked. */
  params: z.record(z.string(), z.unknown()),
  /** `ok`, or an error code. */
  outcome: z.string(),
  /** The client that executed the command. */
  client: z.int().nullable(),
  durationMs: z.int().nullable(),
  /** Number of identical entries within a minute. */
  count: z.int(),
});
export type AuditEntry = z.infer<typeof AuditEntry>;

/** Query for the audit log. Results are newest first. */
export const AuditQuery = z.object({
  before: decimal(z.int().positive()).optional().describe("Only entries older than the one with this id."),
  limit: decimal(z.int().min(1).max(1000)).default(100).describe("At most this many entries."),
  session: z.string().max(64).optional().describe("Only entries of the session with this id."),
  kind: AuditEntry.shape.kind.optional().describe("Only authentications, or only calls."),
  outcome: z.string().max(64).optional().describe("Only those that ended so: `ok`, `failed`, or the code of an error."),
  text: z.string().max(200).optional().describe("Text in who, action, parameters or outcome, in any case."),
});
export type AuditQuery = z.infer<typeof AuditQuery>;

/** Head of the audit log's chain: the number of an entry and the hash up to it. */
export const AuditHead = z
  .string()
  .regex(/^\d{1,15}:([0-9a-f]{64})?$/, { error: "expected a head that verify printed" });

/** Result of a verification of the audit log. */
export const AuditVerification = z.object({
  ok: z.boolean(),
  entries: z.int().describe("entries whose content agrees with the chain"),
  removed: z.int().describe("entries of the chain of which only the hash is kept, because newer ones took their place"),
  unchained: z.int().describe("entries older than the chain, about which it says nothing"),
  head: z
    .string()
    .describe("number and hash of the newest entry: keep it elsewhere, and give it to a later verification"),
  broken: z
    .object({ id: z.int(), reason: z.string() })
    .optional()
    .describe("the first entry that does not agree with the chain"),
});
export type AuditVerification = z.infer<typeof AuditVerification>;
