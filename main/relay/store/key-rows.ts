import { z } from "zod";
import { SessionId, ShellId } from "../../../core/protocol/ids.ts";
import { parseStoredRestrictions } from "../../../core/protocol/key-restrictions.ts";
import { Role } from "../../../core/protocol/records.ts";
import { StoredText } from "../../system/stored-text.ts";
import { Flag, json } from "./columns.ts";
import { ignoreDiskErrors } from "./disk-errors.ts";
import { durably } from "./keep-synced.ts";
import type { StoreDatabase } from "./open-store.ts";

const KeyRow = z.object({
  id: z.string(),
  owner: z.string(),
  name: z.string(),
  scheme: z.enum(["api", "bearer"]),
  scopes: json(z.array(z.string()).readonly()).catch([]),
  restrictions: json(z.unknown().transform(parseStoredRestrictions)),
  digest: z.string(),
  createdAt: z.string(),
  expiresAt: z.string().nullable(),
  lastUsedAt: z.string().nullable(),
  /** Id of the key that made it; null where its owner did. */
  madeBy: z.string().nullable(),
});
export type KeyRow = Readonly<z.infer<typeof KeyRow>>;

const ShellTokenRow = z.object({
  digest: z.string(),
  session: SessionId,
  shell: ShellId,
  user: z.string(),
  /** Lowest role of the people who opened the shell or took it over. */
  role: Role,
  guest: Flag,
  /** Ids of the guests among them. */
  guests: json(z.array(z.string()).readonly()).catch([]),
});
type ShellTokenRow = Readonly<z.infer<typeof ShellTokenRow>>;

const KEY_COLUMNS = `id, owner, name, scheme, scopes, restrictions, digest, created_at AS createdAt,
  expires_at AS expiresAt, last_used_at AS lastUsedAt, made_by AS madeBy`;

/** Condition of a row that its owner made, or a key that was not revoked since, by whichever process. */
export const HAS_MAKER = "(made_by IS NULL OR made_by IN (SELECT id FROM keys))";

/** Tables `keys` and `shell_tokens`: digests of the secrets, never the secrets. */
export class KeyRows {
  readonly #database: StoreDatabase;

  constructor(database: StoreDatabase) {
    this.#database = database;
  }

  /** Returns all keys and tokens, oldest first. */
  list(): KeyRow[] {
    const statement = this.#database.prepare(`SELECT ${KEY_COLUMNS} FROM keys ORDER BY created_at, rowid`);
    return z.array(KeyRow).parse(statement.all([]));
  }

  getByDigest(digest: string): KeyRow | undefined {
    const statement = this.#database.prepare(`SELECT ${KEY_COLUMNS} FROM keys WHERE digest = ? AND ${HAS_MAKER}`);
    return KeyRow.optional().parse(statement.get([digest]));
  }

  get(id: string): KeyRow | undefined {
    const statement = this.#database.prepare(`SELECT ${KEY_COLUMNS} FROM keys WHERE id = ?`);
    return KeyRow.optional().parse(statement.get([id]));
  }

  /** Adds a key durably. */
  add({ id, owner, name, scheme, scopes, restrictions, digest, createdAt, expiresAt, madeBy }: KeyRow): void {
    const statement = this.#database.prepare(
      `INSERT INTO keys (id, owner, name, scheme, scopes, restrictions, digest, created_at, expires_at, made_by)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    const [scopesText, restrictionsText] = [JSON.stringify(scopes), JSON.stringify(restrictions)];
    durably(this.#database, () =>
      statement.run([id, owner, name, scheme, scopesText, restrictionsText, digest, createdAt, expiresAt, madeBy]),
    );
  }

  /** Sets the time of last use. It is informative only, so a full disk does not make the key unusable. */
  setLastUsed(id: string, at: string): void {
    const statement = this.#database.prepare("UPDATE keys SET last_used_at = ? WHERE id = ?");
    ignoreDiskErrors(() => statement.run([at, id]));
  }

  /** Removes a key, and all keys that were made with it, durably. Returns their digests. */
  remove(id: string): string[] {
    const statement = this.#database.prepare(
      `WITH RECURSIVE made (id) AS (VALUES (?) UNION SELECT keys.id FROM keys JOIN made ON keys.made_by = made.id)
       DELETE FROM keys WHERE id IN (SELECT id FROM made) RETURNING CAST(digest AS BLOB) AS digest`,
    );
    const removed = durably(this.#database, () => statement.all([id]));
    return z
      .array(z.object({ digest: StoredText }))
      .parse(removed)
      .map(({ digest }) => digest);
  }

  /** Returns a number that changes when another process has written to the database. */
  dataVersion(): number {
    return DataVersion.parse(this.#database.prepare("PRAGMA data_version").get([])).data_version;
  }

  /** Returns the tokens of all shells. Removes those of sessions that no longer exist. */
  listShellTokens(): ShellTokenRow[] {
    this.#database.prepare("DELETE FROM shell_tokens WHERE session_id NOT IN (SELECT id FROM sessions)").run([]);
    const statement = this.#database.prepare(
      "SELECT digest, session_id AS session, shell_id AS shell, user, role, guest, guests FROM shell_tokens",
    );
    return z.array(ShellTokenRow).parse(statement.all([]));
  }

  addShellToken({ digest, session, shell, user, role, guest, guests }: ShellTokenRow): void {
    this.#database
      .prepare(
        "INSERT INTO shell_tokens (digest, session_id, shell_id, user, role, guest, guests) VALUES (?, ?, ?, ?, ?, ?, ?)",
      )
      .run([digest, session, shell, user, role, guest ? 1 : 0, JSON.stringify(guests)]);
  }

  changeShellToken(digest: string, { role, guest, guests }: Pick<ShellTokenRow, "role" | "guest" | "guests">): void {
    this.#database
      .prepare("UPDATE shell_tokens SET role = ?, guest = ?, guests = ? WHERE digest = ?")
      .run([role, guest ? 1 : 0, JSON.stringify(guests), digest]);
  }

  /** Removes the token of a shell. A row that the disk does not let go is removed at the next start. */
  removeShellToken(digest: string): void {
    const statement = this.#database.prepare("DELETE FROM shell_tokens WHERE digest = ?");
    ignoreDiskErrors(() => statement.run([digest]));
  }
}

const DataVersion = z.object({ data_version: z.number() });
