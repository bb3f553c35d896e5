import { z } from "zod";
import { SessionId } from "../../../core/protocol/ids.ts";
import { Role } from "../../../core/protocol/records.ts";
import { ignoreDiskErrors } from "./disk-errors.ts";
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
});
export type GuestRow = Readonly<z.infer<typeof GuestRow>>;

const COLUMNS =
  "id, session_id AS session, name, role, device, invite, since, last_seen_at AS lastSeenAt, expires_at AS expiresAt";

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
    const statement = this.#database.prepare(`SELECT ${COLUMNS} FROM guests WHERE digest = ?`);
    return GuestRow.optional().parse(statement.get([digest]));
  }

  get(session: SessionId, id: string): GuestRow | undefined {
    const statement = this.#database.prepare(`SELECT ${COLUMNS} FROM guests WHERE session_id = ? AND id = ?`);
    return GuestRow.optional().parse(statement.get([session, id]));
  }

  add(digest: string, { id, session, name, role, device, invite, since, lastSeenAt, expiresAt }: GuestRow): void {
    this.#database
      .prepare(
        `INSERT INTO guests (digest, id, session_id, name, role, device, invite, since, last_seen_at, expires_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      .run([digest, id, session, name, role, device, invite, since, lastSeenAt, expiresAt]);
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

  /** Removes the guests of all sessions whose admission has expired at `now`. */
  removeExpired(now: string): void {
    this.#database.prepare("DELETE FROM guests WHERE expires_at <= ?").run([now]);
  }
}
