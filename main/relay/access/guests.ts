import { randomBytes } from "node:crypto";
import { userInfo } from "node:os";
import { RemoteError } from "../../../core/protocol/errors.ts";
import type { SessionId } from "../../../core/protocol/ids.ts";
import { Lifetime } from "../../../core/protocol/lifetime.ts";
import type { Role } from "../../../core/protocol/records.ts";
import { lesserRole } from "../../../core/protocol/roles.ts";
import { distinctName, isReservedName, isSameName, shownName } from "../../../core/protocol/shown-name.ts";
import type { GuestRow, GuestRows } from "../store/guest-rows.ts";
import type { InviteRows } from "../store/invite-rows.ts";
import { digestOf, newSecret } from "./digest.ts";
import { expiryWithin, type MakerLimits, OWNER_LIMITS } from "./keys.ts";

/** Lifetime of a guest's secret, and so of the cookie that holds it. */
const GUEST_DAYS = 30;
const DAY_MS = 24 * 60 * 60_000;

/** Close reason of a guest's connections after the guest was removed. */
export const GUEST_REMOVED = "an admin of the session ended this connection";
const GUEST_EXPIRED = `this browser was let in for ${GUEST_DAYS} days, which are over: open a new invite link`;

const NAME = { longest: 100, otherwise: "guest" } as const;
const DEVICE = { longest: 100, otherwise: "browser" } as const;

/**
 * How often the guests are checked that have something open. Expiry is compared with the clock each time, because a timer
 * counts at most 2^31 ms and does not follow a clock that is set.
 */
const WATCH_EVERY_MS = 250;
/** How often the others are checked: what the programs in a guest's shells may do ends with the admission, too. */
const EXPIRY_EVERY_MS = 60_000;

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

/** Called when a guest's role was changed (`guest` is the new record), or the guest was removed or has expired (undefined). */
export type GuestListener = (change: {
  readonly session: SessionId;
  readonly id: string;
  readonly guest: Guest | undefined;
}) => void;

/**
 * The guests of all sessions, connected or not. A guest is one admission: the secret in one browser's cookie, however many
 * tabs use it. Only digests of the secrets are stored (docs/decisions/0009, docs/decisions/0022).
 */
export class Guests implements Disposable {
  readonly #rows: GuestRows;
  readonly #invites: Pick<InviteRows, "remove">;
  readonly #listeners = new Set<GuestListener>();
  /** The guests that were here in this run of the relay, by their ids. */
  readonly #admitted = new Map<string, { readonly guest: Guest; readonly lifetime: Lifetime }>();
  readonly #expiry: NodeJS.Timeout;
  #watch: NodeJS.Timeout | undefined;

  constructor(rows: GuestRows, invites: Pick<InviteRows, "remove">) {
    this.#rows = rows;
    this.#invites = invites;
    this.#expiry = setInterval(() => this.#checkExpired(), EXPIRY_EVERY_MS).unref();
    if (rows.hasMade()) this.#startWatch();
  }

  /**
   * Returns a name as it is shown, for a guest of a session. Without a name, the guest gets one that no guest of the
   * session has.
   *
   * @param present names of the other people who are connected
   * @throws RemoteError `invalid_params` for a name that stands for the session's owner, the machine or Patchbay, or that
   * a person has who is connected
   */
  checkName(
    given: string | undefined,
    { session, owner, present }: { session: SessionId; owner: string; present: readonly string[] },
  ): string {
    const wanted = shownName(given ?? "", { ...NAME, otherwise: "" });
    if (wanted === "") return distinctName(NAME.otherwise, [...present, ...this.list(session).map(({ name }) => name)]);
    if (isReservedName(wanted, [owner, userInfo().username])) {
      throw new RemoteError("invalid_params", `body.name: ${JSON.stringify(wanted)} is reserved: choose another name.`);
    }
    if (!present.some((other) => isSameName(wanted, other))) return wanted;
    const taken = `body.name: ${JSON.stringify(wanted)} is the name of a person who is here: choose another name.`;
    throw new RemoteError("invalid_params", taken);
  }

  /**
   * Lets a browser in. Its secret and page key are not stored.
   *
   * @param limits those of the key that made the invite: the guest is removed when that key ends
   */
  admit(
    { session, name, role, device, invite }: Pick<Guest, "session" | "name" | "role" | "device" | "invite">,
    limits: MakerLimits = OWNER_LIMITS,
  ): GuestAdmission {
    const now = Date.now();
    const expiresAt = expiryWithin(limits, GUEST_DAYS * DAY_MS);
    const since = new Date(now).toISOString();
    const pageKey = newSecret("pbk");
    const secret = guestSecretOf(pageKey);
    const guest: Guest = {
      id: randomBytes(6).toString("hex"),
      ...{ session, name, role, invite },
      device: guestDevice(device),
      since,
      lastSeenAt: since,
      expiresAt,
      madeBy: limits.madeBy,
    };
    this.#removeExpired();
    this.#rows.add(digestOf(secret), guest);
    if (guest.madeBy !== null) this.#startWatch();
    return { guest, secret, pageKey, maxAgeMs: Date.parse(expiresAt) - now };
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
   * Changes a guest's role, in every tab and for later visits. A lower one voids the guest's invite, as `remove` does.
   *
   * @throws RemoteError `unknown_guest`
   */
  changeRole(session: SessionId, id: string, role: Role): Guest {
    const before = this.#require(session, id);
    const guest = { ...before, role };
    if (role !== before.role && lesserRole(role, before.role) === role) this.#voidInvite(guest);
    this.#rows.changeRole(session, id, role);
    this.#notify([{ session, id, guest }]);
    return guest;
  }

  /**
   * Removes a guest: the secret is void, and what is open with it ends. So is the invite, which might let the guest in again;
   * other guests whom it has let in stay.
   *
   * @throws RemoteError `unknown_guest`
   */
  remove(session: SessionId, id: string): Guest {
    const guest = this.#require(session, id);
    this.#remove(guest);
    return guest;
  }

  /**
   * Returns how long a guest is admitted: until the guest is removed or the admission expires, which is noticed within a
   * second while something is open.
   */
  lifetimeOf(guest: Guest): Lifetime {
    const known = this.#admitted.get(guest.id);
    if (known !== undefined) return known.lifetime;
    const lifetime = new Lifetime(() => this.#startWatch());
    this.#admitted.set(guest.id, { guest, lifetime });
    return lifetime;
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

  [Symbol.dispose](): void {
    clearInterval(this.#watch);
    clearInterval(this.#expiry);
    this.#listeners.clear();
  }

  /** A timer runs only while a guest has something open, or can lose the key behind the invite. */
  #startWatch(): void {
    this.#watch ??= setInterval(() => this.#checkHeld(), WATCH_EVERY_MS).unref();
  }

  #checkHeld(): void {
    const canLoseKey = this.#removeOrphans();
    const held = [...this.#admitted.values()].filter(({ lifetime }) => lifetime.holders > 0);
    if (held.some(({ guest }) => unexpired(guest) === undefined)) this.#checkExpired();
    if (held.length > 0 || canLoseKey) return;
    clearInterval(this.#watch);
    this.#watch = undefined;
  }

  /** Removes the guests whose key was revoked, by any process. Returns whether a key stands behind any other guest. */
  #removeOrphans(): boolean {
    try {
      for (const guest of this.#rows.listOrphans()) this.#remove(guest);
      return this.#rows.hasMade();
    } catch {
      // A store that cannot be read now is read again the next time.
      return true;
    }
  }

  #remove(guest: Guest): void {
    const { session, id } = guest;
    this.#voidInvite(guest);
    this.#rows.remove(session, id);
    try {
      this.#notify([{ session, id, guest: undefined }]);
    } finally {
      this.#end(id, new RemoteError("unauthenticated", GUEST_REMOVED));
    }
  }

  #checkExpired(): void {
    try {
      this.#removeExpired();
    } catch {
      // As in `#removeOrphans`.
    }
  }

  #removeExpired(): void {
    const expired = this.#rows.removeExpired(new Date().toISOString());
    for (const { id } of expired) this.#end(id, new RemoteError("unauthenticated", GUEST_EXPIRED));
    this.#notify(expired.map(({ session, id }) => ({ session, id, guest: undefined })));
  }

  #voidInvite({ session, invite }: Guest): void {
    if (invite !== null) this.#invites.remove(session, invite);
  }

  #end(id: string, reason: RemoteError): void {
    const admitted = this.#admitted.get(id);
    this.#admitted.delete(id);
    admitted?.lifetime.end(reason);
  }

  #require(session: SessionId, id: string): Guest {
    const guest = this.get(session, id);
    if (guest !== undefined) return guest;
    throw new RemoteError("unknown_guest", "The session has no guest of this id: it was removed, or has expired.");
  }

  /** Throws the first error of a listener, after all have been told: the rows are changed already. */
  #notify(changes: readonly Parameters<GuestListener>[0][]): void {
    const errors: unknown[] = [];
    for (const change of changes) {
      for (const listener of [...this.#listeners]) {
        try {
          listener(change);
        } catch (error) {
          errors.push(error);
        }
      }
    }
    if (errors.length > 0) throw errors[0];
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
