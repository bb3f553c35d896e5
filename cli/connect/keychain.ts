import { errorText } from "../../core/protocol/error-text.ts";
import { keychainEntry } from "../../main/system/keychain.ts";
import { CliError, exitCodes } from "../parse/exit-codes.ts";

/** The command line's entry in the keychain of the operating system. */
export interface KeyEntry {
  get(): Promise<string | undefined>;
  set(key: string): Promise<void>;
  remove(): Promise<void>;
}

/** Opens the entry of a relay's account. @throws CliError when no keychain can be reached */
export async function openKeyEntry(account: string): Promise<KeyEntry> {
  try {
    const entry = await keychainEntry(account);
    await entry.getPassword();
    return {
      get: async () => (await entry.getPassword()) ?? undefined,
      set: (key) => entry.setPassword(key),
      remove: async () => void (await entry.deleteCredential()),
    };
  } catch (cause) {
    const reason = errorText(cause);
    throw new CliError(exitCodes.refused, `No keychain can be reached (${reason}).`, { cause });
  }
}
