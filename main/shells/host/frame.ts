/** Longer frames are rejected as invalid: the longest valid frame is a whole log read at once. */
export const MAX_FRAME_BYTES = 64 * 1024 * 1024;
const LENGTHS_BYTES = 8;
/** Longer frames are worked on in pieces, so that the rest of the process goes on. */
export const LONG_BYTES = 256 * 1024;
/** Shorter tails are copied into one buffer, which is cheaper than a gathered write of two. */
const JOINED_BYTES = 16 * 1024;

/** A message of the shell host's protocol: a JSON head and the bytes that belong to it. */
export interface Frame {
  readonly head: unknown;
  readonly tail: Buffer;
}

/** The received bytes are not a frame; the connection must be closed. */
export class FrameError extends Error {
  override readonly name = "FrameError";
}

/**
 * Encodes a message: length of the head, length of the tail (32 bits each, big-endian), head, tail. A long tail is not
 * copied, so it must not change before it is sent.
 */
export function encodeFrame(head: object, tail?: Uint8Array): Buffer[] {
  const text = JSON.stringify(head);
  const headBytes = Buffer.byteLength(text);
  const tailBytes = tail?.length ?? 0;
  if (headBytes + tailBytes > MAX_FRAME_BYTES) throw new FrameError(`a frame of ${headBytes + tailBytes} bytes`);
  const joined = tailBytes <= JOINED_BYTES;
  const frame = Buffer.allocUnsafe(LENGTHS_BYTES + headBytes + (joined ? tailBytes : 0));
  frame.writeUInt32BE(headBytes, 0);
  frame.writeUInt32BE(tailBytes, 4);
  frame.write(text, LENGTHS_BYTES);
  if (tail === undefined || tailBytes === 0) return [frame];
  if (!joined) return [frame, Buffer.from(tail.buffer, tail.byteOffset, tailBytes)];
  frame.set(tail, LENGTHS_BYTES + headBytes);
  return [frame];
}

/** Assembles frames from a stream that may be split anywhere. */
export class FrameReader {
  #pieces: Buffer[] = [];
  #waiting = 0;
  #wanted = LENGTHS_BYTES;
  /** A long frame that is not complete: its bytes are copied as they come, as 4 MiB at once take milliseconds. */
  #long: Buffer | undefined;

  /** Yields the frames completed by this piece. Throws a FrameError for bytes that are not a frame. */
  *push(piece: Buffer): Generator<Frame> {
    this.#add(piece);
    while (this.#waiting >= this.#wanted) {
      const bytes = this.#joined();
      const head = bytes.readUInt32BE(0);
      const tail = bytes.readUInt32BE(4);
      if (head + tail > MAX_FRAME_BYTES) throw new FrameError(`a frame of ${head + tail} bytes`);
      this.#wanted = LENGTHS_BYTES + head + tail;
      if (bytes.length < this.#wanted) {
        if (this.#wanted > LONG_BYTES) this.#begin(bytes);
        return;
      }
      const tailAt = LENGTHS_BYTES + head;
      const frame = {
        head: parsed(bytes.toString("utf8", LENGTHS_BYTES, tailAt)),
        tail: bytes.subarray(tailAt, this.#wanted),
      };
      this.#forget(bytes);
      yield frame;
    }
  }

  #add(piece: Buffer): void {
    const copied = this.#long === undefined ? 0 : piece.copy(this.#long, this.#waiting);
    if (copied < piece.length) this.#pieces.push(piece.subarray(copied));
    this.#waiting += piece.length;
  }

  #begin(bytes: Buffer): void {
    this.#long = Buffer.allocUnsafeSlow(this.#wanted);
    bytes.copy(this.#long);
    this.#pieces = [];
  }

  #joined(): Buffer {
    if (this.#long !== undefined) return this.#long;
    const [first, second] = this.#pieces;
    const bytes = first !== undefined && second === undefined ? first : Buffer.concat(this.#pieces, this.#waiting);
    this.#pieces = [bytes];
    return bytes;
  }

  /** Keeps what follows the frame that these bytes begin with. */
  #forget(bytes: Buffer): void {
    this.#waiting -= this.#wanted;
    if (this.#long === undefined) this.#pieces = this.#waiting === 0 ? [] : [bytes.subarray(this.#wanted)];
    this.#long = undefined;
    this.#wanted = LENGTHS_BYTES;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new FrameError("a head that is not JSON", { cause });
  }
}
