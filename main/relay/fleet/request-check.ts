import { TokenBucket } from "../../../core/protocol/rate-limits.ts";
import type { Keys } from "../access/keys.ts";
import { isBodyOf, keyIdOf, type RequestHead, type RequestPiece } from "./wire.ts";

/** Latest time before its deadline at which a request may have been made: the longest timeout of a command, and slack. */
const LONGEST_MS = 75_000;
/** Requests whose ids are remembered, so that none is executed twice: those that a key of this relay proves, and others. */
const MOST_IDS = { proved: 200_000, unproved: 20_000 } as const;
const SWEEP_EVERY_MS = 1000;
/** Bytes of requests whose pieces have not all arrived, and of those among them that no key of this relay proves. */
const MOST_UNFINISHED_BYTES = 16 * 1024 * 1024;
const MOST_UNPROVED_BYTES = 4 * 1024 * 1024;
const PIECES_WITHIN_MS = 10_000;
/**
 * Wrong bodies of a request that are hashed before its pieces are given up. A proof is of the head alone, so any member that
 * reads a piece can send a wrong one beside it: the right one, which follows or is sent again, takes its place.
 */
const MOST_WRONG = 4;
/** How often the keys are read again for an id that none of them has. */
const LOOKUPS = { capacity: 100, perSecond: 100 };

/** Why a request is not executed. Its sender gets no answer, because a sender who is right makes no such request. */
type Refusal = "malformed" | "stale" | "repeated" | "busy";

export interface CheckedRequest {
  readonly head: RequestHead;
  readonly body: Buffer;
  /** The digests of the caller's keys in the order of `head.credentials`; undefined for one that was not proved. */
  readonly digests: readonly (string | undefined)[];
}

interface Unfinished {
  readonly headBytes: Buffer;
  readonly bodies: (Buffer | undefined)[];
  readonly bytes: number;
  readonly isProved: boolean;
  readonly until: number;
  /** How often all pieces were there, and the body was another than the head names. */
  wrong: number;
}

/** Ids of requests until their deadlines. */
class ExecutedIds {
  readonly #most: number;
  readonly #untils = new Map<string, number>();
  #sweptAt = Number.NEGATIVE_INFINITY;

  constructor(most: number) {
    this.#most = most;
  }

  has(id: string): boolean {
    return this.#untils.has(id);
  }

  /** Returns false if there are too many to remember another one. */
  add({ id, deadline }: RequestHead, now: number): boolean {
    // Not for each message: it looks at all of them.
    if (this.#untils.size >= this.#most && now >= this.#sweptAt + SWEEP_EVERY_MS) {
      this.#sweptAt = now;
      for (const [executed, until] of this.#untils) if (until < now) this.#untils.delete(executed);
    }
    if (this.#untils.size >= this.#most) return false;
    this.#untils.set(id, deadline);
    return true;
  }
}

/** Checks what arrives over the fleet before the relay executes it: whole, fresh, new, and with whose key it was made. */
export class RequestCheck {
  readonly #keys: Pick<Keys, "digests">;
  readonly #now: () => number | undefined;
  readonly #executed = new ExecutedIds(MOST_IDS.proved);
  /** A member without a key takes no room from those that have one. */
  readonly #unproved = new ExecutedIds(MOST_IDS.unproved);
  readonly #unfinished = new Map<string, Unfinished>();
  readonly #lookups = new TokenBucket(LOOKUPS, () => performance.now());
  /** Sums over all, and over those that are not proved. */
  readonly #unfinishedBytes = { all: 0, unproved: 0 };
  #digests = new Map<string, string>();

  /** `now`: milliseconds of the broker's clock; undefined while they are not known. */
  constructor(keys: Pick<Keys, "digests">, now: () => number | undefined) {
    this.#keys = keys;
    this.#now = now;
  }

  /** Takes a piece. Returns the request once it is whole, why it is refused, or undefined while pieces are missing. */
  take(piece: RequestPiece | undefined): CheckedRequest | Refusal | undefined {
    if (piece === undefined) return "malformed";
    const { head } = piece;
    const now = this.#now();
    if (now === undefined || head.deadline < now || head.deadline > now + LONGEST_MS) return "stale";
    const digests = piece.proofs.map(({ keyId, isBy }) => {
      const digest = this.#digestOf(keyId);
      return digest !== undefined && isBy(digest) ? digest : undefined;
    });
    const isProved = digests.some((digest) => digest !== undefined);
    // A member that listens takes no id from who can prove a request.
    const id = isProved ? head.id : `unproved ${head.id}`;
    if (this.#executed.has(head.id) || (!isProved && this.#unproved.has(head.id))) return "repeated";
    const body = piece.parts === 1 ? bodyOf(head, piece.body) : this.#assemble(piece, { id, isProved, now });
    if (body === undefined || typeof body === "string") return body;
    if (!(isProved ? this.#executed : this.#unproved).add(head, now)) return "busy";
    return { head, body, digests };
  }

  #assemble(
    { head, headBytes, part, parts, body }: RequestPiece,
    { id, isProved, now }: { readonly id: string; readonly isProved: boolean; readonly now: number },
  ): Buffer | Refusal | undefined {
    this.#dropLate(now);
    const name = `${head.from} ${id}`;
    const known = this.#unfinished.get(name);
    if (known === undefined && !this.#hasRoom(head.bodyBytes, isProved)) return "busy";
    const entry = known ?? {
      headBytes,
      bodies: new Array<Buffer | undefined>(parts).fill(undefined),
      bytes: head.bodyBytes,
      isProved,
      until: now + PIECES_WITHIN_MS,
      wrong: 0,
    };
    if (known === undefined) {
      this.#unfinished.set(name, entry);
      this.#count(entry, 1);
    }
    if (!entry.headBytes.equals(headBytes)) return "malformed";
    // What is sent again changes nothing, and the whole is not hashed again for it.
    if (entry.bodies[part]?.equals(body) === true) return undefined;
    entry.bodies[part] = body;
    const bodies = entry.bodies.filter((piece) => piece !== undefined);
    if (bodies.length < parts) return undefined;
    const whole = bodyOf(head, Buffer.concat(bodies));
    if (whole === "malformed") entry.wrong += 1;
    if (whole !== "malformed" || entry.wrong >= MOST_WRONG) this.#drop(name, entry);
    return whole;
  }

  #dropLate(now: number): void {
    for (const [name, entry] of this.#unfinished) if (entry.until < now) this.#drop(name, entry);
  }

  /** Those without a key of this relay leave room for those that have one. */
  #hasRoom(bytes: number, isProved: boolean): boolean {
    const { all, unproved } = this.#unfinishedBytes;
    return all + bytes <= MOST_UNFINISHED_BYTES && (isProved || unproved + bytes <= MOST_UNPROVED_BYTES);
  }

  #drop(name: string, entry: Unfinished): void {
    this.#unfinished.delete(name);
    this.#count(entry, -1);
  }

  #count({ bytes, isProved }: Unfinished, sign: 1 | -1): void {
    this.#unfinishedBytes.all += sign * bytes;
    if (!isProved) this.#unfinishedBytes.unproved += sign * bytes;
  }

  /** Keys that were made since are found at their first use. Whether a key is still valid is checked with each request. */
  #digestOf(keyId: string): string | undefined {
    const known = this.#digests.get(keyId);
    if (known !== undefined || !this.#lookups.take()) return known;
    this.#digests = new Map([...this.#keys.digests()].map((digest) => [keyIdOf(digest), digest]));
    return this.#digests.get(keyId);
  }
}

/** Returns the body, if it is the one that the head names. */
function bodyOf(head: RequestHead, body: Buffer): Buffer | "malformed" {
  return isBodyOf(head, body) ? body : "malformed";
}
