import { RemoteError } from "../../../core/protocol/errors.ts";
import type { SessionId } from "../../../core/protocol/ids.ts";
import { digestOf, newSecret } from "./digest.ts";

/** How long an owner's link can be used. */
const LIFETIME_MS = 10 * 60_000;
/** Links that can be used at a time; beyond that the oldest ends. */
const MAX_LINKS = 8;

/** A link whose secret lets its owner into a session. */
interface OwnerLink {
  readonly secret: string;
  readonly expiresAt: string;
}

/**
 * The links by which the owner enters a session in a browser. Each is good once, for ten minutes, and dies with the relay:
 * no secret of theirs is stored (docs/decisions/0046).
 */
export class OwnerLinks {
  /** By the digests of the secrets. The time is that of a clock which is not set. */
  readonly #open = new Map<string, { readonly session: SessionId; readonly until: number }>();

  create(session: SessionId): OwnerLink {
    const secret = newSecret("pbo");
    this.#open.set(digestOf(secret), { session, until: performance.now() + LIFETIME_MS });
    const [oldest] = this.#open.keys();
    if (this.#open.size > MAX_LINKS && oldest !== undefined) this.#open.delete(oldest);
    return { secret, expiresAt: new Date(Date.now() + LIFETIME_MS).toISOString() };
  }

  /**
   * Uses a link.
   *
   * @throws RemoteError `invite_spent` alike for a link that was used, has expired, is to another session or is unknown, so
   * that guessing reveals nothing
   */
  use(session: SessionId, secret: string): void {
    const digest = digestOf(secret);
    const link = this.#open.get(digest);
    this.#open.delete(digest);
    if (link !== undefined && link.session === session && performance.now() < link.until) return;
    throw new RemoteError(
      "invite_spent",
      "This link of the owner was used already, or has expired: start `patchbay serve` again for a new one, or open the page with an API key.",
    );
  }
}
