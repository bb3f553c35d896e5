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

/** Rights of a link. */
interface LinkUse {
  /** It may be used from another machine. */
  readonly outside?: boolean;
  /** Id of the key that it was made with, which limits the key of the browser; none where the owner made it. */
  readonly madeBy?: string | undefined;
}

/**
 * The links by which the owner enters a session in a browser. Each is good once, for ten minutes, and dies with the relay:
 * no secret of theirs is stored (docs/decisions/0046).
 */
export class OwnerLinks {
  /** By the digests of the secrets. The time is that of a clock which is not set. */
  readonly #open = new Map<string, LinkUse & { readonly session: SessionId; readonly until: number }>();

  create(session: SessionId, use: LinkUse = {}): OwnerLink {
    const secret = newSecret("pbo");
    this.#open.set(digestOf(secret), { ...use, session, until: performance.now() + LIFETIME_MS });
    const [oldest] = this.#open.keys();
    if (this.#open.size > MAX_LINKS && oldest !== undefined) this.#open.delete(oldest);
    return { secret, expiresAt: new Date(Date.now() + LIFETIME_MS).toISOString() };
  }

  /**
   * Uses a link, and returns what it was made with.
   *
   * @param isRemote whether it is used from another machine
   * @throws RemoteError `invite_spent` alike for a link that was used, has expired, is to another session, is for this machine
   * alone or is unknown, so that guessing reveals nothing
   */
  use(session: SessionId, secret: string, isRemote: boolean): Pick<LinkUse, "madeBy"> {
    const digest = digestOf(secret);
    const link = this.#open.get(digest);
    const isHere = link?.outside === true || !isRemote;
    // One that is tried from elsewhere stays good on this machine.
    if (isHere) this.#open.delete(digest);
    if (link !== undefined && isHere && link.session === session && performance.now() < link.until) return link;
    throw new RemoteError(
      "invite_spent",
      "This link of the owner was used already, has expired or is for the relay's own machine: `service invite owner` makes a new one, for other machines with --outside.",
    );
  }
}
