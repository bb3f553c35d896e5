import { randomBytes } from "node:crypto";
import { RemoteError } from "../../../core/protocol/errors.ts";
import type { SessionId } from "../../../core/protocol/ids.ts";
import type { Role } from "../../../core/protocol/records.ts";
import type { GuestRow, InviteRow, InviteRows } from "../store/invite-rows.ts";
import { digestOf, newSecret } from "./digest.ts";

/** Lifetime of a guest's secret, and so of the cookie that holds it. */
const GUEST_DAYS = 30;
const DAY_MS = 24 * 60 * 60_000;

/** A browser that joined a session by an invite. */
export type Guest = Omit<GuestRow, "expiresAt">;

interface GuestAdmission {
  readonly guest: Guest;
  readonly secret: string;
  readonly pageKey: string;
  readonly maxAgeMs: number;
}

/** Returns the secret of the guest whose session page holds this key. */
export function guestSecretOf(pageKey: string): string {
  return `pbg_${digestOf(`guest of ${pageKey}`)}`;
}

/** Issues invites and admits the guests who use them. Only digests of their secrets are stored (docs/decisions/0009). */
export class InviteStore {
  readonly #rows: InviteRows;

  constructor(rows: InviteRows) {
    this.#rows = rows;
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
   * Exchanges an invite's secret for a guest's own secret, for the cookie, and the page key from which it is derived.
   *
   * @throws `invite_spent` alike for an invite that is used up, expired, revoked or unknown, so that guessing reveals
   * nothing.
   */
  accept(session: SessionId, inviteSecret: string, name: string): GuestAdmission {
    const invite = this.#rows.use(session, digestOf(inviteSecret), new Date().toISOString());
    if (invite === undefined) {
      throw new RemoteError("invite_spent", "This invite was used already, or has expired: ask for a new one.");
    }
    const guest: Guest = { session, name, role: invite.role };
    const pageKey = newSecret("pbk");
    const secret = guestSecretOf(pageKey);
    const maxAgeMs = GUEST_DAYS * DAY_MS;
    this.#rows.addGuest(digestOf(secret), { ...guest, expiresAt: new Date(Date.now() + maxAgeMs).toISOString() });
    return { guest, secret, pageKey, maxAgeMs };
  }

  /** Returns the guest of a secret; undefined if it is unknown or has expired. */
  findGuest(secret: string): Guest | undefined {
    const row = this.#rows.getGuest(digestOf(secret));
    if (row === undefined) return undefined;
    const { expiresAt, ...guest } = row;
    return Date.parse(expiresAt) > Date.now() ? guest : undefined;
  }

  /** Changes the role that a guest has at later visits. */
  changeGuestRole(secret: string, role: Role): void {
    this.#rows.changeGuestRole(digestOf(secret), role);
  }

  /** Revokes a guest's secret. */
  removeGuest(secret: string): void {
    this.#rows.removeGuest(digestOf(secret));
  }
}
