import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from "node:crypto";
import { promisify } from "node:util";
import { deflateRaw, inflateRaw, inflateRawSync } from "node:zlib";
import { z } from "zod";
import type { LogPiece } from "../output-log.ts";
import { RecordedEvent } from "../shell-recorder.ts";

/*
 * A segment is a file: a header, then frames. Each frame is one AES-256-GCM message under a key that is derived from the
 * master key, the header and the shell, with the frame's number as its nonce. So a frame that was changed, moved, left out
 * or taken from another shell does not authenticate, and a segment that was cut ends before the cut. Without a key of the
 * keychain the master key is a public constant: the same checks, no secrecy (docs/decisions/0048).
 */

const MAGIC = Buffer.from("PBHIST1\n");
/** Length of a segment's header. */
export const HEADER_BYTES = 48;
const HEAD_BYTES = 11;
const TAG_BYTES = 16;
const KEY_BYTES = 32;
const ID_BYTES = 8;
const SALT_BYTES = 16;
/** Longest content of a frame; a longer one is damage. */
const MAX_FRAME_BYTES = 1024 * 1024;

const ENCRYPTED = 1;
const CLOSED = 2;

/** Kinds of frames: output as it was printed, output that is compressed, and events. */
const kinds = { output: 1, packed: 2, event: 3 } as const;

/** Level of compression: higher ones take much longer for little. */
const LEVEL = 4;

const inflate = promisify(inflateRaw);
type Unpack = (content: Buffer, options: { readonly maxOutputLength: number }) => Buffer | Promise<Buffer>;
const deflate = promisify(deflateRaw);

/** The key of all segments of a data folder. */
export interface MasterKey {
  readonly bytes: Buffer;
  readonly isSecret: boolean;
  /** Names the key in headers. */
  readonly id: string;
}

/** Returns the master key of these 32 bytes; without them the public one. */
export function masterKey(secret: Buffer | undefined): MasterKey {
  const bytes = secret ?? createHash("sha256").update("patchbay history without a key").digest();
  if (bytes.length !== KEY_BYTES) throw new Error(`a key of ${bytes.length} bytes`);
  const id = createHash("sha256").update("id of ").update(bytes).digest().toString("hex", 0, ID_BYTES);
  return { bytes, isSecret: secret !== undefined, id };
}

/** The shell that a segment belongs to. */
export interface SegmentOwner {
  readonly session: string;
  readonly shell: number;
}

export interface SegmentHeader {
  /** Offset of its first byte of output. */
  readonly start: number;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly isEncrypted: boolean;
  /** Whether it is compressed and will not grow. */
  readonly isClosed: boolean;
  readonly keyId: string;
}

const Count = z.int().nonnegative();

/** The state of a terminal's parser, as it is stored. */
export const StoredVtState = z.object({
  position: Count,
  phase: z.literal([0, 1, 2, 3, 4, 5, 6, 7]),
  sequenceStart: Count,
  need: Count,
  characterStart: Count,
  characterLead: Count,
});

const OutputMeta = z.object({
  at: z.number().nonnegative(),
  before: StoredVtState.optional(),
  times: z.array(z.tuple([Count, z.number()])),
});

/** Output of a shell, at most one block of its log. */
export interface OutputFrame extends LogPiece {
  readonly kind: "output";
  /** Time of the first byte, in milliseconds since 1970. */
  readonly at: number;
  /** Pairs: bytes since the beginning of the frame, and the milliseconds after `at` at which the next ones came. */
  readonly times: readonly (readonly [number, number])[];
}

interface EventFrame {
  readonly kind: "event";
  readonly offset: number;
  readonly event: RecordedEvent;
}

export type SegmentFrame = OutputFrame | EventFrame;

/** Writes the bytes of one segment, frame by frame. */
export class SegmentEncoder {
  readonly header: Buffer;
  readonly #key: Buffer;
  #frames = 0;

  constructor(
    key: MasterKey,
    owner: SegmentOwner,
    { start, createdAt, isClosed }: Omit<SegmentHeader, "isEncrypted" | "keyId">,
  ) {
    const header = Buffer.alloc(HEADER_BYTES);
    MAGIC.copy(header);
    header[8] = (key.isSecret ? ENCRYPTED : 0) | (isClosed ? CLOSED : 0);
    header.write(key.id, 9, "hex");
    randomBytes(SALT_BYTES).copy(header, 17);
    header.writeUIntBE(start, 33, 6);
    header.writeUIntBE(Math.trunc(createdAt), 39, 6);
    this.header = header;
    this.#key = segmentKey(key, owner, header);
  }

  /** Encodes a frame as it is. */
  frame(frame: SegmentFrame): Buffer[] {
    if (frame.kind === "output") return this.#seal(kinds.output, frame.offset, [metaOf(frame), frame.bytes]);
    return this.#seal(kinds.event, frame.offset, [Buffer.from(JSON.stringify(frame.event))]);
  }

  /** Encodes a frame compressed. */
  async packed(frame: OutputFrame): Promise<Buffer[]> {
    const content = await deflate(Buffer.concat([metaOf(frame), frame.bytes]), { level: LEVEL });
    return this.#seal(kinds.packed, frame.offset, [content]);
  }

  #seal(kind: number, offset: number, parts: readonly Buffer[]): Buffer[] {
    const head = Buffer.alloc(HEAD_BYTES);
    head.writeUInt32BE(parts.reduce((sum, { length }) => sum + length, 0));
    head[4] = kind;
    head.writeUIntBE(offset, 5, 6);
    const cipher = createCipheriv("aes-256-gcm", this.#key, nonceOf(this.#frames++));
    cipher.setAAD(head);
    const sealed = parts.map((part) => cipher.update(part));
    cipher.final();
    return [head, ...sealed, cipher.getAuthTag()];
  }
}

/** Why a segment, or the rest of it, cannot be read. */
export type Unreadable = "no segment" | "another key" | "damaged";

/** The bytes of a file: all of them, or read as they are needed. */
export interface SegmentBytes {
  readonly length: number;
  subarray(from: number, to: number): Buffer;
}

/** A frame of a file that is not read yet. */
interface SealedFrame {
  readonly number: number;
  readonly offset: number;
  readonly head: Buffer;
  /** Where its content is in the file, with the tag at its end. */
  readonly from: number;
  readonly to: number;
}

/** Reads the header of a segment; undefined for another file. */
export function readHeader(file: SegmentBytes): SegmentHeader | undefined {
  const header = file.subarray(0, HEADER_BYTES);
  if (header.length < HEADER_BYTES || !header.subarray(0, MAGIC.length).equals(MAGIC)) return undefined;
  const flags = header[8] ?? 0;
  return {
    start: header.readUIntBE(33, 6),
    createdAt: header.readUIntBE(39, 6),
    isEncrypted: (flags & ENCRYPTED) !== 0,
    isClosed: (flags & CLOSED) !== 0,
    keyId: header.toString("hex", 9, 9 + ID_BYTES),
  };
}

/**
 * Reads the frames of a segment in order. Frames that cannot be read are left out.
 *
 * @param from of what ends before this offset only the sizes of the terminal are read
 * @param only whether a piece of output from an offset up to another is read; events are not, where it is given
 * @returns what was left out; undefined for nothing. A last frame that is not whole is still being written, or was when
 *   its writer was killed; a compressed segment is written whole
 */
export async function* readFrames(
  file: SegmentBytes,
  {
    keys,
    owner,
    from = 0,
    only,
  }: {
    readonly keys: readonly MasterKey[];
    readonly owner: SegmentOwner;
    readonly from?: number | undefined;
    readonly only?: ((from: number, to: number) => boolean) | undefined;
  },
): AsyncGenerator<SegmentFrame, Unreadable | undefined, void> {
  const header = readHeader(file);
  if (header === undefined) return "no segment";
  const master = keys.find(({ id, isSecret }) => id === header.keyId && isSecret === header.isEncrypted);
  if (master === undefined) return "another key";
  const key = segmentKey(master, owner, file.subarray(0, HEADER_BYTES));
  const { frames, isSound, end } = sealedFrames(file);
  let isWhole = isSound && (end === file.length || !header.isClosed);
  // Of a search each piece is asked for alone, and would wait for the pool longer than it takes.
  const unpack: Unpack = only === undefined ? inflate : inflateRawSync;
  for (const [index, sealed] of frames.entries()) {
    const next = frames[index + 1];
    const isEarlier = next !== undefined && next.offset <= from && sealed.offset < from;
    const isEvent = sealed.head[4] === kinds.event;
    if (isEarlier && !isEvent) continue;
    if (only !== undefined && (isEvent || !only(sealed.offset, latestEnd(sealed, next)))) continue;
    const frame = await openFrame(key, sealed, file.subarray(sealed.from, sealed.to), unpack);
    if (frame === undefined) isWhole = false;
    else if (!isEarlier || (frame.kind === "event" && frame.event.kind === "size")) yield frame;
  }
  return isWhole ? undefined : "damaged";
}

/** Returns the offset at which the output of a frame ends at the latest. What the next one says of itself may be damage. */
function latestEnd({ offset, head, from, to }: SealedFrame, next: SealedFrame | undefined): number {
  if (next === undefined || next.offset <= offset) return Number.POSITIVE_INFINITY;
  return head[4] === kinds.output ? Math.max(next.offset, offset + to - from) : next.offset;
}

/** Returns the whole frames, and where they end. `isSound` is false where a frame claims to be longer than any, or the disk does not give it. */
function sealedFrames(file: SegmentBytes): { frames: readonly SealedFrame[]; isSound: boolean; end: number } {
  const frames: SealedFrame[] = [];
  let at = HEADER_BYTES;
  while (at + HEAD_BYTES <= file.length) {
    const head = file.subarray(at, at + HEAD_BYTES);
    const length = head.length < HEAD_BYTES ? Number.POSITIVE_INFINITY : head.readUInt32BE(0);
    if (length > MAX_FRAME_BYTES) return { frames, isSound: false, end: at };
    const end = at + HEAD_BYTES + length + TAG_BYTES;
    if (end > file.length) break;
    frames.push({ number: frames.length, offset: head.readUIntBE(5, 6), head, from: at + HEAD_BYTES, to: end });
    at = end;
  }
  return { frames, isSound: true, end: at };
}

async function openFrame(
  key: Buffer,
  { number, offset, head }: SealedFrame,
  sealed: Buffer,
  unpack: Unpack,
): Promise<SegmentFrame | undefined> {
  try {
    const decipher = createDecipheriv("aes-256-gcm", key, nonceOf(number));
    decipher.setAAD(head);
    decipher.setAuthTag(sealed.subarray(sealed.length - TAG_BYTES));
    const content = decipher.update(sealed.subarray(0, sealed.length - TAG_BYTES));
    decipher.final();
    if (head[4] === kinds.event) {
      return { kind: "event", offset, event: RecordedEvent.parse(JSON.parse(content.toString())) };
    }
    if (head[4] !== kinds.output && head[4] !== kinds.packed) return undefined;
    const whole = head[4] === kinds.packed ? await unpack(content, { maxOutputLength: MAX_FRAME_BYTES }) : content;
    const metaEnd = 2 + whole.readUInt16BE(0);
    const meta = OutputMeta.parse(JSON.parse(whole.toString("utf8", 2, metaEnd)));
    return { kind: "output", offset, ...meta, before: meta.before, bytes: whole.subarray(metaEnd) };
  } catch {
    return undefined;
  }
}

function segmentKey(master: MasterKey, { session, shell }: SegmentOwner, header: Buffer): Buffer {
  const info = Buffer.concat([header, Buffer.from(`${session} ${shell}`)]);
  return Buffer.from(hkdfSync("sha256", master.bytes, header.subarray(17, 17 + SALT_BYTES), info, KEY_BYTES));
}

function nonceOf(frame: number): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUIntBE(frame, 6, 6);
  return nonce;
}

/** The description of an output frame, behind its length. */
function metaOf({ at, before, times }: OutputFrame): Buffer {
  const text = JSON.stringify({ at, before, times });
  const meta = Buffer.alloc(2 + Buffer.byteLength(text));
  meta.writeUInt16BE(meta.length - 2);
  meta.write(text, 2);
  return meta;
}
