import { KEYCHAIN_SERVICE } from "../../core/protocol/relay-file.ts";

/** One secret in the keychain of the operating system. Calls run on another thread, so none blocks the process. */
export interface KeychainEntry {
  getPassword(): Promise<string | null | undefined>;
  setPassword(secret: string): Promise<void>;
  /** Resolves with whether there was one. */
  deleteCredential(): Promise<boolean>;
}

/**
 * Opens the entry of an account. Rejects when no keychain can be reached. Linux is pinned to the Secret Service: the
 * library would silently fall back to the kernel's keyring, which is lost at a restart.
 */
export async function keychainEntry(account: string): Promise<KeychainEntry> {
  // The module is native and seldom needed.
  const { AsyncEntry } = await import("@napi-rs/keyring");
  return new AsyncEntry(KEYCHAIN_SERVICE, account, { linux: { store: "secret-service" } });
}
