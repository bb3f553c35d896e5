import { RemoteError } from "../../core/protocol/errors.ts";

/** Bytes that may wait for a program that does not read. */
export const INPUT_LIMIT_BYTES = 16 * 1024 * 1024;
/** Small writes share a block, so that a flood of single bytes needs no more memory than its bytes. */
const BLOCK_BYTES = 64 * 1024;
/** Maximum written in one turn of the event loop, so that other shells get their turn. */
const TURN_BYTES = 256 * 1024;
/** A full terminal is retried after the shortest delay, which doubles up to the longest while nothing is accepted. */
const SHORTEST_DELAY_MS = 1;
const LONGEST_DELAY_MS = 64;

interface Block {
  readonly bytes: Buffer;
  start: number;
  end: number;
}

/**
 * Input that waits for room in a terminal. Writes keep their order, are never interleaved, and never block: what does
 * not fit is retried later.
 */
export class InputQueue implements Disposable {
  readonly #writeNow: (bytes: Buffer) => number;
  #blocks: Block[] = [];
  #queued = 0;
  #delayMs = SHORTEST_DELAY_MS;
  #triedAt = 0;
  #timer: NodeJS.Timeout | undefined;
  #next: NodeJS.Immediate | undefined;

  /** `writeNow` writes to the terminal without blocking and returns the number of bytes accepted; 0 when it is full. */
  constructor(writeNow: (bytes: Buffer) => number) {
    this.#writeNow = writeNow;
  }

  /** Bytes that the terminal has not accepted yet. */
  get queued(): number {
    return this.#queued;
  }

  /** Whether this many more bytes are within the limit. */
  hasRoomFor(bytes: number): boolean {
    return this.#queued + bytes <= INPUT_LIMIT_BYTES;
  }

  /** Queues the bytes; those that fit are in the terminal when this returns. */
  push(bytes: Buffer): void {
    const taken = this.#queued === 0 ? this.#writeNow(bytes) : 0;
    if (taken === bytes.length) return;
    this.#append(bytes.subarray(taken));
    this.#schedule();
  }

  /** Retries after the program has printed something, because it may have read as well. */
  retry(): void {
    if (this.#timer === undefined || performance.now() - this.#triedAt < SHORTEST_DELAY_MS) return;
    this.#cancel();
    this.#write();
  }

  /** Drops the queued input. */
  [Symbol.dispose](): void {
    this.#cancel();
    this.#blocks = [];
    this.#queued = 0;
  }

  #append(bytes: Buffer): void {
    this.#queued += bytes.length;
    const last = this.#blocks.at(-1);
    const copied = last === undefined ? 0 : bytes.copy(last.bytes, last.end);
    if (last !== undefined) last.end += copied;
    if (copied === bytes.length) return;
    const block = Buffer.allocUnsafeSlow(Math.max(BLOCK_BYTES, bytes.length - copied));
    this.#blocks.push({ bytes: block, start: 0, end: bytes.copy(block, 0, copied) });
  }

  #write(): void {
    let budget = TURN_BYTES;
    let took = 0;
    for (let block = this.#blocks[0]; block !== undefined && budget > 0; block = this.#blocks[0]) {
      const piece = block.bytes.subarray(block.start, Math.min(block.end, block.start + budget));
      const taken = this.#writeNow(piece);
      block.start += taken;
      this.#queued -= taken;
      budget -= taken;
      took += taken;
      if (block.start === block.end) this.#blocks.shift();
      if (taken < piece.length) break;
    }
    this.#triedAt = performance.now();
    if (budget === 0) this.#next = setImmediate(() => this.#again());
    else {
      this.#delayMs = took > 0 ? SHORTEST_DELAY_MS : Math.min(this.#delayMs * 2, LONGEST_DELAY_MS);
      this.#schedule();
    }
  }

  #schedule(): void {
    if (this.#queued === 0 || this.#timer !== undefined || this.#next !== undefined) return;
    this.#timer = setTimeout(() => this.#again(), this.#delayMs);
  }

  #again(): void {
    this.#cancel();
    this.#write();
  }

  #cancel(): void {
    clearTimeout(this.#timer);
    clearImmediate(this.#next);
    this.#timer = undefined;
    this.#next = undefined;
  }
}

/** The error for a write that would exceed the limit. */
export function inputFull(shell: number, { wanted, queued }: { wanted: number; queued: number }): RemoteError {
  const limit = `${INPUT_LIMIT_BYTES / 1024 / 1024} MiB`;
  return new RemoteError(
    "input_full",
    `Shell ${shell} does not read its input: ${queued} bytes wait for it, and at most ${limit} may. 0 of these ${wanted} bytes were taken; write them again when the program has read, or close the shell.`,
  );
}
