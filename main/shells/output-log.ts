import type { ShellCallParams, ShellCallResult } from "../../core/protocol/shell-host.ts";
import { VtScanner, type VtSink, type VtState } from "./vt-scanner.ts";

/** Least number of bytes kept of a shell's output (docs/decisions/0007). */
export const KEPT_BYTES = 4 * 1024 * 1024;
const FIRST_BLOCK_BYTES = 4 * 1024;
/** Longest piece of a log. */
export const BLOCK_BYTES = 64 * 1024;
const NEWLINE = 0x0a;
const MAX_CHUNKS = 16 * 1024;
/** A long string (an image) is looked through in pieces of this size for its end. */
const STRING_PIECE_BYTES = 1024;
/** What begins a string that a terminal ignores, by how it ends: an OSC of an unassigned number, and SOS. */
const IGNORED_STRINGS = { osc: "\x1b]99999;", other: "\x1bX" };

/** The range of a read. */
export type ReadOptions = Pick<ShellCallParams<"read">, "since" | "maxBytes" | "chunks" | "lines">;

export type ReadResult = Omit<ShellCallResult<"read">, "output"> & { readonly bytes: Buffer };

/** A piece of output that is kept elsewhere, at most one block of the log that it comes from. */
export interface LogPiece {
  readonly offset: number;
  readonly bytes: Buffer;
  /** The scanner's state before the first byte; undefined for a piece that continues the one before. */
  readonly before: VtState | undefined;
}

interface Block {
  readonly start: number;
  readonly bytes: Buffer;
  used: number;
  /** The scanner's state before the first byte: any cut within the block can be checked from here. */
  readonly before: VtState;
}

/**
 * Owns a shell's output: the last 4 MiB and slightly more, addressed by absolute byte offsets. It scans what it stores,
 * to know where it may be cut. Views stay valid, because blocks are never reused.
 */
export class OutputLog {
  readonly #scanner: VtScanner;
  readonly #keptBytes: number;
  #blocks: Block[] = [];
  #chunkStarts: number[] = [];
  #end = 0;
  #closed = false;
  /** A bell was told of the piece that is appended. */
  #hasRung = false;

  /** @param sink - is told of the first bell of a piece alone: nobody hears two at once, and each byte may be one */
  constructor({ bell, ...sink }: VtSink = {}, keptBytes = KEPT_BYTES) {
    const ring = (offset: number) => {
      if (!this.#hasRung) bell?.(offset);
      this.#hasRung = true;
    };
    this.#scanner = new VtScanner({ ...sink, bell: ring });
    this.#keptBytes = keptBytes;
  }

  /** Restores the log of pieces that follow on each other; those before the first one with a state are left out. */
  static of(pieces: readonly LogPiece[]): OutputLog {
    const log = new OutputLog({}, Number.POSITIVE_INFINITY);
    const blocks: { readonly start: number; readonly before: VtState; readonly parts: Buffer[] }[] = [];
    for (const { before, bytes, offset } of pieces) {
      if (before !== undefined) blocks.push({ start: offset, before, parts: [bytes] });
      else blocks.at(-1)?.parts.push(bytes);
    }
    for (const { parts, ...block } of blocks) {
      const bytes = Buffer.concat(parts);
      log.#blocks.push({ ...block, bytes, used: bytes.length });
      log.#end = block.start + bytes.length;
    }
    const last = log.#blocks.at(-1);
    if (last !== undefined) {
      log.#scanner.restore(last.before);
      log.#scanner.push(last.bytes);
    }
    return log;
  }

  /** Offset of the oldest kept byte. */
  get start(): number {
    return this.#blocks[0]?.start ?? this.#end;
  }

  get end(): number {
    return this.#end;
  }

  /** End of the last full block: up to there views have their maximum size. */
  get wholeEnd(): number {
    const last = this.#blocks.at(-1);
    return last === undefined || last.used === last.bytes.length ? this.#end : last.start;
  }

  /** The end before any unfinished character or escape sequence; after `close` the end itself. */
  get safeEnd(): number {
    return this.#closed ? this.#end : this.#scanner.safeEnd;
  }

  append(bytes: Buffer): void {
    let from = 0;
    this.#hasRung = false;
    while (from < bytes.length) {
      const block = this.#blockWithRoom();
      const part = bytes.subarray(from, from + block.bytes.length - block.used);
      part.copy(block.bytes, block.used);
      block.used += part.length;
      this.#end += part.length;
      from += part.length;
      this.#scanner.push(part);
    }
  }

  /** Ends a chunk: the bytes since `from` were delivered as one piece. */
  markChunk(from: number): void {
    this.#chunkStarts.push(from);
    if (this.#chunkStarts.length > MAX_CHUNKS) this.#chunkStarts = this.#chunkStarts.slice(MAX_CHUNKS / 2);
  }

  /** Marks the end of output, so that nothing is held back any longer. */
  close(): void {
    this.#closed = true;
  }

  /**
   * Reads text that is cut between characters and between escape sequences only. A sequence that is too long to be held
   * together is continued by a reader that has its beginning; no other reader gets its rest.
   */
  read(options: ReadOptions = {}): ReadResult {
    const span = this.span(options);
    return { bytes: this.#copy(span.offset, span.end), ...span };
  }

  /** Returns what `read` would, but copies no bytes. */
  span({ since, maxBytes, chunks, lines }: ReadOptions): Omit<ReadResult, "bytes"> {
    const last = lines === undefined ? this.start : this.#lineBefore(lines);
    const wanted = since ?? (chunks === undefined ? last : this.#chunkBefore(chunks));
    const from = Math.min(Math.max(wanted, this.start), this.#end);
    const continues = since !== undefined && since >= this.start;
    const offset = continues ? this.#boundaryFrom(from) : this.freshStart(from);
    const end = this.#endOfRead(offset, maxBytes);
    return {
      chunks: this.#chunksBetween(offset, end),
      offset,
      end,
      missed: since === undefined ? 0 : Math.max(0, offset - since),
    };
  }

  /** Returns a piece from `offset` without copying, at most up to the end of its block; empty at the end of the log. */
  view(offset: number, maxBytes: number): Buffer {
    const block = this.#blocks[this.#indexOf(offset)];
    if (block === undefined || offset < block.start) return Buffer.alloc(0);
    const from = offset - block.start;
    return block.bytes.subarray(from, Math.min(block.used, from + maxBytes));
  }

  /**
   * Returns the rest of the block that a kept offset is in, without copying; undefined at the end of the log.
   *
   * @param isFirst nothing before it is kept elsewhere, so the piece tells the state of the scanner in any case
   */
  piece(offset: number, isFirst: boolean): LogPiece | undefined {
    const block = this.#blocks[this.#indexOf(offset)];
    if (block === undefined || offset < block.start || offset >= block.start + block.used) return undefined;
    const from = offset - block.start;
    const bytes = block.bytes.subarray(from, block.used);
    if (from === 0) return { offset, bytes, before: block.before };
    return { offset, bytes, before: isFirst ? this.#scannerAt(offset)?.scanner.save() : undefined };
  }

  /** The first position at or after `offset` where a reader may begin who has not read what is before it. */
  freshStart(offset: number): number {
    const boundary = this.#boundaryFrom(Math.max(offset, this.start));
    const scanner = this.#scannerAt(boundary)?.scanner;
    return scanner?.openString === undefined ? boundary : this.#stringEnd(scanner);
  }

  /** What makes a terminal ignore the rest of the string that this kept offset is within, for example of an image. */
  ignoringRest(offset: number): string {
    const open = this.#scannerAt(offset)?.scanner.openString;
    return open === undefined ? "" : IGNORED_STRINGS[open];
  }

  #endOfRead(offset: number, maxBytes: number | undefined): number {
    const limit = Math.max(offset, this.safeEnd);
    if (maxBytes === undefined || offset + maxBytes >= limit) return limit;
    const before = this.#boundaryBefore(offset + maxBytes);
    return before > offset ? before : Math.min(this.#boundaryFrom(offset + Math.max(maxBytes, 1)), limit);
  }

  /** The last boundary at or before a kept offset. */
  #boundaryBefore(offset: number): number {
    return this.#scannerAt(offset)?.scanner.safeEnd ?? offset;
  }

  #boundaryFrom(offset: number): number {
    if (offset >= this.safeEnd) return offset;
    const found = this.#scannerAt(offset);
    if (found === undefined) return offset;
    const { scanner } = found;
    let { index } = found;
    // Byte by byte: whether `offset` is a boundary may depend on the bytes that follow it.
    while (scanner.safeEnd < offset && scanner.position < this.#end) {
      const block = this.#blocks[index];
      if (block === undefined) break;
      const at = scanner.position - block.start;
      if (at < block.used) scanner.push(block.bytes.subarray(at, at + 1));
      else index++;
    }
    // Within the sequence that a shell ended in, which is not cut either.
    return scanner.safeEnd < offset ? this.#end : scanner.safeEnd;
  }

  /** The end of the string that a scanner stands within; while it has none, the end of the log. */
  #stringEnd(scanner: VtScanner): number {
    const { sequenceStart } = scanner.save();
    const goesOn = () => scanner.openString !== undefined && scanner.save().sequenceStart === sequenceStart;
    let before = scanner.save();
    while (goesOn() && scanner.position < this.#end) {
      before = scanner.save();
      scanner.push(this.view(scanner.position, STRING_PIECE_BYTES));
    }
    if (goesOn()) return this.#end;
    // It ended within the last piece.
    scanner.restore(before);
    while (goesOn()) scanner.push(this.view(scanner.position, 1));
    return scanner.safeEnd;
  }

  #scannerAt(offset: number): { scanner: VtScanner; index: number } | undefined {
    const index = this.#indexOf(offset);
    const block = this.#blocks[index];
    if (block === undefined) return undefined;
    const scanner = new VtScanner();
    scanner.restore(block.before);
    scanner.push(block.bytes.subarray(0, Math.min(offset - block.start, block.used)));
    return { scanner, index };
  }

  #copy(from: number, to: number): Buffer {
    const pieces: Buffer[] = [];
    for (let at = from; at < to; ) {
      const piece = this.view(at, to - at);
      pieces.push(piece);
      at += piece.length;
    }
    return Buffer.concat(pieces);
  }

  #blockWithRoom(): Block {
    const last = this.#blocks.at(-1);
    if (last !== undefined && last.used < last.bytes.length) return last;
    const size = last === undefined ? FIRST_BLOCK_BYTES : Math.min(last.bytes.length * 2, BLOCK_BYTES);
    const block = { start: this.#end, bytes: Buffer.allocUnsafeSlow(size), used: 0, before: this.#scanner.save() };
    this.#blocks.push(block);
    this.#dropOldest();
    return block;
  }

  #dropOldest(): void {
    for (let second = this.#blocks[1]; second !== undefined; second = this.#blocks[1]) {
      if (this.#end - second.start < this.#keptBytes) return;
      this.#blocks.shift();
    }
  }

  /** Index of the last block that starts at or before the offset. */
  #indexOf(offset: number): number {
    let low = 0;
    let high = this.#blocks.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#blocks[middle]?.start ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  #chunkBefore(count: number): number {
    if (count <= 0) return this.safeEnd;
    const start = this.#chunkStarts.at(-count) ?? this.start;
    return start <= this.start ? this.start : this.#boundaryBefore(start);
  }

  /** Start of the last `count` lines. */
  #lineBefore(count: number): number {
    let left = count;
    for (const { bytes, start, used } of this.#blocks.toReversed()) {
      for (
        let at = bytes.subarray(0, used).lastIndexOf(NEWLINE);
        at >= 0;
        at = at === 0 ? -1 : bytes.lastIndexOf(NEWLINE, at - 1)
      ) {
        // The newline at the very end ends the last line.
        if (start + at + 1 < this.#end) left -= 1;
        if (left === 0) return this.#boundaryFrom(start + at + 1);
      }
    }
    return this.start;
  }

  #chunksBetween(from: number, to: number): number {
    return this.#chunkStarts.filter((start) => start >= from && start < to).length;
  }
}
