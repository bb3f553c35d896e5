import { randomBytes } from "node:crypto";
import { RemoteError } from "../../../core/protocol/errors.ts";
import type { SessionId } from "../../../core/protocol/ids.ts";
import type { Role } from "../../../core/protocol/records.ts";
import type { InviteRow, InviteRows } from "../store/invite-rows.ts";
import { digestOf, newSecret } from "./digest.ts";
import type { GuestAdmission, Guests } from "./guests.ts";

/** Issues invites and lets in the guests who use them. Only digests of their secrets are stored (docs/decisions/0009). */
export class InviteStore {
  readonly #rows: InviteRows;
  readonly #guests: Guests;

  constructor(rows: InviteRows, guests: Guests) {
    this.#rows = rows;
    this.#guests = guests;
  }

  /** Creates an invite. Its secret goes into the link and is not stored. */
  create(options: { session: SessionId; role: Role; uses: number; ttlMs: number }): {
    invite: InviteRow;
    secret: string;
  } {
    const secret = newSecret("pbi");
    const invite: InviteRow = {
      id: randomBytes(6).toString("hex"),
      session: options.session,
      role: options.role,
      usesLeft: options.uses,
      createdAt: new Date().toISOString(),
      expiresAt: new Date(Date.now() + options.ttlMs).toISOString(),
    };
    this.#rows.add(digestOf(secret), invite);
    return { invite, secret };
  }

  /** Returns the invites of a session that can still be used. */
  list(session: SessionId): InviteRow[] {
    return this.#rows.list(session, new Date().toISOString());
  }

  /** Returns whether the session had this invite. */
  revoke(session: SessionId, id: string): boolean {
    return this.#rows.remove(session, id);
  }

  /**
   * Returns the invite of a secret, without using it.
   *
   * @throws `invite_spent`, as `accept` does
   */
  check(session: SessionId, inviteSecret: string): InviteRow {
    return usable(this.#rows.find(session, digestOf(inviteSecret), new Date().toISOString()));
  }

  /**
   * Exchanges an invite's secret for a guest's own secret, for the cookie, and the page key from which it is derived.
   *
   * @throws `invite_spent` alike for an invite that is used up, expired, revoked or unknown, so that guessing reveals
   * nothing.
   */
  accept(session: SessionId, inviteSecret: string, name: string, device = ""): GuestAdmission {
    const invite = usable(this.#rows.use(session, digestOf(inviteSecret), new Date().toISOString()));
    return this.#guests.admit({ session, name, role: invite.role, device, invite: invite.id });
  }
}

function usable(invite: InviteRow | undefined): InviteRow {
  if (invite !== undefined) return invite;
  throw new RemoteError("invite_spent", "This invite was used already, or has expired: ask for a new one.");
}
