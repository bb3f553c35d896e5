import { randomBytes } from "node:crypto";
import { RemoteError } from "../../../core/protocol/errors.ts";
import type { SessionId } from "../../../core/protocol/ids.ts";
import type { Role } from "../../../core/protocol/records.ts";
import type { InviteRow, InviteRows } from "../store/invite-rows.ts";
import { digestOf, newSecret } from "./digest.ts";
import type { GuestAdmission, Guests } from "./guests.ts";
import { expiryWithin, type Keys } from "./keys.ts";

/** Issues invites and lets in the guests who use them. Only digests of their secrets are stored (docs/decisions/0009). */
export class InviteStore {
  readonly #rows: InviteRows;
  readonly #guests: Guests;
  readonly #keys: Pick<Keys, "limitsFor">;

  constructor(rows: InviteRows, guests: Guests, keys: Pick<Keys, "limitsFor">) {
    this.#rows = rows;
    this.#guests = guests;
    this.#keys = keys;
  }

  /**
   * Creates an invite. Its secret goes into the link and is not stored. An invite that is made with a key, and the guests
   * whom it lets in, are good as long as the key.
   */
  create(options: { session: SessionId; role: Role; uses: number; ttlMs: number; madeBy?: string | undefined }): {
    invite: InviteRow;
    secret: string;
  } {
    const limits = this.#keys.limitsFor(options.madeBy);
    const secret = newSecret("pbi");
    const invite: InviteRow = {
      id: randomBytes(6).toString("hex"),
      session: options.session,
      role: options.role,
      usesLeft: options.uses,
      createdAt: new Date().toISOString(),
      expiresAt: expiryWithin(limits, options.ttlMs),
      madeBy: limits.madeBy,
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
    const { id, role, madeBy } = invite;
    return this.#guests.admit({ session, name, role, device, invite: id }, this.#keys.limitsFor(madeBy));
  }
}

function usable(invite: InviteRow | undefined): InviteRow {
  if (invite !== undefined) return invite;
  throw new RemoteError("invite_spent", "This invite was used already, or has expired: ask for a new one.");
}
