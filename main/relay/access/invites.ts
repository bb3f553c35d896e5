import { randomBytes } from "node:crypto";
import { z } from "zod";
import { RemoteError } from "../../../core/protocol/errors.ts";
import { SessionId } from "../../../core/protocol/ids.ts";
import { Role } from "../../../core/protocol/records.ts";
import type { StoreDatabase } from "../store/open-store.ts";
import { digestOf, newSecret } from "./digest.ts";

/** How long a browser that came in by an invite may come back. */
const GUEST_DAYS = 30;
const DAY_MS = 24 * 60 * 60_000;

export const Invite = z.object({
  id: z.string(),
  session: SessionId,
  role: Role,
  usesLeft: z.int(),
  createdAt: z.string(),
  expiresAt: z.string(),
});
export type Invite = z.infer<typeof Invite>;

export interface Guest {
  readonly session: SessionId;
  readonly name: string;
  readonly role: Role;
}

const GuestRow = z.object({ session: SessionId, name: z.string(), role: Role, expiresAt: z.string() });

const INVITE_COLUMNS =
  "id, session_id AS session, role, uses_left AS usesLeft, created_at AS createdAt, expires_at AS expiresAt";

/** Stores invites and the browsers that used one, as digests only (docs/decisions/0009). */
export class InviteStore {
  readonly #database: StoreDatabase;

  constructor(database: StoreDatabase) {
    this.#database = database;
  }

  /** Makes an invite; its secret goes into the link and is not kept. */
  invite(wanted: { session: SessionId; role: Role; uses: number; ttlMs: number }): { invite: Invite; secret: string } {
    const secret = newSecret("pbi");
    const invite: Invite = {
      id: randomBytes(6).toString("hex"),
      session: wanted.session,
      role: wanted.role,
      usesLeft: wanted.uses,
      createdAt: new Date().toISOString(),
      expiresAt: new Date(Date.now() + wanted.ttlMs).toISOString(),
    };
    this.#database
      .prepare(
        "INSERT INTO invites (id, session_id, role, digest, uses_left, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?)",
      )
      .run([
        invite.id,
        invite.session,
        invite.role,
        digestOf(secret),
        invite.usesLeft,
        invite.createdAt,
        invite.expiresAt,
      ]);
    return { invite, secret };
  }

  /** The invites of a session that can still be used. */
  invites(session: SessionId): Invite[] {
    const rows = this.#database
      .prepare(`SELECT ${INVITE_COLUMNS} FROM invites WHERE session_id = ? AND uses_left > 0 AND expires_at > ?`)
      .all([session, new Date().toISOString()]);
    return rows.map((row) => Invite.parse(row));
  }

  /** Whether there was such an invite. */
  revoke(session: SessionId, id: string): boolean {
    return this.#database.prepare("DELETE FROM invites WHERE session_id = ? AND id = ?").run([session, id]).changes > 0;
  }

  /**
   * Exchanges an invite's secret for a guest's own. Throws `invite_spent` for one that is used up, expired, revoked, or
   * was never made: who tries secrets learns nothing.
   */
  enter(session: SessionId, inviteSecret: string, name: string): { guest: Guest; secret: string; maxAgeMs: number } {
    const row = this.#database
      .prepare(
        `UPDATE invites SET uses_left = uses_left - 1
         WHERE digest = ? AND session_id = ? AND uses_left > 0 AND expires_at > ? RETURNING ${INVITE_COLUMNS}`,
      )
      .get([digestOf(inviteSecret), session, new Date().toISOString()]);
    if (row === undefined) {
      throw new RemoteError("invite_spent", "This invite was used already, or has expired: ask for a new one.");
    }
    const { role } = Invite.parse(row);
    const secret = newSecret("pbg");
    const maxAgeMs = GUEST_DAYS * DAY_MS;
    this.#database
      .prepare("INSERT INTO guests (digest, session_id, name, role, expires_at) VALUES (?, ?, ?, ?, ?)")
      .run([digestOf(secret), session, name, role, new Date(Date.now() + maxAgeMs).toISOString()]);
    return { guest: { session, name, role }, secret, maxAgeMs };
  }

  /** The guest has this role at his next coming too. */
  changeRole(secret: string, role: Role): void {
    this.#database.prepare("UPDATE guests SET role = ? WHERE digest = ?").run([role, digestOf(secret)]);
  }

  /** The guest's cookie lets nobody in any more. */
  remove(secret: string): void {
    this.#database.prepare("DELETE FROM guests WHERE digest = ?").run([digestOf(secret)]);
  }

  /** Whose secret it is; undefined when nobody's, or when it has expired. */
  guest(secret: string): Guest | undefined {
    const row = this.#database
      .prepare("SELECT session_id AS session, name, role, expires_at AS expiresAt FROM guests WHERE digest = ?")
      .get([digestOf(secret)]);
    if (row === undefined) return undefined;
    const { expiresAt, ...guest } = GuestRow.parse(row);
    return Date.parse(expiresAt) > Date.now() ? guest : undefined;
  }
}
