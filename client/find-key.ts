import { keychainEntry } from "../main/system/keychain.ts";
import { enclosingShell } from "./enclosing-shell.ts";
import { ClientError, NeedsOwnProcess } from "./errors.ts";

export interface ResolvedKey {
  readonly token: string;
  readonly from: "--token" | "SERVICE_TOKEN" | `SERVICE_TOKEN_${string}` | "the shell" | "keychain";
}

interface KeyLookup {
  /** `--token`, as `readTokenOption` returns it. */
  readonly token: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Account in the keychain, from `relay.json`. */
  readonly account: string | undefined;
  /** The client runs inside a relay for a caller that may be a program in a shell. */
  readonly inRelay?: boolean;
}

/**
 * Returns the API key to send: `--token`, else `SERVICE_TOKEN`, else in a Patchbay shell that shell's own token, else the
 * keychain's.
 *
 * @throws ClientError `no_key`; NeedsOwnProcess
 */
export async function findKey({ token, env, account, inRelay }: KeyLookup): Promise<ResolvedKey> {
  if (token !== undefined) return { token: checkKey(token, "--token"), from: "--token" };
  const given = env.SERVICE_TOKEN;
  if (given !== undefined && given !== "") return { token: checkKey(given, "SERVICE_TOKEN"), from: "SERVICE_TOKEN" };
  const around = inRelay ? undefined : enclosingShell(env);
  if (around !== undefined) {
    if (around.token !== "") return { token: checkKey(around.token, "the shell"), from: "the shell" };
    throw new ClientError(
      "no_key",
      `This runs in shell ${around.shell}, without its SERVICE_TOKEN: the keychain's key is only used outside of shells. Open a new shell, or give a key with --token.`,
    );
  }
  const kept = account === undefined ? undefined : await readKeychain(account);
  if (kept !== undefined && inRelay) throw new NeedsOwnProcess("the keychain's key is for the caller's own process");
  if (kept !== undefined) return { token: kept, from: "keychain" };
  throw new ClientError(
    "no_key",
    "No API key: `service login` gets one and keeps it in the keychain; or set SERVICE_TOKEN to one from `patchbay keys create --name NAME`.",
  );
}

/** A key is sent in a header, which allows visible characters only. */
export function checkKey(token: string, from: string): string {
  if (/^[\x21-\x7e]+$/.test(token)) return token;
  throw new ClientError("no_key", `${from}: this is not an API key; \`patchbay keys create\` prints one.`);
}

/** Undefined also when no keychain can be reached. */
export async function readKeychain(account: string): Promise<string | undefined> {
  try {
    const entry = await keychainEntry(account);
    return (await entry.getPassword()) ?? undefined;
  } catch {
    return undefined;
  }
}
