import { z } from "zod";
import type { StoreDatabase } from "./open-store.ts";

/** A login that was asked for, as it is on disk. The device code is kept as its digest only. */
export interface LoginRow {
  /** User code, without its hyphen. */
  readonly code: string;
  /** Of the device code. */
  readonly digest: string;
  /** `client_id` of the program that asks. */
  readonly client: string;
  readonly name: string;
  readonly address: string;
  readonly since: string;
  readonly expiresAt: string;
  /** Null while nobody has answered. */
  readonly verdict: "allowed" | "denied" | null;
}

const COLUMNS = "code, digest, client, name, address, since, expires_at AS expiresAt, verdict";

/** Logins that wait for the user's answer; on disk, so that `service approve` can answer from a process of its own. */
export class LoginRows {
  readonly #database: StoreDatabase;

  constructor(database: StoreDatabase) {
    this.#database = database;
  }

  add(row: LoginRow): void {
    this.#database
      .prepare(
        "INSERT INTO logins (code, digest, client, name, address, since, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?)",
      )
      .run([row.code, row.digest, row.client, row.name, row.address, row.since, row.expiresAt]);
  }

  /** Those that nobody has answered, oldest first. */
  waiting(now: string): LoginRow[] {
    return this.#database
      .prepare(`SELECT ${COLUMNS} FROM logins WHERE verdict IS NULL AND expires_at > ? ORDER BY since, rowid`)
      .all([now])
      .map((row) => Row.parse(row));
  }

  byDigest(digest: string): LoginRow | undefined {
    const row = this.#database.prepare(`SELECT ${COLUMNS} FROM logins WHERE digest = ?`).get([digest]);
    return row === undefined ? undefined : Row.parse(row);
  }

  /** Whether there was such a login, still waiting. */
  answer(code: string, verdict: "allowed" | "denied", now: string): boolean {
    return (
      this.#database
        .prepare("UPDATE logins SET verdict = ? WHERE code = ? AND verdict IS NULL AND expires_at > ?")
        .run([verdict, code, now]).changes > 0
    );
  }

  /** Takes an allowed login out, once. Whether it was there. */
  take(digest: string): boolean {
    return (
      this.#database.prepare("DELETE FROM logins WHERE digest = ? AND verdict = 'allowed'").run([digest]).changes > 0
    );
  }

  /** Drops those that expired before then. */
  forget(before: string): void {
    this.#database.prepare("DELETE FROM logins WHERE expires_at < ?").run([before]);
  }
}

const Row = z.object({
  code: z.string(),
  digest: z.string(),
  client: z.string(),
  name: z.string(),
  address: z.string(),
  since: z.string(),
  expiresAt: z.string(),
  verdict: z.enum(["allowed", "denied"]).nullable(),
});
