import { RemoteError } from "../../../core/protocol/errors.ts";
import type { PendingLogin } from "../../../core/protocol/pending-login.ts";
import { WindowLimit } from "../../../core/protocol/rate-limits.ts";
import type { LoginRow, LoginRows } from "../store/login-rows.ts";
import { digestOf, newSecret } from "./digest.ts";
import { formatUserCode, newUserCode, normaliseUserCode } from "./user-code.ts";

/** The state of a login, as its program polls it (RFC 8628 §3.5). */
export type LoginState = "pending" | "slow_down" | "denied" | "expired" | "unknown" | "allowed";

/** Lifetime of a login without an answer, in seconds. */
export const LOGIN_SECONDS = 600;
/** Seconds between two polls of a program. Each poll that comes too early adds 5 (RFC 8628 §3.5). */
export const POLL_SECONDS = 2;
const SLOW_DOWN_SECONDS = 5;
/** Timers and networks are inexact: a poll may be this much early. */
const TOLERANCE_MS = 300;

/** A larger number would serve only to make the user click. */
const MOST_PENDING = 5;
/** For each requester. */
const MOST_A_MINUTE = 10;
const MINUTE_MS = 60_000;
/** How long an expired login is kept, so that a late program learns that its code has expired. */
const KEEP_EXPIRED_MS = 600_000;
/** While a login is pending: how often the store is read for answers of another process (`service approve`). */
const READ_EVERY_MS = 250;

/** The program that begins a login. */
interface LoginRequest {
  readonly client: string;
  /** What it says of itself. */
  readonly name: string;
  readonly address: string;
  /** Who shares the limits with it: a user of this machine where that is known, else a network. Default: the address. */
  readonly requester?: string;
}

/** The requester of programs of the user that the relay runs as. They are always let in. */
export const OWN_REQUESTER = `user ${process.getuid?.() ?? ""}`;

/** Logins by the device grant of RFC 8628: a program asks, and the user of this machine allows or denies. */
export class Logins implements Disposable {
  readonly #rows: LoginRows;
  readonly #listeners = new Set<() => void>();
  readonly #begunLastMinute = new WindowLimit({ most: MOST_A_MINUTE, windowMs: MINUTE_MS }, () => performance.now());
  readonly #polls = new Map<string, { at: number; seconds: number }>();
  /** By digest. After a restart the address has to do. */
  readonly #requesters = new Map<string, string>();
  #publishedCodes = "";
  #timer: NodeJS.Timeout | undefined;

  constructor(rows: LoginRows) {
    this.#rows = rows;
    this.#refresh();
  }

  /** Returns the pending logins, oldest first. */
  pending(): readonly PendingLogin[] {
    return this.#rows.listPending(new Date().toISOString()).map(pendingOf);
  }

  /**
   * Allows the login of a code. Returns whether it was pending.
   *
   * @param by id of the key that allows it, whose limits the new key gets; none where the relay's owner does
   */
  allow(code: string, by: string | null = null): boolean {
    return this.#answer(code, "allowed", by);
  }

  /** Denies the login of a code. Returns whether it was pending. */
  deny(code: string): boolean {
    return this.#answer(code, "denied");
  }

  /** Subscribes to logins that begin, are answered or expire. Returns an unsubscribe function. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Begins a login. When as many wait as may, the oldest one of the requester with the most gives way, unless this one
   * would have no fewer then. Throws `too_many_logins`.
   */
  begin({ requester, ...program }: LoginRequest): { login: PendingLogin; deviceCode: string } {
    const now = Date.now();
    const by = requester ?? program.address;
    this.#makeRoom(by, now);
    this.#rows.removeExpired(new Date(now - KEEP_EXPIRED_MS).toISOString());
    const deviceCode = newSecret("pbd");
    const row = {
      ...program,
      code: newUserCode(),
      digest: digestOf(deviceCode),
      since: new Date(now).toISOString(),
      expiresAt: new Date(now + LOGIN_SECONDS * 1000).toISOString(),
    };
    this.#rows.add(row);
    this.#requesters.set(row.digest, by);
    this.#refresh();
    return { login: pendingOf(row), deviceCode };
  }

  /**
   * Returns the state of a login for its program. `allowed` is returned once; after that the code is `unknown`. `name`
   * is the name that the program gave for itself, `madeBy` the key that allowed the login.
   */
  poll(deviceCode: string, client: string): { state: LoginState; name: string; madeBy?: string } {
    const digest = digestOf(deviceCode);
    const row = this.#rows.getByDigest(digest);
    if (row === undefined || row.client !== client) return { state: "unknown", name: "" };
    const { name, madeBy } = row;
    return { state: this.#stateOf(row), name, ...(madeBy === null ? {} : { madeBy }) };
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #stateOf({ digest, expiresAt, verdict }: LoginRow): LoginState {
    const now = Date.now();
    if (Date.parse(expiresAt) <= now) {
      this.#polls.delete(digest);
      return "expired";
    }
    if (this.#isTooEarly(digest, now)) return "slow_down";
    if (verdict === null) return "pending";
    if (verdict === "denied") return "denied";
    this.#polls.delete(digest);
    return this.#rows.removeAllowed(digest) ? "allowed" : "unknown";
  }

  #isTooEarly(digest: string, now: number): boolean {
    const last = this.#polls.get(digest);
    const early = last !== undefined && now - last.at < last.seconds * 1000 - TOLERANCE_MS;
    const seconds = (last?.seconds ?? POLL_SECONDS) + (early ? SLOW_DOWN_SECONDS : 0);
    this.#polls.set(digest, { at: now, seconds });
    return early;
  }

  #answer(code: string, verdict: "allowed" | "denied", madeBy: string | null = null): boolean {
    const answered = this.#rows.answer(normaliseUserCode(code), verdict, new Date().toISOString(), madeBy);
    this.#refresh();
    return answered;
  }

  #makeRoom(requester: string, now: number): void {
    if (this.#begunLastMinute.wait(requester) > 0) {
      throw new RemoteError("too_many_logins", "Too many logins were begun in the last minute: try again in a minute.");
    }
    const rows = this.#rows.listPending(new Date(now).toISOString());
    const waiting = new Set(rows.map(({ digest }) => digest));
    for (const digest of this.#requesters.keys()) if (!waiting.has(digest)) this.#requesters.delete(digest);
    if (rows.length >= MOST_PENDING) {
      const one = this.#dispensable(requester, rows);
      if (one === undefined) {
        throw new RemoteError(
          "too_many_logins",
          `${MOST_PENDING} logins wait for their answer: answer one of them first.`,
        );
      }
      this.#rows.expire(one.digest, new Date(now).toISOString());
    }
    this.#begunLastMinute.take(requester);
  }

  /** Returns the pending login that gives way to one of this requester. */
  #dispensable(requester: string, rows: readonly LoginRow[]): LoginRow | undefined {
    const held = new Map<string, LoginRow[]>();
    for (const row of rows) {
      const holder = this.#requesters.get(row.digest) ?? row.address;
      held.set(holder, [...(held.get(holder) ?? []), row]);
    }
    const own = held.get(requester)?.length ?? 0;
    held.delete(requester);
    // The user's own programs need not be fewer than others', and give way to none that has as many.
    const [most = []] = [...held.values()].toSorted((one, other) => other.length - one.length);
    const fits = requester === OWN_REQUESTER ? own === 0 || own < most.length : own + 1 < most.length;
    return fits ? most[0] : undefined;
  }

  /** Reads the store and notifies the listeners of changes; repeats while a login is pending. */
  #refresh(): void {
    const pending = this.pending();
    if (pending.length === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
      this.#polls.clear();
    } else if (this.#timer === undefined) {
      this.#timer = setInterval(() => this.#refresh(), READ_EVERY_MS);
      this.#timer.unref();
    }
    const codes = pending.map(({ code }) => code).join();
    if (codes === this.#publishedCodes) return;
    this.#publishedCodes = codes;
    for (const listener of [...this.#listeners]) listener();
  }
}

function pendingOf({ code, name, address, since, expiresAt }: Omit<LoginRow, "verdict" | "madeBy">): PendingLogin {
  return { code: formatUserCode(code), name, address, since, expiresAt };
}
