import { closeSync, existsSync, fstatSync, openSync, readSync } from "node:fs";
import { readFile } from "node:fs/promises";
import type { ShellCallParams, ShellCallResult } from "../../../core/protocol/shell-host.ts";
import { Queue } from "../../system/in-turns.ts";
import { BLOCK_BYTES, KEPT_BYTES, type LogPiece, OutputLog } from "../output-log.ts";
import { plainScreen } from "../plain-screen.ts";
import { decodeInTurns } from "../utf8.ts";
import {
  type MasterKey,
  readFrames,
  type SegmentBytes,
  type SegmentFrame,
  type SegmentOwner,
  type Unreadable,
} from "./segment.ts";
import { compressedFile, isCompressed } from "./segment-file.ts";
import { readTimeline, type Timeline, type TimelineRange } from "./timeline.ts";
import { listSegments, type StoredSegment } from "./trim.ts";

type Range = Omit<ShellCallParams<"read">, "shell">;
type ReadResult = ShellCallResult<"read">;

/** Output that is read beyond what is asked for, so that the end is cut as in memory. */
const MORE_BYTES = 64 * 1024;

/** Times of files are kept at least this exactly, also by file systems of memory cards. */
const FILE_TIME_MS = 2000;

interface ReaderOptions {
  /** The folder of the history; undefined while there is none. */
  readonly folder: () => string | undefined;
  readonly keys: () => readonly MasterKey[];
  /** Has what waits of a shell written. */
  readonly flush: (owner: SegmentOwner) => Promise<unknown>;
}

/** A span of a shell's output that has no gap. */
interface Span {
  pieces: LogPiece[];
  /** The size of the terminal at its beginning. */
  size: { readonly cols: number; readonly rows: number };
  end: number;
  /** Whether the shell has ended at its end. */
  isEnd: boolean;
}

/** Offsets of a shell's output. */
interface OutputPlace {
  readonly from: number;
  readonly to: number;
}

/** Output without a gap. */
export interface OutputRun {
  readonly start: number;
  readonly bytes: Buffer;
}

/** Reads recorded output. One read at a time, so that memory does not grow with the number of callers. */
export class HistoryReader {
  readonly #options: ReaderOptions;
  readonly #turns = new Queue();
  /** What was found unreadable in segments that were read, by file. */
  readonly damage = new Map<string, Unreadable>();

  constructor(options: ReaderOptions) {
    this.#options = options;
  }

  /** Reads as `ShellHost.read` does, at most 4 MiB. Undefined where nothing of the range is kept. */
  read(owner: SegmentOwner, range: Range): Promise<ReadResult | undefined> {
    return this.#turns.run(() =>
      range.since === undefined ? this.#readEnd(owner, range) : this.#readFrom(owner, range.since, range),
    );
  }

  /** Reads output that is no longer in memory. Undefined where no output before `keptFrom` is left of the range. */
  readBefore(keptFrom: number, owner: SegmentOwner, range: Range & { since: number }): Promise<ReadResult | undefined> {
    return this.#turns.run(async () => {
      await this.#options.flush(owner);
      const result = await this.#readFrom(owner, range.since, range);
      const isOlder = result !== undefined && result.offset < keptFrom && result.end > range.since;
      return isOlder ? result : undefined;
    });
  }

  /** Returns when a range of output was printed, and in which sizes. */
  timeline(owner: SegmentOwner, range: TimelineRange): Promise<Timeline> {
    return this.#turns.run(async () => {
      await this.#options.flush(owner);
      return readTimeline(this.frames(owner, range.from), range);
    });
  }

  /**
   * Returns what reads the output at some places of a shell, with the rest of the pieces that they are in, and nothing else
   * of the segments. It lists the segments of each shell once, and does not let its thread go on while it reads.
   */
  lookUp(): (owner: SegmentOwner, places: readonly OutputPlace[]) => Promise<OutputRun[]> {
    const known = new Map<string, readonly StoredSegment[]>();
    return async (owner, places) => {
      const name = `${owner.session} ${owner.shell}`;
      const segments = known.get(name) ?? (await this.#segments(owner));
      known.set(name, segments);
      return this.#runs(owner, segments, places);
    };
  }

  async #runs(
    owner: SegmentOwner,
    segments: readonly StoredSegment[],
    places: readonly OutputPlace[],
  ): Promise<OutputRun[]> {
    const only = (from: number, to: number) => places.some((place) => place.from < to && place.to > from);
    const runs: { start: number; end: number; pieces: Buffer[] }[] = [];
    for await (const frame of this.#frames(owner, segments, { only })) {
      if (frame.kind === "event") continue;
      const last = runs.at(-1);
      const end = frame.offset + frame.bytes.length;
      if (last === undefined || frame.offset > last.end) {
        runs.push({ start: frame.offset, end, pieces: [frame.bytes] });
      } else if (end > last.end) {
        // After an error of the disk a span may have been written again.
        last.pieces.push(frame.bytes.subarray(last.end - frame.offset));
        last.end = end;
      }
    }
    return runs.map(({ start, pieces }) => ({ start, bytes: Buffer.concat(pieces) }));
  }

  /**
   * Reads the frames of a shell in order, without output that ends before `from` and what cannot be read. What happened at
   * `from` is among them, also where it is the last of a segment.
   */
  async *frames(owner: SegmentOwner, from = 0): AsyncGenerator<SegmentFrame, void, void> {
    yield* this.#frames(owner, await this.#segments(owner), { from });
  }

  /**
   * Returns the offset of a segment before which no output is of a time or later; undefined where nothing is recorded. What its
   * file says of a segment is the time of its latest output once it is compressed; until then only that of the last write,
   * which is earlier where the clock was set back meanwhile. Version 0.1.0 gave a compressed one the time at which its last
   * 64 KiB began, hours earlier for a shell that prints little, so the segment before the first that may hold some counts too.
   */
  async startOf(owner: SegmentOwner, since: number): Promise<number | undefined> {
    const segments = await this.#segments(owner);
    const first = segments.findIndex(({ file, at }) => !isCompressed(file) || at + FILE_TIME_MS >= since);
    return segments.at(first < 0 ? -1 : Math.max(0, first - 1))?.start;
  }

  async #segments(owner: SegmentOwner): Promise<readonly StoredSegment[]> {
    const folder = this.#options.folder();
    return folder === undefined ? [] : listSegments(folder, owner);
  }

  async *#frames(
    owner: SegmentOwner,
    segments: readonly StoredSegment[],
    { from = 0, only }: { readonly from?: number; readonly only?: (from: number, to: number) => boolean },
  ): AsyncGenerator<SegmentFrame, void, void> {
    for (const [index, { file, start }] of segments.entries()) {
      const end = segments[index + 1]?.start ?? Number.POSITIVE_INFINITY;
      if (end < from || only?.(start, end) === false) continue;
      const parts = only === undefined ? undefined : partsOf(file);
      try {
        const content = parts ?? (await wholeFile(file));
        if (content === undefined) {
          // One that is gone was removed; what the disk does not give is damage.
          if (existsSync(file)) this.damage.set(file, "damaged");
          continue;
        }
        const why = yield* readFrames(content, { keys: this.#options.keys(), owner, from, only });
        if (why !== undefined) this.damage.set(file, why);
        // The rest was not looked at.
        else if (from <= start && only === undefined) this.damage.delete(file);
      } finally {
        parts?.close();
      }
    }
  }

  async #readFrom(owner: SegmentOwner, since: number, range: Range): Promise<ReadResult | undefined> {
    const most = Math.min(range.maxBytes ?? KEPT_BYTES, KEPT_BYTES);
    const span = await this.#span(owner, since, { enough: most + MORE_BYTES });
    return span && answerOf(span, { ...range, since, maxBytes: most });
  }

  async #readEnd(owner: SegmentOwner, range: Range): Promise<ReadResult | undefined> {
    const segments = await this.#segments(owner);
    // The last ones, which hold at least as much as memory would.
    for (const { start } of segments.slice(-2)) {
      const span = await this.#span(owner, start, { isEnd: true });
      if (span !== undefined) return answerOf(span, range);
    }
    return undefined;
  }

  /**
   * Reads the first output at or after an offset, until there is enough, or a gap.
   *
   * @param isEnd the output after the last gap is read instead
   */
  async #span(
    owner: SegmentOwner,
    from: number,
    { enough = Number.POSITIVE_INFINITY, isEnd = false }: { readonly enough?: number; readonly isEnd?: boolean },
  ): Promise<Span | undefined> {
    const span: Span = { pieces: [], size: { cols: 80, rows: 24 }, end: 0, isEnd: false };
    let { size } = span;
    // A piece may continue one that begins a block before.
    for await (const frame of this.frames(owner, Math.max(0, from - BLOCK_BYTES))) {
      if (frame.kind === "event") {
        const { event } = frame;
        if (event.kind === "size") size = event;
        if (event.kind === "size" && event.offset <= from) span.size = event;
        if (event.kind === "exit") span.isEnd = true;
        continue;
      }
      // What is read after a gap was printed in the size that came last.
      if (isEnd && frame.before !== undefined && frame.offset > span.end && span.end > 0) span.size = size;
      if (!addPiece(span, frame, isEnd ? Number.POSITIVE_INFINITY : from)) break;
      if (span.end - from >= enough) break;
    }
    return span.pieces.length === 0 ? undefined : span;
  }
}

/** Reads a segment whole. It may have been compressed or removed meanwhile. */
async function wholeFile(file: string): Promise<SegmentBytes | undefined> {
  return readFile(file)
    .catch(() => readFile(compressedFile(file)))
    .catch(() => undefined);
}

/** Reads parts of a segment when they are asked for. */
function partsOf(file: string): (SegmentBytes & { close(): void }) | undefined {
  const descriptor = opened(file) ?? opened(compressedFile(file));
  if (descriptor === undefined) return undefined;
  return {
    length: fstatSync(descriptor).size,
    subarray(from, to) {
      const bytes = Buffer.alloc(to - from);
      return bytes.subarray(0, readInto(bytes, descriptor, from));
    },
    close: () => closeSync(descriptor),
  };
}

/** Returns how many bytes were read; what the disk does not give is damage. */
function readInto(bytes: Buffer, descriptor: number, from: number): number {
  try {
    return readSync(descriptor, bytes, 0, bytes.length, from);
  } catch {
    return 0;
  }
}

function opened(file: string): number | undefined {
  try {
    return openSync(file, "r");
  } catch {
    return undefined;
  }
}

/** Adds a piece to a span. Returns false where output is missing before the piece. */
function addPiece(span: Span, piece: LogPiece, from: number): boolean {
  const end = piece.offset + piece.bytes.length;
  const isFirst = span.pieces.length === 0;
  if (isFirst || piece.offset > span.end) {
    if (!isFirst && span.end > from) return false;
    // What continues another piece cannot be read without it.
    if (piece.before === undefined) return true;
    span.pieces = [piece];
    span.end = end;
    return true;
  }
  // After an error of the disk a span may have been written again.
  if (end <= span.end) return true;
  const isNext = piece.offset === span.end;
  const rest = { offset: span.end, bytes: piece.bytes.subarray(span.end - piece.offset), before: undefined };
  span.pieces.push(isNext ? piece : rest);
  span.end = end;
  return true;
}

async function answerOf(
  { pieces, size, isEnd }: Span,
  { plain = false, lastCommand: _, ...range }: Range,
): Promise<ReadResult> {
  const log = OutputLog.of(pieces);
  if (isEnd) log.close();
  const { bytes, ...rest } = log.read(range);
  return { output: plain ? await plainScreen(bytes, size) : await decodeInTurns(bytes), ...rest };
}
