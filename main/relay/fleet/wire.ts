import { createHmac, hash, randomFillSync, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { jsonOrUndefined } from "../../../core/protocol/json-value.ts";
import { HTTP_TEXT } from "../net/send.ts";

/**
 * The encoding of everything that relays of a fleet send to each other, and its only place: sealing the contents from the
 * broker would happen in `encode` and `decode`. A message is
 *
 *     version (1 byte)  part (1)  length of the proofs (2)  length of the head (2)  proofs  head  body
 *
 * The head is JSON. A proof is an HMAC over the head, keyed with the digest of the caller's key, which only the relay that
 * the caller called and the relay that keeps the key know. A member that reads a message cannot make another one of it.
 */
const VERSION = 1;
const FIXED_BYTES = 6;
const MAC_BYTES = 32;

/** Largest body of a message. A broker accepts 1 MB, and cuts a reader that is slower than many of those. */
export const PIECE_BYTES = 128 * 1024;
const MAX_HEAD_BYTES = 48 * 1024;
const MAX_PROOFS = 2;
const EMPTY: Buffer = Buffer.alloc(0);

/** A member's public key. */
export const MemberId = z.string().regex(/^U[A-Z2-7]{55}$/);
/** A random name of a request, or of one end of a stream: one token of a subject. */
export const Token = z.string().regex(/^[A-Za-z0-9_-]{22}$/);
const TOKEN_BYTES = 16;
/** Random bytes for many tokens: to draw them for each alone costs several times as much. */
const drawn = Buffer.alloc(256 * TOKEN_BYTES);
let drawnUntil = drawn.length;

/** Returns a new random token. */
export function newToken(): string {
  if (drawnUntil === drawn.length) {
    randomFillSync(drawn);
    drawnUntil = 0;
  }
  const start = drawnUntil;
  drawnUntil += TOKEN_BYTES;
  return drawn.toString("base64url", start, drawnUntil);
}

const Digest = z.string().regex(/^[A-Za-z0-9_-]{43}$/);
const Count = z.int().min(0);
const RequestHeaders = z.record(
  z
    .string()
    .max(100)
    .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/),
  z.string().max(20_000).regex(HTTP_TEXT),
);
/** Of an answer only those are passed on that say what the data is: see pass-on.ts. */
const AnswerHeaders = z.record(z.string().max(100), z.string().max(20_000));

/** A request that a relay passes on to the one that serves the session. */
export const RequestHead = z.strictObject({
  id: Token,
  /** The member that passes it on, and gets the answer. */
  from: MemberId,
  /** Time of the broker in milliseconds after which the request is not begun. */
  deadline: Count,
  method: z.enum(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]),
  path: z
    .string()
    .max(16_384)
    .regex(/^\/[\u0021-\u00ff]*$/),
  headers: RequestHeaders,
  /** Schemes of the caller's credentials, in the order of the proofs. */
  credentials: z.array(z.enum(["api", "bearer"])).max(MAX_PROOFS),
  bodyBytes: Count.max(2 * 1024 * 1024),
  bodyDigest: Digest,
  /** Its body is larger than any that a relay accepts, and left out. */
  isCut: z.boolean(),
  /** It opens a WebSocket. */
  upgrade: z.boolean(),
});
export type RequestHead = z.infer<typeof RequestHead>;
/** Without what is said of the body when it is encoded. */
export const UnsentHead = RequestHead.omit({ bodyBytes: true, bodyDigest: true });
type UnsentHead = z.infer<typeof UnsentHead>;

const PASSED =
  /^(?:accept|accept-encoding|content-type|content-encoding|content-length|idempotency-key|last-event-id|user-agent|traceparent|x-service-(?!token$).*|sec-websocket-.*)$/;

/** Returns whether the relay of the session needs a header of a request. Cookies and addresses are not among them. */
export function isPassed(name: string, { upgrade }: Pick<RequestHead, "upgrade">): boolean {
  return PASSED.test(name) || (upgrade && (name === "connection" || name === "upgrade"));
}

const Status = z.int().min(200).max(599);

/** One step of an answer, or of a stream in either direction; `n` counts the frames of a direction from 0. */
export const Frame = z.discriminatedUnion("kind", [
  /** The whole answer. */
  z.strictObject({ kind: z.literal("answer"), n: Count, status: Status, headers: AnswerHeaders }),
  /** The start of an answer whose rest follows; `up` names the other direction. */
  z.strictObject({
    kind: z.literal("open"),
    n: Count,
    status: z.union([z.literal(101), Status]),
    headers: AnswerHeaders,
    up: Token,
  }),
  /** The sender is there and works on it. */
  z.strictObject({ kind: z.literal("alive"), n: Count, up: Token.optional() }),
  z.strictObject({ kind: z.literal("data"), n: Count }),
  z.strictObject({ kind: z.literal("end"), n: Count }),
  /** The receiver has passed on so many bytes more. */
  z.strictObject({ kind: z.literal("credit"), n: Count, bytes: Count }),
  /** The sender has given the stream up. */
  z.strictObject({ kind: z.literal("reset"), n: Count }),
]);
export type Frame = z.infer<typeof Frame>;
/** Without its number, which the sender's end gives it. */
export type UnnumberedFrame = Frame extends infer F ? (F extends Frame ? Omit<F, "n"> : never) : never;

interface Message {
  readonly part: number;
  readonly proofs: Buffer;
  readonly head: Buffer;
  readonly body: Buffer;
}

/** Returns whose key a proof is made with, without the digest itself: relays look the digest up by this. */
export function keyIdOf(digest: string): string {
  return hash("sha256", `patchbay fleet key\n${digest}`, "base64url");
}

/** For a caller without a valid key: the proof then shows only that a message is whole. */
export const NO_KEY = "";

/**
 * Encodes a request, in pieces where its body is large.
 *
 * @param digests of the caller's keys, in the order of `head.credentials`
 */
export function encodeRequest(given: UnsentHead, digests: readonly string[], body: Buffer): Uint8Array[] {
  const head = Buffer.from(JSON.stringify({ bodyBytes: body.length, bodyDigest: digestOf(body), ...given }));
  const proofs = Buffer.concat(
    digests.map((digest) => Buffer.concat([Buffer.from(keyIdOf(digest), "base64url"), mac(digest, "request", head)])),
  );
  return Array.from({ length: piecesOf(body.length) }, (_, part) =>
    encode({ part, proofs, head, body: body.subarray(part * PIECE_BYTES, (part + 1) * PIECE_BYTES) }),
  );
}

export interface RequestPiece {
  readonly head: RequestHead;
  readonly part: number;
  readonly parts: number;
  readonly body: Buffer;
  readonly proofs: readonly RequestProof[];
  /** The same for every piece of a request. */
  readonly headBytes: Buffer;
}

/** Proof that the sender knows a key's digest. */
interface RequestProof {
  readonly keyId: string;
  /** Returns whether the request was made with this digest. */
  readonly isBy: (digest: string) => boolean;
}

/** Decodes a piece of a request; undefined if it is not valid. */
export function decodeRequest(data: Uint8Array): RequestPiece | undefined {
  const message = decode(data);
  if (message === undefined) return undefined;
  const head = RequestHead.safeParse(jsonOrUndefined(message.head.toString("utf8"))).data;
  const size = 2 * MAC_BYTES;
  if (head === undefined || message.proofs.length !== head.credentials.length * size) return undefined;
  const parts = piecesOf(head.bodyBytes);
  const whole = Math.min(PIECE_BYTES, head.bodyBytes - message.part * PIECE_BYTES);
  if (message.part >= parts || message.body.length !== whole) return undefined;
  const proofs = head.credentials.map((_, index): RequestProof => {
    const proof = message.proofs.subarray(index * size, (index + 1) * size);
    return {
      keyId: proof.subarray(0, MAC_BYTES).toString("base64url"),
      isBy: (digest) => timingSafeEqual(proof.subarray(MAC_BYTES), mac(digest, "request", message.head)),
    };
  });
  return { head, part: message.part, parts, body: message.body, proofs, headBytes: message.head };
}

/** Returns whether a request's body is the one that its head names. */
export function isBodyOf({ bodyDigest, bodyBytes }: RequestHead, body: Buffer): boolean {
  return body.length === bodyBytes && digestOf(body) === bodyDigest;
}

/** Which direction of which request a frame belongs to, and the key that proves it. */
export interface FrameContext {
  readonly id: string;
  readonly direction: "down" | "up";
}

export function encodeFrame(frame: Frame, { id, direction }: FrameContext, digest: string, body = EMPTY): Uint8Array {
  const head = Buffer.from(JSON.stringify(frame));
  return encode({ part: 0, proofs: mac(digest, `${direction} ${id}`, head, body), head, body });
}

export interface DecodedFrame {
  readonly frame: Frame;
  readonly body: Buffer;
  /** Returns whether the frame was made with this digest. */
  readonly isBy: (digest: string) => boolean;
}

/** Decodes a frame; undefined if it is not valid. */
export function decodeFrame(data: Uint8Array, { id, direction }: FrameContext): DecodedFrame | undefined {
  const message = decode(data);
  if (message === undefined || message.part !== 0 || message.proofs.length !== MAC_BYTES) return undefined;
  const frame = Frame.safeParse(jsonOrUndefined(message.head.toString("utf8"))).data;
  if (frame === undefined) return undefined;
  const { head, body, proofs } = message;
  return { frame, body, isBy: (digest) => timingSafeEqual(proofs, mac(digest, `${direction} ${id}`, head, body)) };
}

function encode({ part, proofs, head, body }: Message): Uint8Array {
  if (head.length > MAX_HEAD_BYTES) throw new RangeError("the head of a fleet message is too large");
  const fixed = Buffer.alloc(FIXED_BYTES);
  fixed.writeUInt8(VERSION, 0);
  fixed.writeUInt8(part, 1);
  fixed.writeUInt16BE(proofs.length, 2);
  fixed.writeUInt16BE(head.length, 4);
  return Buffer.concat([fixed, proofs, head, body]);
}

function decode(data: Uint8Array): Message | undefined {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  if (bytes.length < FIXED_BYTES || bytes[0] !== VERSION) return undefined;
  const proofsEnd = FIXED_BYTES + bytes.readUInt16BE(2);
  const headEnd = proofsEnd + bytes.readUInt16BE(4);
  if (headEnd - proofsEnd > MAX_HEAD_BYTES || headEnd > bytes.length || bytes.length - headEnd > PIECE_BYTES) {
    return undefined;
  }
  return {
    part: bytes.readUInt8(1),
    proofs: bytes.subarray(FIXED_BYTES, proofsEnd),
    head: bytes.subarray(proofsEnd, headEnd),
    body: bytes.subarray(headEnd),
  };
}

function mac(digest: string, label: string, head: Uint8Array, body: Uint8Array = EMPTY): Buffer {
  return createHmac("sha256", digest).update(`patchbay ${label} ${head.length}\n`).update(head).update(body).digest();
}

function digestOf(body: Buffer): string {
  return hash("sha256", body, "base64url");
}

function piecesOf(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / PIECE_BYTES));
}
