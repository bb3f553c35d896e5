import { randomBytes } from "node:crypto";
import { type KeychainEntry, keychainEntry } from "../system/keychain.ts";
import { withDeadline } from "../system/with-deadline.ts";

/** How long the keychain may take: it may wait for its owner to unlock it. */
const KEYCHAIN_MS = 30_000;
const KEY_BYTES = 32;

/** Opens an account of the keychain. */
export type OpenEntry = (account: string) => KeychainEntry | Promise<KeychainEntry>;

/** Reads the key of a history from the keychain, or makes one. */
export async function historySecret(relayId: string, entryOf: OpenEntry = keychainEntry): Promise<Buffer> {
  const ask = async () => {
    const entry = await entryOf(`history-${relayId}`);
    const known = await entry.getPassword();
    const secret = Buffer.from(known ?? "", "base64");
    if (secret.length === KEY_BYTES) return secret;
    const made = randomBytes(KEY_BYTES);
    await entry.setPassword(made.toString("base64"));
    return made;
  };
  return withDeadline(ask(), KEYCHAIN_MS, () => new Error("it does not answer"));
}
