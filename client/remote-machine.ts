import { z } from "zod";
import { jsonOrUndefined } from "../core/protocol/json-value.ts";
import { remoteTokenVariable } from "../core/protocol/machines.ts";
import { withoutTrailing } from "../core/protocol/without-trailing.ts";
import { dataFolder } from "../main/system/folders.ts";
import { checkLocalAccess } from "./check-local-access.ts";
import { ClientError, RelayUnreachable } from "./errors.ts";
import { checkKey, type ResolvedKey, readKeychain } from "./find-key.ts";
import { CertificateMismatch, type RemotePeer, readText, send } from "./http.ts";
import type { RemoteClient } from "./remote-client.ts";
import { type Remote, Remotes, remoteKeyAccount } from "./remotes.ts";
import { checkResult, notARelay } from "./service-error.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** A remote that has not answered after this time is away. The program itself needs the rest of three seconds. */
export const AWAY_AFTER_MS = 2500;

const Health = z.object({ ok: z.literal(true), version: z.string().max(100) });
export type Health = z.infer<typeof Health>;

interface RemoteKeyLookup {
  /** `--token`. */
  readonly token?: string | undefined;
  readonly env: Env;
  /** Reads an account of the keychain, in place of this program's own way. */
  readonly kept?: (account: string) => Promise<string | undefined>;
}

/**
 * Returns the key to send to a remote: `--token`, else `SERVICE_TOKEN_<NAME>`, else the keychain's entry of this remote.
 * `SERVICE_TOKEN` belongs to the relay of this machine and is sent to no other.
 *
 * @throws ClientError `no_key`; RemoteError or ClientError in a shell that may not use the keychain
 */
export async function findRemoteKey(
  remote: Remote,
  { token, env, kept: readKept = readKeychain }: RemoteKeyLookup,
): Promise<ResolvedKey> {
  if (token !== undefined) return { token: checkKey(token, "--token"), from: "--token" };
  const variable = remoteTokenVariable(remote.name);
  const given = env[variable];
  if (given !== undefined && given !== "") {
    return { token: checkKey(given, variable), from: `SERVICE_TOKEN_${variable.slice("SERVICE_TOKEN_".length)}` };
  }
  await checkLocalAccess(env);
  const kept = await readKept(remoteKeyAccount(remote));
  if (kept !== undefined) return { token: kept, from: "keychain" };
  throw new ClientError(
    "no_key",
    `No key for ${remote.name}: \`service remotes update ${remote.name} --key\` takes one into the keychain; or set ${variable} to one.`,
  );
}

/** Returns what requests need to know of a remote. */
export function peerOf({ name, certificate }: Remote): RemotePeer {
  return { name, certificate };
}

/**
 * Asks a remote whether it is there, and notes that it was. It needs no key, so nothing is sent to a relay that is not
 * the expected one.
 *
 * @throws RelayUnreachable with the time since which it is away; RemoteError for an answer that no relay gives
 */
export async function checkReachable(
  remote: Remote,
  { data, env }: { readonly data?: string | undefined; readonly env: Env },
): Promise<Health> {
  try {
    const health = await readHealth(remote.url, peerOf(remote));
    new Remotes(dataFolder(data, env)).noteSeen(remote.name);
    return health;
  } catch (error) {
    if (!(error instanceof RelayUnreachable) || error instanceof CertificateMismatch) throw error;
    throw new RelayUnreachable(`${error.message} It is away since ${remote.lastSeen}.`, { cause: error });
  }
}

/** Reads `/v1/health` within the time that a remote has to answer. @throws RelayUnreachable; RemoteError */
export async function readHealth(base: string, peer: RemotePeer): Promise<Health> {
  const url = new URL(`${withoutTrailing(base, "/")}/v1/health`);
  const late = AbortSignal.timeout(AWAY_AFTER_MS);
  try {
    const answer = await send(url, { silenceMs: AWAY_AFTER_MS, remote: peer, signal: late });
    const text = await readText(answer, url, peer);
    const health = answer.statusCode === 200 ? Health.safeParse(jsonOrUndefined(text)) : undefined;
    if (health?.success === true) return health.data;
    throw notARelay(url);
  } catch (error) {
    if (!late.aborted) throw error;
    throw new RelayUnreachable(`${peer.name} (${url.origin}) does not answer: nothing for ${AWAY_AFTER_MS / 1000} s.`);
  }
}

const User = z.looseObject({ user: z.string() });

/** Returns whose key a client uses. @throws RemoteError for a refused key */
export async function userOf(client: RemoteClient): Promise<string> {
  return checkResult(User, await client.askOperation("whoAmI", {}), client.url).user;
}
