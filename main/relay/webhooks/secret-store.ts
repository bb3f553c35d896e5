/** Where secrets are kept over restarts. */
export interface SecretStore {
  get(account: string): Promise<string | undefined>;
  /** Resolves with where the secret is. */
  set(account: string, secret: string): Promise<"keychain" | "file">;
  remove(account: string): Promise<void>;
}

/** Keeps secrets as long as this process runs. */
export function memoryOnly(): SecretStore {
  const kept = new Map<string, string>();
  return {
    get: async (account) => kept.get(account),
    async set(account, secret) {
      kept.set(account, secret);
      return "keychain";
    },
    remove: async (account) => void kept.delete(account),
  };
}
