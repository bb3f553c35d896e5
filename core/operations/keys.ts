import { z } from "zod";
import { givenName } from "../protocol/given-name.ts";
import { SessionId, ShellId } from "../protocol/ids.ts";
import { KeyRestrictions } from "../protocol/key-restrictions.ts";
import { PendingLogin } from "../protocol/pending-login.ts";
import { scopes } from "../protocol/scopes.ts";
import { operation } from "./operation.ts";

const LONGEST_KEY_SECONDS = 3650 * 24 * 3600;
const LONGEST_TOKEN_SECONDS = 365 * 24 * 3600;

/** A key or token as its owner may see it: everything but the secret. */
export const KeyRecord = z.object({
  id: z.string(),
  owner: z.string(),
  name: z.string(),
  scheme: z.enum(["api", "bearer"]),
  scopes: z.array(z.string()),
  restrictions: KeyRestrictions,
  createdAt: z.string(),
  expiresAt: z.string().nullable(),
  lastUsedAt: z.string().nullable(),
  madeBy: z.string().optional().describe("id of the key that made it, with which it is revoked"),
});
export type KeyRecord = z.infer<typeof KeyRecord>;

const NewKey = KeyRecord.extend({ secret: z.string().describe("shown once") });

export const keyOperations = {
  whoAmI: operation({
    summary: "Show whose credential this is, and what it may do",
    details: "For API keys and shells' tokens.",
    params: z.object({}),
    result: z.object({
      user: z.string(),
      key: KeyRecord.pick({ id: true, name: true, createdAt: true, expiresAt: true, restrictions: true }).optional(),
      session: SessionId.optional().describe("of a shell's token"),
      shell: ShellId.optional().describe("of a shell's token"),
      restricted: z.string().optional().describe("of a shell's token: why it may change only what is its own"),
    }),
    access: "anyone",
    effect: "read",
    http: { method: "GET", path: "whoami" },
  }),
  listKeys: operation({
    summary: "List your keys and tokens",
    details: "Without their secrets.",
    params: z.object({}),
    result: z.array(KeyRecord),
    access: "unrestricted",
    owner: "relay",
    effect: "read",
    http: { method: "GET", path: "keys" },
    panel: true,
  }),
  createKey: operation({
    summary: "Create an API key; its secret is shown once",
    details:
      "For unrestricted keys of the relay's owner. A key that is made with another key has at least its restrictions, expires no later, and is revoked with it.",
    params: z.object({
      name: givenName(100),
      restrictions: KeyRestrictions.default({}).describe("what the key may do; empty: what its owner may do"),
      ttl: z
        .number()
        .min(1)
        .max(LONGEST_KEY_SECONDS)
        .optional()
        .describe("seconds until the key expires; default: until it is revoked"),
    }),
    result: NewKey,
    hasSecret: true,
    access: "unrestricted",
    owner: "relay",
    effect: "change",
    http: { method: "POST", path: "keys", status: 201 },
    panel: true,
  }),
  createToken: operation({
    summary: "Create a bearer token; its secret is shown once",
    details:
      "Equivalent to OAuth's client credentials grant at `/v1/oauth/token`. The token ends with the key that made it.",
    params: z.object({
      scopes: z.array(z.enum(scopes)).min(1),
      ttl: z.number().min(1).max(LONGEST_TOKEN_SECONDS).default(3600).describe("seconds until the token expires"),
    }),
    result: NewKey,
    hasSecret: true,
    access: "unrestricted",
    effect: "change",
    http: { method: "POST", path: "tokens", status: 201 },
  }),
  revokeKey: operation({
    summary: "Revoke a key or a token",
    details:
      "With it end the keys, tokens and invites that were made with it, and the guests whom such an invite let in. Returns the key as it was.",
    params: z.object({ key: z.string().describe("Id or name of the key.") }),
    result: KeyRecord,
    access: "unrestricted",
    owner: "relay",
    effect: "change",
    http: { method: "DELETE", path: "keys/:key" },
    panel: true,
  }),
  listLogins: operation({
    summary: "List the pending logins",
    details: "Each with the code that the waiting program shows.",
    params: z.object({}),
    result: z.array(PendingLogin),
    access: "unrestricted",
    owner: "relay",
    effect: "read",
    http: { method: "GET", path: "logins" },
  }),
  answerLogin: operation({
    summary: "Allow or deny a login",
    details: "Identified by the code that the program shows.",
    params: z.object({ code: z.string().describe("The code that the program shows."), allow: z.boolean() }),
    result: z.object({ allowed: z.boolean() }),
    access: "unrestricted",
    owner: "relay",
    effect: "change",
    http: { method: "POST", path: "logins/:code" },
    panel: true,
  }),
} as const;
