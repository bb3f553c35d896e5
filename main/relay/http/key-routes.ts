import express, { type Request, type Router } from "express";
import { z } from "zod";
import { RemoteError } from "../../../core/protocol/errors.ts";
import { KeyRestrictions } from "../../../core/protocol/key-restrictions.ts";
import { parseParams } from "../../../core/protocol/parse-params.ts";
import type { Keys } from "../access/keys.ts";
import type { Logins } from "../access/logins.ts";
import { sendJson } from "../net/send.ts";
import type { KeyRow } from "../store/store.ts";
import type { Auth } from "./auth.ts";
import { jsonBody } from "./json-body.ts";
import { queryOf } from "./query.ts";

const LONGEST_TTL_SECONDS = 3650 * 24 * 3600;

export const KeyBody = z.strictObject({
  name: z.string().trim().min(1).max(100),
  restrictions: KeyRestrictions.default({}).describe("how far the key reaches; empty: as far as its owner"),
  ttl: z
    .number()
    .min(1)
    .max(LONGEST_TTL_SECONDS)
    .optional()
    .describe("seconds that it is good; default: until revoked"),
});

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
});
export type KeyRecord = z.infer<typeof KeyRecord>;

export const NewKey = KeyRecord.extend({ secret: z.string().describe("shown once") });

export const LoginBody = z.strictObject({ allow: z.boolean() });

interface Parts {
  readonly auth: Auth;
  readonly keys: Keys;
  readonly logins: Logins;
  /** Whose relay it is. */
  readonly user: string;
}

/** `/v1/keys`: the owner's API keys and tokens, for callers without restrictions. */
export function keyRoutes({ auth, keys, user }: Parts): Router {
  const router = express.Router({ caseSensitive: true });
  router.get("/", async (request, response) => {
    await checkRelayOwner(auth, request, user);
    sendJson(response, { result: keys.list().map(keyRecordOf) });
  });
  router.post("/", async (request, response) => {
    await checkRelayOwner(auth, request, user);
    const { name, restrictions, ttl } = parseParams(KeyBody, await jsonBody(request, response), "body");
    const ttlMs = ttl === undefined ? {} : { ttlMs: ttl * 1000 };
    const { key, secret } = keys.create({ owner: user, name, restrictions, ...ttlMs });
    sendJson(response, { result: { ...keyRecordOf(key), secret } }, {}, 201);
  });
  router.delete("/:key", async (request: Request<{ key: string }>, response) => {
    await checkRelayOwner(auth, request, user);
    sendJson(response, { result: keyRecordOf(keys.revoke(request.params.key)) });
  });
  return router;
}

/** `/v1/logins`: programs that ask to be logged in, for callers without restrictions. */
export function pendingLoginRoutes({ auth, logins, user }: Parts): Router {
  const router = express.Router({ caseSensitive: true });
  router.get("/", async (request, response) => {
    await checkRelayOwner(auth, request, user);
    sendJson(response, { result: logins.waiting() });
  });
  router.post("/:code", async (request: Request<{ code: string }>, response) => {
    await checkRelayOwner(auth, request, user);
    const { allow } = parseParams(LoginBody, await jsonBody(request, response), "body");
    const { code } = request.params;
    if (!(allow ? logins.allow(code) : logins.deny(code))) {
      throw new RemoteError(
        "unknown_login",
        `No login waits with the code ${JSON.stringify(code.slice(0, 40))}: it was answered, has expired, or was mistyped.`,
      );
    }
    sendJson(response, { result: { allowed: allow } });
  });
  return router;
}

/** The caller must be the relay's owner; none of these routes takes a query. */
async function checkRelayOwner(auth: Auth, request: Request<never> | Request, user: string): Promise<void> {
  const caller = await auth.apiKey(request);
  if (caller.user !== user) throw new RemoteError("not_owner", "Only the relay's owner may do this.");
  queryOf(request);
}

function keyRecordOf({ digest: _, scopes, ...key }: KeyRow): KeyRecord {
  return { ...key, scopes: [...scopes] };
}
