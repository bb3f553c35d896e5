import { userInfo } from "node:os";
import { z } from "zod";
import { askRelay, checkLocalDoor } from "../../../cli/connect/ask-relay.ts";
import { findKey } from "../../../cli/connect/find-key.ts";
import { findRelay } from "../../../cli/connect/find-relay.ts";
import { askOAuth } from "../../../cli/connect/oauth.ts";
import { RemoteError } from "../../../core/protocol/errors.ts";
import type { KeyRestrictions } from "../../../core/protocol/key-restrictions.ts";
import type { PendingLogin } from "../../../core/protocol/pending-login.ts";
import { Keys } from "../../relay/access/keys.ts";
import { shownUserCode, userCodeFrom } from "../../relay/access/user-code.ts";
import { KeyRecord } from "../../relay/http/key-routes.ts";
import { LoginRows } from "../../relay/store/login-rows.ts";
import { type KeyRow, Store } from "../../relay/store/store.ts";
import { dataFolder } from "../../system/folders.ts";
import { openStoreForCommand } from "./open-store-for-command.ts";

export type ListedKey = Omit<KeyRow, "digest">;

/** A command about keys. `run` answers what to print, and rejects with a UsageError. */
export interface LocalCommand {
  readonly help: string;
  run(args: readonly string[]): Promise<string>;
}

/** Where keys, tokens and logins are managed: in a data folder, or by the relay that has it. */
export interface Desk {
  /** Answers the secret. */
  createKey(wanted: { name: string; restrictions: KeyRestrictions; ttlMs: number | undefined }): Promise<string>;
  /** Answers the secret. */
  createToken(wanted: { scopes: readonly string[]; ttlMs: number }): Promise<string>;
  keys(): Promise<readonly ListedKey[]>;
  /** Answers the name of the key. */
  revoke(which: string): Promise<string>;
  logins(): Promise<readonly PendingLogin[]>;
  /** Whether there was such a login, still waiting. */
  answerLogin(code: string, allow: boolean): Promise<boolean>;
}

/**
 * Lends the desk: the data folder's own for `--data`, and where no relay is named; else that of the relay that
 * SERVICE_URL names, for the key that comes with it, as in Patchbay's own shells. Rejects with the reason of a refusal.
 */
export async function withDesk<T>(
  data: string | undefined,
  act: (desk: Desk) => Promise<T>,
  env: NodeJS.ProcessEnv = process.env,
): Promise<T> {
  if (data === undefined && (env.SERVICE_URL ?? "") !== "") {
    const { url, file } = findRelay({ env });
    const { token } = await findKey({ token: undefined, env, account: file?.keyAccount });
    return act(relayDesk(url, token));
  }
  await checkLocalDoor(env);
  const { database, damaged, close } = openStoreForCommand(dataFolder(data, env));
  try {
    if (damaged !== undefined) process.stderr.write(`patchbay: the database was damaged and is kept as ${damaged}\n`);
    return await act(folderDesk(new Store(database)));
  } finally {
    close();
  }
}

function folderDesk(store: Store): Desk {
  const keys = new Keys(store);
  const logins = new LoginRows(store.database);
  const owner = userInfo().username;
  const now = () => new Date().toISOString();
  return {
    createKey: async ({ name, restrictions, ttlMs }) =>
      keys.create({ owner, name, restrictions, ...(ttlMs === undefined ? {} : { ttlMs }) }).secret,
    async createToken({ scopes, ttlMs }) {
      keys.forgetExpiredTokens();
      return keys.create({ owner, name: `token for ${scopes.join(", ")}`, scheme: "bearer", scopes, ttlMs }).secret;
    },
    keys: async () => keys.list().map(({ digest: _, ...row }) => row),
    revoke: async (which) => keys.revoke(which).name,
    logins: async () => logins.waiting(now()).map((row) => Login.parse({ ...row, code: shownUserCode(row.code) })),
    answerLogin: async (code, allow) => logins.answer(userCodeFrom(code), allow ? "allowed" : "denied", now()),
  };
}

function relayDesk(url: string, token: string): Desk {
  const ask = (path: string, more?: Parameters<typeof askRelay>[2]) => askRelay({ url, token }, path, more);
  return {
    async createKey({ name, restrictions, ttlMs }) {
      const body = { name, restrictions, ...(ttlMs === undefined ? {} : { ttl: ttlMs / 1000 }) };
      return Secret.parse(await ask("keys", { method: "POST", body })).secret;
    },
    async createToken({ scopes, ttlMs }) {
      const seconds = String(Math.max(1, Math.round(ttlMs / 1000)));
      const form = { grant_type: "client_credentials", scope: scopes.join(" "), expires_in: seconds };
      const answer = await askOAuth(url, "token", { form, token, schema: z.object({ access_token: z.string() }) });
      if (answer.ok) return answer.value.access_token;
      throw new RemoteError("scope_forbids", answer.message);
    },
    keys: async () => z.array(KeyRecord).parse(await ask("keys")),
    revoke: async (which) => KeyRecord.parse(await ask(`keys/${encodeURIComponent(which)}`, { method: "DELETE" })).name,
    logins: async () => z.array(Login).parse(await ask("logins")),
    async answerLogin(code, allow) {
      try {
        await ask(`logins/${encodeURIComponent(code)}`, { method: "POST", body: { allow } });
        return true;
      } catch (error) {
        if (error instanceof RemoteError && error.code === "unknown_login") return false;
        throw error;
      }
    },
  };
}

const Secret = z.object({ secret: z.string() });

const Login = z.object({
  code: z.string(),
  name: z.string(),
  address: z.string(),
  since: z.string(),
  expiresAt: z.string(),
});
