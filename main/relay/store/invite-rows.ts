import { z } from "zod";
import { SessionId } from "../../../core/protocol/ids.ts";
import { Role } from "../../../core/protocol/records.ts";
import { HAS_MAKER } from "./key-rows.ts";
import type { StoreDatabase } from "./open-store.ts";

const InviteRow = z.object({
  id: z.string(),
  session: SessionId,
  role: Role,
  usesLeft: z.int(),
  createdAt: z.string(),
  expiresAt: z.string(),
  /** Id of the key that made it; null where the session's owner did. */
  madeBy: z.string().nullable(),
});
export type InviteRow = Readonly<z.infer<typeof InviteRow>>;

const INVITE_COLUMNS =
  "id, session_id AS session, role, uses_left AS usesLeft, created_at AS createdAt, expires_at AS expiresAt, made_by AS madeBy";

/** Condition of an invite that can still be used, at a time. */
const USABLE = `uses_left > 0 AND expires_at > ? AND ${HAS_MAKER}`;

/** Table `invites`, by the digests of their secrets. */
export class InviteRows {
  readonly #database: StoreDatabase;

  constructor(database: StoreDatabase) {
    this.#database = database;
  }

  /** Returns the invites of a session that can still be used at `now`. */
  list(session: SessionId, now: string): InviteRow[] {
    const statement = this.#database.prepare(
      `SELECT ${INVITE_COLUMNS} FROM invites WHERE session_id = ? AND ${USABLE}`,
    );
    return z.array(InviteRow).parse(statement.all([session, now]));
  }

  add(digest: string, { id, session, role, usesLeft, createdAt, expiresAt, madeBy }: InviteRow): void {
    this.#database
      .prepare(
        `INSERT INTO invites (id, session_id, role, digest, uses_left, created_at, expires_at, made_by)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      .run([id, session, role, digest, usesLeft, createdAt, expiresAt, madeBy]);
  }

  /** Returns the usable invite of a digest; undefined if the session has none at `now`. */
  find(session: SessionId, digest: string, now: string): InviteRow | undefined {
    const statement = this.#database.prepare(
      `SELECT ${INVITE_COLUMNS} FROM invites
       WHERE digest = ? AND session_id = ? AND ${USABLE}`,
    );
    return InviteRow.optional().parse(statement.get([digest, session, now]));
  }

  /** Uses an invite once. Returns undefined if the session has no usable invite of this digest at `now`. */
  use(session: SessionId, digest: string, now: string): InviteRow | undefined {
    const invite = this.find(session, digest, now);
    if (invite === undefined) return undefined;
    // Another process may have revoked it meanwhile.
    const use = this.#database.prepare(`UPDATE invites SET uses_left = uses_left - 1 WHERE id = ? AND ${USABLE}`);
    return use.run([invite.id, now]).changes > 0 ? { ...invite, usesLeft: invite.usesLeft - 1 } : undefined;
  }

  /** Returns whether the session had this invite. */
  remove(session: SessionId, id: string): boolean {
    return this.#database.prepare("DELETE FROM invites WHERE session_id = ? AND id = ?").run([session, id]).changes > 0;
  }
}
