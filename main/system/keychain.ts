import { errorText } from "../../core/protocol/error-text.ts";
import { KEYCHAIN_SERVICE } from "../../core/protocol/relay-file.ts";

/** One secret in the keychain of the operating system. Calls run on another thread, so none blocks the process. */
export interface KeychainEntry {
  getPassword(): Promise<string | null | undefined>;
  setPassword(secret: string): Promise<void>;
  /** Resolves with whether there was one. */
  deleteCredential(): Promise<boolean>;
}

/** Keeps secrets by account name. Calls run on another thread, so none blocks the process. */
export interface TokenStore {
  get(account: string): Promise<string | undefined>;
  set(account: string, secret: string): Promise<void>;
  /** Resolves with whether there was one. */
  delete(account: string): Promise<boolean>;
}

/** Time without an answer after which the user is warned that the keychain may be locked. */
const SLOW_MS = 5_000;
const SLOW = "The keychain does not answer: it may be locked. Unlock it, or set SERVICE_TOKEN to use a key without it.";

/**
 * Opens the entry of an account. Rejects when no keychain can be reached. Linux is pinned to the Secret Service: the
 * library would silently fall back to the kernel's keyring, which is lost at a restart.
 */
export async function keychainEntry(account: string): Promise<KeychainEntry> {
  // The module is native and seldom needed.
  const { AsyncEntry } = await import("@napi-rs/keyring");
  return new AsyncEntry(KEYCHAIN_SERVICE, account, { linux: { store: "secret-service" } });
}

/**
 * Opens the keychain of the operating system. If it cannot be reached, `warn` is called once and secrets stay in memory
 * until the process ends; nothing is written in the clear (docs/decisions/0009). `warn` receives undefined when a slow
 * keychain answers after all.
 */
export function openKeychain(
  warn: (sentence: string | undefined) => void,
  entryOf: (account: string) => KeychainEntry | Promise<KeychainEntry> = keychainEntry,
): TokenStore {
  const memory = new Map<string, string>();
  let warned = false;
  const orMemory = async <T>(account: string, ask: (entry: KeychainEntry) => Promise<T>, otherwise: () => T) => {
    let slow = false;
    const timer = setTimeout(() => {
      slow = true;
      warn(SLOW);
    }, SLOW_MS);
    try {
      const answer = await ask(await entryOf(account));
      if (slow) warn(undefined);
      return answer;
    } catch (error) {
      if (!warned || slow) warn(unreachable(error));
      warned = true;
      return otherwise();
    } finally {
      clearTimeout(timer);
    }
  };
  return {
    get: async (account) => memory.get(account) ?? orMemory(account, read, () => undefined),
    async set(account, secret) {
      memory.delete(account);
      const keep = () => void memory.set(account, secret);
      await orMemory(account, (entry) => entry.setPassword(secret), keep);
    },
    delete: (account) =>
      memory.delete(account)
        ? Promise.resolve(true)
        : orMemory(
            account,
            (entry) => entry.deleteCredential(),
            () => false,
          ),
  };
}

async function read(entry: KeychainEntry): Promise<string | undefined> {
  return (await entry.getPassword()) ?? undefined;
}

function unreachable(error: unknown): string {
  const reason = errorText(error);
  const install =
    process.platform === "linux"
      ? " Install and unlock a Secret Service, for example `sudo apt install gnome-keyring`; KWallet and KeePassXC are others."
      : "";
  return `No keychain can be reached (${reason}).${install} Secrets are kept in memory until Patchbay ends; set SERVICE_TOKEN to use a key after that.`;
}
