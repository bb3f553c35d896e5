import { randomBytes } from "node:crypto";
import { RemoteError } from "../../../core/protocol/errors.ts";
import type { SessionId } from "../../../core/protocol/ids.ts";
import type { Role } from "../../../core/protocol/records.ts";
import type { GuestRow, GuestRows } from "../store/guest-rows.ts";
import { digestOf, newSecret } from "./digest.ts";

/** Lifetime of a guest's secret, and so of the cookie that holds it. */
const GUEST_DAYS = 30;
const DAY_MS = 24 * 60 * 60_000;

/** A browser that joined a session by an invite. */
export type Guest = GuestRow;

/** A guest who was just let in, with the secret of the cookie and the key of the session's page. */
export interface GuestAdmission {
  readonly guest: Guest;
  readonly secret: string;
  readonly pageKey: string;
  readonly maxAgeMs: number;
}

/** Returns the secret of the guest whose session page holds this key. */
export function guestSecretOf(pageKey: string): string {
  return `pbg_${digestOf(`guest of ${pageKey}`)}`;
}

/** Called when a guest's role was changed (`guest` is the new record) or the guest was removed (undefined). */
export type GuestListener = (change: {
  readonly session: SessionId;
  readonly id: string;
  readonly guest: Guest | undefined;
}) => void;

/**
 * The guests of all sessions, connected or not. A guest is one admission: the secret in one browser's cookie, however many
 * tabs use it. Only digests of the secrets are stored (docs/decisions/0009, docs/decisions/0022).
 */
export class Guests {
  readonly #rows: GuestRows;
  readonly #listeners = new Set<GuestListener>();

  constructor(rows: GuestRows) {
    this.#rows = rows;
  }

  /** Lets a browser in. Its secret and page key are not stored. */
  admit({
    session,
    name,
    role,
    device,
    invite,
  }: Pick<Guest, "session" | "name" | "role" | "device" | "invite">): GuestAdmission {
    const now = Date.now();
    const maxAgeMs = GUEST_DAYS * DAY_MS;
    const since = new Date(now).toISOString();
    const pageKey = newSecret("pbk");
    const secret = guestSecretOf(pageKey);
    const guest: Guest = {
      id: randomBytes(6).toString("hex"),
      ...{ session, name, role, device, invite },
      since,
      lastSeenAt: since,
      expiresAt: new Date(now + maxAgeMs).toISOString(),
    };
    this.#rows.removeExpired(since);
    this.#rows.add(digestOf(secret), guest);
    return { guest, secret, pageKey, maxAgeMs };
  }

  /** Returns the guests of a session whose admission has not expired, oldest first. */
  list(session: SessionId): Guest[] {
    return this.#rows.list(session, new Date().toISOString());
  }

  /** Returns the guest of a secret; undefined if it is unknown or has expired. */
  find(secret: string): Guest | undefined {
    return unexpired(this.#rows.getByDigest(digestOf(secret)));
  }

  /** Returns a guest as stored now; undefined if the guest was removed or has expired. */
  get(session: SessionId, id: string): Guest | undefined {
    return unexpired(this.#rows.get(session, id));
  }

  /**
   * Changes a guest's role, in every tab and for later visits.
   *
   * @throws RemoteError `unknown_guest`
   */
  changeRole(session: SessionId, id: string, role: Role): Guest {
    const guest = { ...this.#require(session, id), role };
    this.#rows.changeRole(session, id, role);
    this.#notify({ session, id, guest });
    return guest;
  }

  /**
   * Removes a guest: the secret is void, and what is open with it ends.
   *
   * @throws RemoteError `unknown_guest`
   */
  remove(session: SessionId, id: string): Guest {
    const guest = this.#require(session, id);
    this.#rows.remove(session, id);
    this.#notify({ session, id, guest: undefined });
    return guest;
  }

  /** Records that a guest is connected, or was until now. */
  seen(session: SessionId, id: string, device: string): void {
    this.#rows.seen(session, id, { at: new Date().toISOString(), device });
  }

  /** Calls `listener` after every change of a role and every removal. Returns an unsubscribe function. */
  onChange(listener: GuestListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #require(session: SessionId, id: string): Guest {
    const guest = this.get(session, id);
    if (guest !== undefined) return guest;
    throw new RemoteError("unknown_guest", "The session has no guest of this id: it was removed, or has expired.");
  }

  #notify(change: Parameters<GuestListener>[0]): void {
    for (const listener of [...this.#listeners]) listener(change);
  }
}

function unexpired(guest: Guest | undefined): Guest | undefined {
  return guest !== undefined && Date.parse(guest.expiresAt) > Date.now() ? guest : undefined;
}
