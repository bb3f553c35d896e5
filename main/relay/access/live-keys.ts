import { RemoteError } from "../../../core/protocol/errors.ts";
import { Lifetime } from "../../../core/protocol/lifetime.ts";
import type { KeyRow, KeyRows } from "../store/key-rows.ts";

/** Why a credential no longer gives the rights with which it was accepted. */
const endings = {
  revoked: "it was revoked.",
  expired: "it has expired.",
  changed: "its rights were changed. It may be used again with those that it has now.",
  "shell ended": "its shell has ended.",
} as const;

export type Ending = keyof typeof endings;

/** Returns the error for what is open with a credential that has ended. */
export function credentialEnded(ending: Ending): RemoteError {
  return new RemoteError("unauthenticated", `The credential is no longer valid: ${endings[ending]}`);
}

/** Accuracy of `last used`, so that a busy key does not write to disk at every call. */
const LAST_USED_ACCURACY_MS = 60_000;

/** A key that another process revoked is refused after this time at the latest. */
const CHECK_EVERY_MS = 100;

/**
 * How often the keys are checked that something long-lived was opened with. Expiry is compared with the clock each time,
 * because a timer counts at most 2^31 ms and does not follow a clock that is set.
 */
const WATCH_EVERY_MS = 250;

interface LiveKey<Caller> {
  readonly key: KeyRow;
  readonly caller: Caller;
  readonly lifetime: Lifetime;
  lastUsedMs: number;
}

interface LiveKeysOptions<Caller> {
  /** Returns the caller of a key that is used for the first time. */
  readonly add: (key: KeyRow, lifetime: Lifetime) => Caller;
  /** Called when a key ends, with the number of things that were open with it. */
  readonly ended: (caller: Caller, ending: Ending, open: number) => void;
}

/**
 * The keys that were used, with their lifetimes. Keeps them equal to the store, to which other processes of the same user
 * write too. A timer runs only while something is open with a key.
 */
export class LiveKeys<Caller> implements Disposable {
  readonly #rows: KeyRows;
  readonly #options: LiveKeysOptions<Caller>;
  readonly #live = new Map<string, LiveKey<Caller>>();
  #checkedAt = Number.NEGATIVE_INFINITY;
  #dataVersion: number | undefined;
  #watch: NodeJS.Timeout | undefined;

  constructor(rows: KeyRows, options: LiveKeysOptions<Caller>) {
    this.#rows = rows;
    this.#options = options;
  }

  /** Returns the caller of a key; undefined if there is none with the digest, or it has expired. */
  find(digest: string): Caller | undefined {
    const now = Date.now();
    this.check();
    const live = this.#live.get(digest);
    const isRecent = live !== undefined && now - live.lastUsedMs <= LAST_USED_ACCURACY_MS;
    const key = isRecent ? live.key : this.#rows.getByDigest(digest);
    if (key === undefined || isExpired(key, now)) {
      this.end(digest, key === undefined ? "revoked" : "expired");
      return undefined;
    }
    const used = live ?? this.#add(key);
    if (!isRecent) {
      used.lastUsedMs = now;
      this.#rows.setLastUsed(key.id, new Date(now).toISOString());
    }
    return used.caller;
  }

  /**
   * Compares the used keys with the store when another process has written to it, as `keys revoke` does. Uses the
   * monotonic clock: a wall clock that is set back would keep revoked keys valid.
   */
  check(): void {
    const now = performance.now();
    if (now - this.#checkedAt < CHECK_EVERY_MS) return;
    this.#checkedAt = now;
    const version = this.#rows.dataVersion();
    if (version === this.#dataVersion) return;
    for (const [digest, { key }] of this.#live) {
      const stored = this.#rows.getByDigest(digest);
      if (stored === undefined) this.end(digest, "revoked");
      else if (!hasSameRights(key, stored)) this.end(digest, "changed");
    }
    this.#dataVersion = version;
  }

  /** Ends a key that was used, and what is open with it. */
  end(digest: string, ending: Ending): void {
    const live = this.#live.get(digest);
    if (live === undefined) return;
    this.#live.delete(digest);
    this.#options.ended(live.caller, ending, live.lifetime.end(credentialEnded(ending)));
  }

  [Symbol.dispose](): void {
    clearInterval(this.#watch);
  }

  #add(key: KeyRow): LiveKey<Caller> {
    const lifetime = new Lifetime(() => this.#startWatch());
    const live: LiveKey<Caller> = { key, lifetime, caller: this.#options.add(key, lifetime), lastUsedMs: 0 };
    this.#live.set(key.digest, live);
    return live;
  }

  #startWatch(): void {
    this.#watch ??= setInterval(() => this.#checkHeld(), WATCH_EVERY_MS).unref();
  }

  #checkHeld(): void {
    try {
      this.check();
    } catch {
      // A store that cannot be read now is read again the next time.
    }
    const now = Date.now();
    const held = [...this.#live.values()].filter(({ lifetime }) => lifetime.holders > 0);
    for (const { key } of held) if (isExpired(key, now)) this.end(key.digest, "expired");
    if (held.length > 0) return;
    clearInterval(this.#watch);
    this.#watch = undefined;
  }
}

function isExpired({ expiresAt }: KeyRow, now: number): boolean {
  return expiresAt !== null && Date.parse(expiresAt) <= now;
}

/** Returns whether a stored key still gives the rights that it gave when it was read. */
function hasSameRights(one: KeyRow, other: KeyRow): boolean {
  const rightsOf = ({ owner, scheme, scopes, restrictions, expiresAt }: KeyRow) =>
    JSON.stringify([owner, scheme, scopes, restrictions, expiresAt]);
  return rightsOf(one) === rightsOf(other);
}
