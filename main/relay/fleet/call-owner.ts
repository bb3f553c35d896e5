import type { EventEmitter } from "node:events";
import type { IncomingMessage } from "node:http";
import { RemoteError } from "../../../core/protocol/errors.ts";
import { formatSeconds } from "../../../core/protocol/format-seconds.ts";
import { digestOf } from "../access/digest.ts";
import { FrameEnd } from "./frame-end.ts";
import type { FleetTransport } from "./serve-requests.ts";
import { FIRST_ALIVE_MS, FleetStream, SILENT_MS } from "./stream.ts";
import { type DecodedFrame, decodeFrame, encodeRequest, isPassed, NO_KEY, newToken, UnsentHead } from "./wire.ts";

/** When a request is sent again that no relay has received, and one of which nothing was heard. */
const AGAIN_MS = { unreceived: 250, unheard: 2_000 };
/** An answer may take this much longer than the timeout, which the other relay observes. */
const GRACE_MS = 1_500;
/**
 * A refusal that proves nothing waits this long for a frame that does: a relay that knows the key says at once that it
 * works on the request, and a member that listens could be faster with its refusal.
 */
const UNPROVED_MS = FIRST_ALIVE_MS + 350;

export interface Credential {
  readonly scheme: "api" | "bearer";
  readonly digest: string;
}

/** A request for a session of another relay. */
export interface ForeignRequest {
  readonly method: string;
  /** Without the base path of this relay. */
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  /** Its body is larger than any that a relay accepts, and left out. */
  readonly isCut: boolean;
  /** Digests of the caller's keys. */
  readonly credentials: readonly Credential[];
  readonly body: Buffer;
  readonly upgrade: boolean;
}

/** What the relay of the session has answered. */
export interface ForeignAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The whole body, or the stream of it. */
  readonly body: Buffer | FleetStream;
}

interface CallOptions {
  /** This relay's member. */
  readonly member: string;
  /** The member that serves the session. */
  readonly owner: string;
  /** Its relay's name, for errors. */
  readonly name: string;
  readonly transport: FleetTransport;
  /** Publishes to the subject of the session, with the token as the place for the answer. Returns false while the broker is away. */
  readonly publish: (piece: Uint8Array, token: string) => boolean;
  /** Milliseconds of the broker's clock; undefined while they are not known. */
  readonly now: () => number | undefined;
  /** Milliseconds that the other relay has to begin with the request. */
  readonly timeoutMs: number;
  /** Emits `close` when the caller is gone; undefined if this relay asks for itself. */
  readonly caller: EventEmitter | undefined;
  /** Holds what to call for each request that is under way when this relay leaves the fleet. */
  readonly leaving: Set<() => void>;
}

/**
 * Passes a request on to the relay that serves its session, and resolves to that relay's answer. The keys in it stay here:
 * their digests prove the request. Nothing is decided here about what the caller may do, and nothing is kept.
 *
 * The request keeps its id when it is sent again, and no relay executes an id twice: so it is sent again as long as no
 * relay says that it has begun. Rejects with `relay_away` if none does in time, or if the one that did falls silent.
 */
export function callOwner(request: ForeignRequest, options: CallOptions): Promise<ForeignAnswer> {
  return new OwnerCall(request, options).answer;
}

class OwnerCall {
  readonly answer: Promise<ForeignAnswer>;
  readonly #request: ForeignRequest;
  readonly #options: CallOptions;
  readonly #id = newToken();
  readonly #startedAt = performance.now();
  readonly #stop: () => void;
  #pieces: readonly Uint8Array[] | undefined;
  #frames: FrameEnd | undefined;
  #up: string | undefined;
  #stream: FleetStream | undefined;
  #timer: NodeJS.Timeout | undefined;
  #again: NodeJS.Timeout | undefined;
  /** Accepts a refusal that proves nothing. */
  #unproved: NodeJS.Timeout | undefined;
  #isAbandoned = false;
  #settle: { resolve(answer: ForeignAnswer): void; reject(error: unknown): void } | undefined;

  constructor(request: ForeignRequest, options: CallOptions) {
    this.#request = request;
    this.#options = options;
    this.#stop = options.transport.receive(this.#id, (data) => this.#receive(data));
    this.answer = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
    this.#waitAtMost(options.timeoutMs + GRACE_MS);
    options.caller?.once("close", this.#abandon);
    options.leaving.add(this.#leave);
    this.#send();
  }

  /** The other relay is told as soon as it has said where. */
  readonly #abandon = (): void => {
    this.#isAbandoned = true;
    if (this.#up === undefined) return;
    this.#frames?.send({ kind: "reset" });
    this.#end(() => this.#settle?.reject(new RemoteError("relay_away", "The caller is gone.")));
  };

  readonly #leave = (): void => this.#lose("this relay has left the fleet");

  /** Sends the request, now or as soon as the broker is there. */
  #send(): void {
    clearTimeout(this.#again);
    const sent = this.#encoded()?.every((piece) => this.#options.publish(piece, this.#id)) === true;
    this.#sendAgain(sent ? AGAIN_MS.unheard : AGAIN_MS.unreceived);
  }

  #sendAgain(afterMs: number): void {
    clearTimeout(this.#again);
    if (performance.now() - this.#startedAt > this.#options.timeoutMs) return;
    this.#again = setTimeout(() => this.#send(), afterMs * (0.5 + Math.random()));
  }

  #encoded(): readonly Uint8Array[] | undefined {
    if (this.#pieces !== undefined) return this.#pieces;
    const now = this.#options.now();
    if (now === undefined) return undefined;
    const { method, path, headers, credentials, body, upgrade, isCut } = this.#request;
    const left = this.#options.timeoutMs - (performance.now() - this.#startedAt);
    const passed = Object.entries(headers).filter(
      ([name, value]) => typeof value === "string" && isPassed(name, { upgrade }),
    );
    const head = {
      id: this.#id,
      from: this.#options.member,
      deadline: Math.round(now + left),
      method,
      path,
      headers: Object.fromEntries(passed),
      credentials: credentials.map(({ scheme }) => scheme),
      isCut,
      upgrade,
    };
    const checked = UnsentHead.safeParse(head);
    if (!checked.success) {
      this.#end(() => this.#settle?.reject(new RemoteError("invalid_request", "The request cannot be passed on.")));
      return undefined;
    }
    this.#pieces = encodeRequest(
      checked.data,
      credentials.map(({ digest }) => digest),
      body,
    );
    return this.#pieces;
  }

  #receive(data: Uint8Array): void {
    // The broker says by an empty message that no relay has received the request.
    if (data.length === 0) {
      if (this.#frames === undefined) this.#sendAgain(AGAIN_MS.unreceived);
      return;
    }
    if (this.#frames === undefined) this.#receiveFirst(data);
    else this.#frames.receive(data);
  }

  #receiveFirst(data: Uint8Array): void {
    const decoded = decodeFrame(data, { id: this.#id, direction: "down" });
    const digest = decoded === undefined ? undefined : this.#proverOf(decoded);
    if (decoded === undefined || digest === undefined) return;
    if (digest !== NO_KEY || this.#request.credentials.length === 0) this.#begin(decoded, digest);
    else this.#unproved ??= setTimeout(() => this.#begin(decoded, digest), UNPROVED_MS);
  }

  #begin(decoded: DecodedFrame, digest: string): void {
    clearTimeout(this.#again);
    clearTimeout(this.#unproved);
    this.#frames = new FrameEnd({
      id: this.#id,
      direction: "up",
      digest,
      send: (bytes) => {
        if (this.#up !== undefined) this.#options.transport.send(this.#options.owner, this.#up, bytes);
      },
    });
    this.#frames.onFrame((frame) => this.#take(frame));
    this.#frames.onLost(() => this.#lose("an answer was lost on the way"));
    this.#frames.take(decoded);
  }

  /**
   * Returns the digest that proves a frame. A relay that does not know the caller's key cannot prove that, so its refusal
   * is accepted without: a member that feigns one keeps the caller from nothing that another member does for it.
   */
  #proverOf({ frame, isBy }: DecodedFrame): string | undefined {
    const { credentials } = this.#request;
    const known = credentials.find(({ digest }) => isBy(digest));
    if (known !== undefined) return known.digest;
    const isRefusal = frame.kind === "answer" && frame.status >= 400;
    return isRefusal && isBy(NO_KEY) ? NO_KEY : undefined;
  }

  #take(decoded: DecodedFrame): void {
    const { frame, body } = decoded;
    if (this.#stream !== undefined) {
      this.#stream.receive(decoded);
      return;
    }
    switch (frame.kind) {
      case "answer":
        this.#end(() => this.#settle?.resolve({ status: frame.status, headers: frame.headers, body }));
        break;
      case "open":
        this.#open(frame);
        break;
      case "alive":
        this.#up = frame.up;
        if (this.#isAbandoned) {
          this.#abandon();
          return;
        }
        this.#frames?.send({ kind: "alive" });
        this.#waitAtMost(SILENT_MS);
        break;
      default:
        this.#lose("the relay gave it up");
    }
  }

  #open({ status, headers, up }: { status: number; headers: Record<string, string>; up: string }): void {
    this.#up = up;
    if (this.#isAbandoned) {
      this.#abandon();
      return;
    }
    clearTimeout(this.#timer);
    // From here on the stream ends with its caller.
    this.#options.caller?.off("close", this.#abandon);
    const stream = new FleetStream((frame, body) => this.#frames?.send(frame, body));
    this.#stream = stream;
    // The end of the stream is told by its close.
    stream.on("error", () => undefined);
    stream.once("close", () => this.#end(() => undefined));
    this.#settle?.resolve({ status, headers, body: stream });
  }

  #lose(why: string): void {
    if (this.#stream !== undefined) {
      this.#stream.destroy();
      return;
    }
    const sentence = `The relay ${this.#options.name} of the session did not answer: ${why}. Whether it has executed the request is not known.`;
    this.#end(() => this.#settle?.reject(new RemoteError("relay_away", sentence)));
  }

  #waitAtMost(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (this.#frames !== undefined) {
        this.#lose("it fell silent");
        return;
      }
      const { timeoutMs, name } = this.#options;
      const error = new RemoteError(
        "relay_away",
        `The relay ${name} of the session did not answer within ${formatSeconds(timeoutMs)}: see \`service fleet\`.`,
      );
      this.#end(() => this.#settle?.reject(error));
    }, ms);
  }

  #end(settle: () => void): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#again);
    clearTimeout(this.#unproved);
    this.#options.caller?.off("close", this.#abandon);
    this.#options.leaving.delete(this.#leave);
    this.#stop();
    settle();
  }
}

/** Returns the digests of the keys in a request's headers. */
export function credentialsOf(headers: IncomingMessage["headers"]): Credential[] {
  const key = headers["x-service-token"];
  const [scheme, token] = headers.authorization?.split(" ", 2) ?? [];
  return [
    ...(typeof key === "string" ? [{ scheme: "api", digest: digestOf(key) } as const] : []),
    ...(scheme?.toLowerCase() === "bearer" && token !== undefined
      ? [{ scheme: "bearer", digest: digestOf(token) } as const]
      : []),
  ];
}
