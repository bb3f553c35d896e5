import { randomBytes } from "node:crypto";
import { userInfo } from "node:os";
import { RemoteError } from "../../../core/protocol/errors.ts";
import type { SessionId } from "../../../core/protocol/ids.ts";
import type { Role } from "../../../core/protocol/records.ts";
import { isReservedName, shownName } from "../../../core/protocol/shown-name.ts";
import type { GuestRow, GuestRows } from "../store/guest-rows.ts";
import { digestOf, newSecret } from "./digest.ts";

/** Lifetime of a guest's secret, and so of the cookie that holds it. */
const GUEST_DAYS = 30;
const DAY_MS = 24 * 60 * 60_000;

const NAME = { longest: 100, otherwise: "guest" } as const;
const DEVICE = { longest: 100, otherwise: "browser" } as const;

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

  /**
   * Returns a name as it is shown, for a guest of a session.
   *
   * @throws RemoteError `invalid_params` for a name that stands for the session's owner, the machine or Patchbay
   */
  checkName(given: string, owner: string): string {
    const name = shownName(given, NAME);
    if (!isReservedName(name, [owner, userInfo().username])) return name;
    throw new RemoteError("invalid_params", `body.name: ${JSON.stringify(name)} is reserved: choose another name.`);
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
      ...{ session, name, role, invite },
      device: guestDevice(device),
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

/** Returns the label of a guest's device as it is shown: none that a client of the owner has. */
export function guestDevice(given: string): string {
  const device = shownName(given, DEVICE);
  return isReservedName(device) ? DEVICE.otherwise : device;
}

function unexpired(guest: Guest | undefined): Guest | undefined {
  if (guest === undefined || Date.parse(guest.expiresAt) <= Date.now()) return undefined;
  // Also of a guest whom an earlier version let in under any name.
  const name = shownName(guest.name, NAME);
  return { ...guest, name: isReservedName(name, [userInfo().username]) ? NAME.otherwise : name };
}
