import { KEYCHAIN_SERVICE } from "../core/protocol/relay-file.ts";
import { CliError, exitCodes } from "./exit-codes.ts";

export interface FoundKey {
  readonly token: string;
  readonly from: "--token" | "SERVICE_TOKEN" | "keychain";
}

interface WhereToLook {
  readonly token: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Account in the keychain, as the relay tells it. */
  readonly account: string | undefined;
}

/** The API key to send: `--token`, else `SERVICE_TOKEN`, else the keychain's. Throws with exit code 3. */
export async function findKey({ token, env, account }: WhereToLook): Promise<FoundKey> {
  if (token !== undefined) return { token: checked(token, "--token"), from: "--token" };
  const given = env.SERVICE_TOKEN;
  if (given !== undefined && given !== "") return { token: checked(given, "SERVICE_TOKEN"), from: "SERVICE_TOKEN" };
  const kept = account === undefined ? undefined : await fromKeychain(account);
  if (kept !== undefined) return { token: kept, from: "keychain" };
  throw new CliError(
    exitCodes.authentication,
    "No API key: `service login` gets one and keeps it in the keychain; or set SERVICE_TOKEN to one from `patchbay keys create --name NAME`.",
  );
}

/** A key travels in a header, where only visible characters may stand. */
function checked(token: string, from: string): string {
  if (/^[\x21-\x7e]+$/.test(token)) return token;
  throw new CliError(exitCodes.authentication, `${from}: this is not an API key; \`patchbay keys create\` prints one.`);
}

/** The module is native and seldom needed, so it is loaded only here. No keychain is as good as an empty one. */
async function fromKeychain(account: string): Promise<string | undefined> {
  try {
    const { getPassword } = await import("@napi-rs/keyring/keytar.js");
    return (await getPassword(KEYCHAIN_SERVICE, account)) ?? undefined;
  } catch {
    return undefined;
  }
}
