import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type KeychainEntry, keychainEntry } from "./keychain.ts";
import { readRegularFile } from "./regular-files.ts";
import { withDeadline } from "./with-deadline.ts";
import { writeAtomically } from "./write-atomically.ts";

const FOLDER = "secrets";
const MAX_BYTES = 16 * 1024;
/** A locked keychain waits for its user. */
const DEADLINE_MS = 5_000;

interface KeptSecretsOptions {
  readonly entryOf?: (account: string) => KeychainEntry | Promise<KeychainEntry>;
  readonly deadlineMs?: number;
}

/**
 * Keeps secrets of the relay over restarts: in the keychain of the operating system, and where none answers, as on most
 * servers, in private files of the data folder (docs/decisions/0049).
 */
export class KeptSecrets {
  readonly #folder: string;
  readonly #entryOf: (account: string) => KeychainEntry | Promise<KeychainEntry>;
  readonly #deadlineMs: number;

  constructor(data: string, { entryOf = keychainEntry, deadlineMs = DEADLINE_MS }: KeptSecretsOptions = {}) {
    this.#folder = join(data, FOLDER);
    this.#entryOf = entryOf;
    this.#deadlineMs = deadlineMs;
  }

  /** Undefined where no secret of this account is kept. Rejects when the keychain has to be asked and does not answer. */
  async get(account: string): Promise<string | undefined> {
    return this.#read(account) ?? (await this.#ask(account, (entry) => entry.getPassword())) ?? undefined;
  }

  /** Resolves with where the secret is. */
  async set(account: string, secret: string): Promise<"keychain" | "file"> {
    try {
      await this.#ask(account, (entry) => entry.setPassword(secret));
      return "keychain";
    } catch {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      writeAtomically(this.#file(account), secret);
      return "file";
    }
  }

  /** Removes a secret wherever it is. */
  async remove(account: string): Promise<void> {
    const isFile = this.#read(account) !== undefined;
    rmSync(this.#file(account), { force: true });
    await this.#ask(account, (entry) => entry.deleteCredential()).catch((error: unknown) => {
      if (!isFile) throw error;
    });
  }

  #read(account: string): string | undefined {
    try {
      return readRegularFile(this.#file(account), MAX_BYTES).toString("utf8");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
      throw error;
    }
  }

  #ask<T>(account: string, ask: (entry: KeychainEntry) => Promise<T>): Promise<T> {
    const asked = Promise.resolve(this.#entryOf(account)).then(ask);
    return withDeadline(asked, this.#deadlineMs, () => new Error("the keychain does not answer: it may be locked"));
  }

  #file(account: string): string {
    return join(this.#folder, account.replace(/[^A-Za-z0-9-]/g, "_"));
  }
}
