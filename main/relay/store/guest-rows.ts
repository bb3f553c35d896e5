import { z } from "zod";
import { SessionId } from "../../../core/protocol/ids.ts";
import { Role } from "../../../core/protocol/records.ts";
import { ignoreDiskErrors } from "./disk-errors.ts";
import { HAS_MAKER } from "./key-rows.ts";
import type { StoreDatabase } from "./open-store.ts";

const GuestRow = z.object({
  /** Public name of the admission, for lists and operations; its secret is known to the guest's browser only. */
  id: z.string(),
  session: SessionId,
  name: z.string(),
  role: Role,
  /** The browser that was let in, as it announced itself last. */
  device: z.string(),
  /** Id of the invite; null for a guest of a version that did not record it. */
  invite: z.string().nullable(),
  since: z.string(),
  lastSeenAt: z.string(),
  expiresAt: z.string(),
  /** Id of the key that made the invite; null where the session's owner did. */
  madeBy: z.string().nullable(),
});
export type GuestRow = Readonly<z.infer<typeof GuestRow>>;

const COLUMNS =
  "id, session_id AS session, name, role, device, invite, since, last_seen_at AS lastSeenAt, expires_at AS expiresAt, made_by AS madeBy";

/** Table `guests`: the browsers that were let into sessions, by the digests of their secrets. */
export class GuestRows {
  readonly #database: StoreDatabase;

  constructor(database: StoreDatabase) {
    this.#database = database;
  }

  /** Returns the guests of a session whose admission has not expired at `now`, oldest first. */
  list(session: SessionId, now: string): GuestRow[] {
    const statement = this.#database.prepare(
      `SELECT ${COLUMNS} FROM guests WHERE session_id = ? AND expires_at > ? ORDER BY since, rowid`,
    );
    return z.array(GuestRow).parse(statement.all([session, now]));
  }

  getByDigest(digest: string): GuestRow | undefined {
    const statement = this.#database.prepare(`SELECT ${COLUMNS} FROM guests WHERE digest = ? AND ${HAS_MAKER}`);
    return GuestRow.optional().parse(statement.get([digest]));
  }

  get(session: SessionId, id: string): GuestRow | undefined {
    const statement = this.#database.prepare(`SELECT ${COLUMNS} FROM guests WHERE session_id = ? AND id = ?`);
    return GuestRow.optional().parse(statement.get([session, id]));
  }

  /** Returns whether a key has made the invite of any guest. */
  hasMade(): boolean {
    return this.#database.prepare("SELECT 1 FROM guests WHERE made_by IS NOT NULL LIMIT 1").get([]) !== undefined;
  }

  /** Returns the guests whose invite was made with a key that was revoked since. */
  listOrphans(): GuestRow[] {
    const statement = this.#database.prepare(`SELECT ${COLUMNS} FROM guests WHERE NOT ${HAS_MAKER}`);
    return z.array(GuestRow).parse(statement.all([]));
  }

  add(digest: string, row: GuestRow): void {
    const { id, session, name, role, device, invite, since, lastSeenAt, expiresAt, madeBy } = row;
    this.#database
      .prepare(
        `INSERT INTO guests (digest, id, session_id, name, role, device, invite, since, last_seen_at, expires_at, made_by)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      .run([digest, id, session, name, role, device, invite, since, lastSeenAt, expiresAt, madeBy]);
  }

  changeRole(session: SessionId, id: string, role: Role): void {
    this.#database.prepare("UPDATE guests SET role = ? WHERE session_id = ? AND id = ?").run([role, session, id]);
  }

  /** Records that the guest was connected at `at`, unless the disk refuses it. */
  seen(session: SessionId, id: string, { at, device }: { at: string; device: string }): void {
    const statement = this.#database.prepare(
      "UPDATE guests SET last_seen_at = ?, device = ? WHERE session_id = ? AND id = ?",
    );
    ignoreDiskErrors(() => statement.run([at, device, session, id]));
  }

  remove(session: SessionId, id: string): void {
    this.#database.prepare("DELETE FROM guests WHERE session_id = ? AND id = ?").run([session, id]);
  }

  /** Removes the guests of all sessions whose admission has expired at `now`, and returns them. */
  removeExpired(now: string): GuestRow[] {
    const statement = this.#database.prepare(`SELECT ${COLUMNS} FROM guests WHERE expires_at <= ?`);
    const expired = z.array(GuestRow).parse(statement.all([now]));
    if (expired.length > 0) this.#database.prepare("DELETE FROM guests WHERE expires_at <= ?").run([now]);
    return expired;
  }
}
