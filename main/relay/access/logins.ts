import { RemoteError } from "../../../core/protocol/errors.ts";
import type { PendingLogin } from "../../../core/protocol/pending-login.ts";
import { WindowLimit } from "../../../core/protocol/rate-limits.ts";
import type { LoginRow, LoginRows } from "../store/login-rows.ts";
import { digestOf, newSecret } from "./digest.ts";
import { newUserCode, shownUserCode, userCodeFrom } from "./user-code.ts";

/** How the asking program's question stands (RFC 8628 §3.5). */
export type LoginState = "waiting" | "too_often" | "denied" | "expired" | "unknown" | "allowed";

/** Seconds that a login waits for its answer. */
export const LOGIN_SECONDS = 600;
/** Seconds between two questions of the program; each one that comes too soon makes it 5 more (RFC 8628 §3.5). */
export const POLL_SECONDS = 2;
const SLOWER_SECONDS = 5;
/** Timers and networks are not exact: this much too soon is not too soon. */
const TOLERANCE_MS = 300;

/** More logins would only be there to make people click. */
const MOST_WAITING = 5;
const MOST_A_MINUTE = 10;
const MINUTE_MS = 60_000;
/** Long enough for a program that asks late to be told that its code has expired. */
const KEPT_AFTER_MS = 600_000;
/** While a login waits, answers of another process (`service approve`) are noticed after this at the latest. */
const LOOK_EVERY_MS = 250;

/** Logins by the device grant of RFC 8628: programs ask, the user of this machine allows or denies. */
export class Logins implements Disposable {
  readonly #rows: LoginRows;
  readonly #listeners = new Set<() => void>();
  readonly #begun = new WindowLimit({ most: MOST_A_MINUTE, windowMs: MINUTE_MS }, () => performance.now());
  readonly #polls = new Map<string, { at: number; seconds: number }>();
  #told = "";
  #timer: NodeJS.Timeout | undefined;

  constructor(rows: LoginRows) {
    this.#rows = rows;
    this.#look();
  }

  /** Those that wait for an answer, oldest first. */
  waiting(): readonly PendingLogin[] {
    return this.#rows.waiting(new Date().toISOString()).map(pendingOf);
  }

  /** Lets the program of that code in. Whether there was one that waited. */
  allow(code: string): boolean {
    return this.#answer(code, "allowed");
  }

  /** Whether there was one that waited. */
  deny(code: string): boolean {
    return this.#answer(code, "denied");
  }

  /** Calls back when a login begins, is answered or expires. Answers how to stop. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Begins a login. Throws `too_many_logins`. */
  begin(asking: { client: string; name: string; address: string }): { login: PendingLogin; deviceCode: string } {
    const now = Date.now();
    this.#checkRate();
    this.#rows.forget(new Date(now - KEPT_AFTER_MS).toISOString());
    const deviceCode = newSecret("pbd");
    const row: LoginRow = {
      ...asking,
      code: newUserCode(),
      digest: digestOf(deviceCode),
      since: new Date(now).toISOString(),
      expiresAt: new Date(now + LOGIN_SECONDS * 1000).toISOString(),
      verdict: null,
    };
    this.#rows.add(row);
    this.#look();
    return { login: pendingOf(row), deviceCode };
  }

  /**
   * The program asks how its login stands. `allowed` is answered once: from then on the code is unknown. `name` is what
   * the program had said of itself.
   */
  poll(deviceCode: string, client: string): { state: LoginState; name: string } {
    const digest = digestOf(deviceCode);
    const row = this.#rows.byDigest(digest);
    if (row === undefined || row.client !== client) return { state: "unknown", name: "" };
    return { state: this.#stateOf(row), name: row.name };
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
    if (this.#tooOften(digest, now)) return "too_often";
    if (verdict === null) return "waiting";
    if (verdict === "denied") return "denied";
    this.#polls.delete(digest);
    return this.#rows.take(digest) ? "allowed" : "unknown";
  }

  #tooOften(digest: string, now: number): boolean {
    const last = this.#polls.get(digest);
    const early = last !== undefined && now - last.at < last.seconds * 1000 - TOLERANCE_MS;
    const seconds = (last?.seconds ?? POLL_SECONDS) + (early ? SLOWER_SECONDS : 0);
    this.#polls.set(digest, { at: now, seconds });
    return early;
  }

  #answer(code: string, verdict: "allowed" | "denied"): boolean {
    const answered = this.#rows.answer(userCodeFrom(code), verdict, new Date().toISOString());
    this.#look();
    return answered;
  }

  #checkRate(): void {
    if (this.#begun.wait() > 0) {
      throw new RemoteError("too_many_logins", "Too many logins were begun in the last minute: try again in a minute.");
    }
    if (this.waiting().length >= MOST_WAITING) {
      throw new RemoteError(
        "too_many_logins",
        `${MOST_WAITING} logins wait for their answer: answer one of them first.`,
      );
    }
    this.#begun.take();
  }

  /** Tells the listeners of what has changed; looks again by itself for as long as a login waits. */
  #look(): void {
    const waiting = this.waiting();
    if (waiting.length === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
      this.#polls.clear();
    } else if (this.#timer === undefined) {
      this.#timer = setInterval(() => this.#look(), LOOK_EVERY_MS);
      this.#timer.unref();
    }
    const codes = waiting.map(({ code }) => code).join();
    if (codes === this.#told) return;
    this.#told = codes;
    for (const listener of [...this.#listeners]) listener();
  }
}

function pendingOf({ code, name, address, since, expiresAt }: LoginRow): PendingLogin {
  return { code: shownUserCode(code), name, address, since, expiresAt };
}
