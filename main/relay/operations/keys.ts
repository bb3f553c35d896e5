import type { KeyRecord, keyOperations } from "../../../core/operations/keys.ts";
import { defined } from "../../../core/protocol/defined.ts";
import { RemoteError } from "../../../core/protocol/errors.ts";
import type { Keys } from "../access/keys.ts";
import type { Logins } from "../access/logins.ts";
import type { Handlers } from "../calls/calls.ts";
import type { Sessions } from "../session/sessions.ts";
import type { KeyRow } from "../store/key-rows.ts";

interface KeyHandlersOptions {
  readonly keys: Keys;
  readonly logins: Pick<Logins, "pending" | "allow" | "deny">;
  /** Tells why a shell is restricted; undefined where no relay runs. */
  readonly sessions: Sessions | undefined;
}

export function keyHandlers({ keys, logins, sessions }: KeyHandlersOptions): Handlers<keyof typeof keyOperations> {
  return {
    async whoAmI(_params, { caller: { principal } }) {
      const { user, key: id, session, shell } = principal;
      const rights = session === undefined ? undefined : sessions?.get(session).rights;
      const restricted = shell === undefined ? undefined : await rights?.describeRestriction(shell);
      const row = keys.list().find((candidate) => candidate.id === id);
      return { user, ...defined({ key: row && credentialOf(row), session, shell, restricted }) };
    },
    listKeys: () => keys.list().map(keyRecordOf),
    createKey({ name, restrictions, ttl }, { caller: { principal } }) {
      const ttlMs = ttl === undefined ? {} : { ttlMs: ttl * 1000 };
      const { key, secret } = keys.create({
        owner: principal.user,
        name,
        restrictions,
        ...ttlMs,
        madeBy: principal.key,
      });
      return { ...keyRecordOf(key), secret };
    },
    createToken({ scopes, ttl }, { caller: { principal } }) {
      keys.removeExpiredTokens();
      const name = `token for ${scopes.join(", ")}`;
      const wanted = { owner: principal.user, name, scheme: "bearer", scopes, ttlMs: ttl * 1000 } as const;
      const { key, secret } = keys.create({ ...wanted, madeBy: principal.key });
      return { ...keyRecordOf(key), secret };
    },
    revokeKey: ({ key }) => keyRecordOf(keys.revoke(key)),
    listLogins: () => [...logins.pending()],
    answerLogin({ code, allow }, { caller: { principal } }) {
      if (allow ? logins.allow(code, principal.key) : logins.deny(code)) return { allowed: allow };
      throw new RemoteError(
        "unknown_login",
        `No login waits with the code ${JSON.stringify(code.slice(0, 40))}: it was answered, has expired, or was mistyped.`,
      );
    },
  };
}

function keyRecordOf({ digest: _, scopes, madeBy, ...key }: KeyRow): KeyRecord {
  return { ...key, scopes: [...scopes], ...(madeBy === null ? {} : { madeBy }) };
}

function credentialOf({ id, name, createdAt, expiresAt, restrictions }: KeyRow) {
  return { id, name, createdAt, expiresAt, restrictions };
}
