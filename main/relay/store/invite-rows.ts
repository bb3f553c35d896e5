import { z } from "zod";
import { SessionId } from "../../../core/protocol/ids.ts";
import { Role } from "../../../core/protocol/records.ts";
import type { StoreDatabase } from "./open-store.ts";

const InviteRow = z.object({
  id: z.string(),
  session: SessionId,
  role: Role,
  usesLeft: z.int(),
  createdAt: z.string(),
  expiresAt: z.string(),
});
export type InviteRow = Readonly<z.infer<typeof InviteRow>>;

const INVITE_COLUMNS =
  "id, session_id AS session, role, uses_left AS usesLeft, created_at AS createdAt, expires_at AS expiresAt";

/** Table `invites`, by the digests of their secrets. */
export class InviteRows {
  readonly #database: StoreDatabase;

  constructor(database: StoreDatabase) {
    this.#database = database;
  }

  /** Returns the invites of a session that can still be used at `now`. */
  list(session: SessionId, now: string): InviteRow[] {
    const statement = this.#database.prepare(
      `SELECT ${INVITE_COLUMNS} FROM invites WHERE session_id = ? AND uses_left > 0 AND expires_at > ?`,
    );
    return z.array(InviteRow).parse(statement.all([session, now]));
  }

  add(digest: string, { id, session, role, usesLeft, createdAt, expiresAt }: InviteRow): void {
    this.#database
      .prepare(
        `INSERT INTO invites (id, session_id, role, digest, uses_left, created_at, expires_at)
         VALUES (?, ?, ?, ?, ?, ?, ?)`,
      )
      .run([id, session, role, digest, usesLeft, createdAt, expiresAt]);
  }

  /** Returns the usable invite of a digest; undefined if the session has none at `now`. */
  find(session: SessionId, digest: string, now: string): InviteRow | undefined {
    const statement = this.#database.prepare(
      `SELECT ${INVITE_COLUMNS} FROM invites
       WHERE digest = ? AND session_id = ? AND uses_left > 0 AND expires_at > ?`,
    );
    return InviteRow.optional().parse(statement.get([digest, session, now]));
  }

  /** Uses an invite once. Returns undefined if the session has no usable invite of this digest at `now`. */
  use(session: SessionId, digest: string, now: string): InviteRow | undefined {
    const statement = this.#database.prepare(
      `UPDATE invites SET uses_left = uses_left - 1
       WHERE digest = ? AND session_id = ? AND uses_left > 0 AND expires_at > ? RETURNING ${INVITE_COLUMNS}`,
    );
    return InviteRow.optional().parse(statement.get([digest, session, now]));
  }

  /** Returns whether the session had this invite. */
  remove(session: SessionId, id: string): boolean {
    return this.#database.prepare("DELETE FROM invites WHERE session_id = ? AND id = ?").run([session, id]).changes > 0;
  }
}
