import { z } from "zod";
import type { StoreDatabase } from "./open-store.ts";

const LoginRow = z.object({
  /** User code, without its hyphen. */
  code: z.string(),
  /** Digest of the device code. */
  digest: z.string(),
  /** `client_id` of the program that asks. */
  client: z.string(),
  name: z.string(),
  address: z.string(),
  since: z.string(),
  expiresAt: z.string(),
  /** Null until the user answers. */
  verdict: z.enum(["allowed", "denied"]).nullable(),
  /** Id of the key with which it was answered; null where the relay's owner answered. */
  madeBy: z.string().nullable(),
});
export type LoginRow = Readonly<z.infer<typeof LoginRow>>;

const COLUMNS = "code, digest, client, name, address, since, expires_at AS expiresAt, verdict, made_by AS madeBy";

/** Table `logins`. Logins are on disk so that `service approve` can answer them from its own process. */
export class LoginRows {
  readonly #database: StoreDatabase;

  constructor(database: StoreDatabase) {
    this.#database = database;
  }

  /** Returns the logins without an answer that have not expired at `now`, oldest first. */
  listPending(now: string): LoginRow[] {
    const statement = this.#database.prepare(
      `SELECT ${COLUMNS} FROM logins WHERE verdict IS NULL AND expires_at > ? ORDER BY since, rowid`,
    );
    return z.array(LoginRow).parse(statement.all([now]));
  }

  getByDigest(digest: string): LoginRow | undefined {
    const statement = this.#database.prepare(`SELECT ${COLUMNS} FROM logins WHERE digest = ?`);
    return LoginRow.optional().parse(statement.get([digest]));
  }

  /** Adds a login without an answer. */
  add({ code, digest, client, name, address, since, expiresAt }: Omit<LoginRow, "verdict" | "madeBy">): void {
    this.#database
      .prepare(
        "INSERT INTO logins (code, digest, client, name, address, since, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?)",
      )
      .run([code, digest, client, name, address, since, expiresAt]);
  }

  /** Returns whether a login with this code was still pending at `now`. */
  answer(code: string, verdict: "allowed" | "denied", now: string, madeBy: string | null = null): boolean {
    const statement = this.#database.prepare(
      "UPDATE logins SET verdict = ?, made_by = ? WHERE code = ? AND verdict IS NULL AND expires_at > ?",
    );
    return statement.run([verdict, madeBy, code, now]).changes > 0;
  }

  /** Ends the wait of a login without an answer. */
  expire(digest: string, now: string): void {
    this.#database.prepare("UPDATE logins SET expires_at = ? WHERE digest = ?").run([now, digest]);
  }

  /** Removes an allowed login. Returns false if it was removed before. */
  removeAllowed(digest: string): boolean {
    const statement = this.#database.prepare("DELETE FROM logins WHERE digest = ? AND verdict = 'allowed'");
    return statement.run([digest]).changes > 0;
  }

  removeExpired(before: string): void {
    this.#database.prepare("DELETE FROM logins WHERE expires_at < ?").run([before]);
  }
}
