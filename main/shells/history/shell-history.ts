import type { OutputLog } from "../output-log.ts";
import type { RecordedEvent, ShellRecorder } from "../shell-recorder.ts";
import type { MasterKey, SegmentFrame, SegmentOwner } from "./segment.ts";
import { SegmentWriter } from "./segment-file.ts";

/** Longest time for which output waits to be written. */
const FLUSH_MS = 200;
/** Times of output are kept this exactly. */
const TIME_MS = 20;
/** What is written at once. */
const WRITE_BYTES = 256 * 1024;
/** A segment that has grown to this is followed by another. */
const SEGMENT_BYTES = 4 * 1024 * 1024;
/** So is one that is this old, so that old output can be removed. */
const SEGMENT_MS = 24 * 3600_000;
/** What an event counts as, in bytes. */
const EVENT_BYTES = 256;

/** Sizes that are remembered of a shell. */
const MOST_SIZES = 1000;

type SizeEvent = Extract<RecordedEvent, { kind: "size" }>;

/** Where the segments of all shells go. */
export interface RecordingPlace {
  readonly folder: string;
  readonly key: MasterKey;
}

interface ShellHistoryOptions {
  readonly owner: SegmentOwner;
  readonly log: OutputLog;
  /** Returns undefined while the shell is not recorded. */
  readonly place: () => RecordingPlace | undefined;
  /** Returns how many bytes may wait. */
  readonly waitingLimit: () => number;
  /** Called when something waits to be written. */
  readonly wake: () => void;
  /** Called when a segment no longer grows. */
  readonly closed: (file: string) => void;
}

/** When the output from an offset on came, in milliseconds since 1970. */
interface Stamp {
  readonly offset: number;
  readonly at: number;
}

/**
 * Records one shell. What waits to be written are views of the blocks of its log, so nothing is copied, and the shell goes
 * on at once however slow the disk is. Beyond the limit the waiting output is dropped: a gap, which is counted.
 */
export class ShellHistory implements ShellRecorder {
  readonly owner: SegmentOwner;
  readonly #options: ShellHistoryOptions;
  #waiting: SegmentFrame[] = [];
  #writing: readonly SegmentFrame[] = [];
  #waitingBytes = 0;
  /** Up to here output was queued; undefined before the first. */
  #cursor: number | undefined;
  /** Up to here output was noted. */
  #noted: number;
  #stamps: Stamp[] = [];
  #timer: NodeJS.Timeout | undefined;
  #segment: SegmentWriter | undefined;
  /** Whether the segment holds output. */
  #hasOutput = false;
  /** Sizes of the terminal that what is in memory was printed in, also before it was recorded. */
  #sizes: readonly SizeEvent[] = [];
  /** The next piece follows on nothing that is kept. */
  #isFirst = true;
  /** Output from this offset on goes into a new segment. */
  #rotateAt: number | undefined;
  #lost = 0;
  #events = 0;
  #ended = false;

  constructor(options: ShellHistoryOptions) {
    this.#options = options;
    this.owner = options.owner;
    this.#noted = options.log.end;
  }

  /** Bytes that wait. */
  get waitingBytes(): number {
    return this.#waitingBytes;
  }

  /** Bytes that were dropped. */
  get lost(): number {
    return this.#lost;
  }

  /** How much was queued: a number that grows with all output and every event. */
  get noted(): number {
    return (this.#cursor ?? 0) + this.#events;
  }

  /** Whether nothing will be written any more. */
  get isDone(): boolean {
    return this.#ended && this.#waiting.length === 0 && this.#segment === undefined;
  }

  /** The file that grows, if any. */
  get openFile(): string | undefined {
    return this.#segment?.file;
  }

  get isRecording(): boolean {
    return this.#options.place() !== undefined;
  }

  noteOutput(): void {
    if (this.#options.place() === undefined) return;
    const { log } = this.#options;
    const at = Date.now();
    const last = this.#stamps.at(-1);
    if (last === undefined || Math.abs(at - last.at) >= TIME_MS) this.#stamps.push({ offset: this.#noted, at });
    this.#noted = log.end;
    this.#timer ??= setTimeout(() => this.take("all"), FLUSH_MS);
    if (log.wholeEnd > (this.#cursor ?? log.start)) this.take("blocks");
  }

  noteEvent(event: RecordedEvent): void {
    if (event.kind === "size") this.#noteSize(event);
    if (this.#options.place() === undefined) return;
    this.take("all");
    const offset = this.#cursor ?? this.#options.log.end;
    if (this.#waitingBytes + EVENT_BYTES <= this.#options.waitingLimit()) {
      this.#events += 1;
      this.#push({ kind: "event", offset, event });
    }
    this.#options.wake();
  }

  end(): void {
    this.take("all");
    this.#ended = true;
    this.#options.wake();
  }

  /** Continues in a new segment from the next output on. */
  rotate(): void {
    this.take("all");
    this.#isFirst = true;
    this.#rotateAt = this.#cursor ?? this.#options.log.end;
    this.#options.wake();
  }

  /** Drops what waits, and continues with what the log still holds when recording is turned on again. */
  pause(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#waiting = [...this.#writing];
    this.#waitingBytes = sizeOf(this.#waiting);
    this.#stamps = [];
    this.#isFirst = true;
    this.#rotateAt = this.#cursor ?? 0;
    this.#options.wake();
  }

  /** Queues the output since the last call: whole blocks of the log only, or all. */
  take(amount: "all" | "blocks"): void {
    const { log, place, wake } = this.#options;
    if (amount === "all") {
      clearTimeout(this.#timer);
      this.#timer = undefined;
    }
    if (this.#ended || place() === undefined) return;
    const end = amount === "all" ? log.end : log.wholeEnd;
    let at = Math.max(this.#cursor ?? 0, log.start);
    if (this.#cursor !== undefined && at > this.#cursor) this.#isFirst = true;
    while (at < end) {
      const piece = log.piece(at, this.#isFirst);
      if (piece === undefined) break;
      const bytes = piece.bytes.subarray(0, end - at);
      at += bytes.length;
      this.#isFirst = false;
      this.#pushOutput({ ...piece, bytes, ...this.#timesOf(piece.offset, at) });
    }
    this.#cursor = at;
    if (this.#waiting.length > 0) wake();
  }

  /** Writes some of what waits. Resolves with whether more waits; rejects when the disk takes nothing. */
  async write(place: RecordingPlace | undefined): Promise<boolean> {
    if (this.#endsSegment(this.#nextFrames()[0])) await this.#closeSegment();
    // What waited may have been dropped meanwhile.
    const frames = this.#nextFrames();
    const [first] = frames;
    if (first === undefined || place === undefined) return false;
    this.#writing = frames;
    try {
      const { folder, key } = place;
      this.#segment ??= await SegmentWriter.create(folder, key, this.owner, first.offset, this.#sizeAt(first));
      await this.#segment.append(frames);
    } catch (error) {
      await this.#closeSegment().catch(() => undefined);
      throw error;
    } finally {
      this.#writing = [];
    }
    this.#hasOutput ||= frames.some(({ kind }) => kind === "output");
    this.#waiting = this.#waiting.slice(frames.length);
    this.#waitingBytes -= sizeOf(frames);
    if (this.#waiting.length === 0 && this.#endsSegment(undefined)) await this.#closeSegment();
    return this.#waiting.length > 0;
  }

  async #closeSegment(): Promise<void> {
    const segment = this.#segment;
    this.#segment = undefined;
    if (this.#rotateAt !== undefined && (this.#waiting[0]?.offset ?? this.#rotateAt) >= this.#rotateAt) {
      this.#rotateAt = undefined;
    }
    if (segment === undefined) return;
    await segment.close();
    // The next segment may take the place of one without output.
    if (this.#hasOutput) this.#options.closed(segment.file);
    this.#hasOutput = false;
  }

  /** A segment begins where it can be read without the one before. */
  #endsSegment(next: SegmentFrame | undefined): boolean {
    if (this.#segment === undefined) return false;
    if (next === undefined) return this.#ended || this.#rotateAt !== undefined;
    if (next.offset >= (this.#rotateAt ?? Number.POSITIVE_INFINITY)) return true;
    const isDue = this.#segment.length >= SEGMENT_BYTES || Date.now() - this.#segment.createdAt > SEGMENT_MS;
    return isDue && next.kind === "output" && next.before !== undefined;
  }

  /** The oldest frames, up to where a segment may end. */
  #nextFrames(): readonly SegmentFrame[] {
    let bytes = 0;
    const isLast = (frame: SegmentFrame, index: number) => {
      const mayEnd = frame.kind === "output" && frame.before !== undefined;
      const isFull = (this.#segment?.length ?? 0) + bytes >= SEGMENT_BYTES;
      const rotates = frame.offset >= (this.#rotateAt ?? Number.POSITIVE_INFINITY);
      if (index > 0 && (bytes >= WRITE_BYTES || (mayEnd && isFull) || rotates)) return true;
      bytes += sizeOf([frame]);
      return false;
    };
    const count = this.#waiting.findIndex(isLast);
    return this.#waiting.slice(0, count < 0 ? this.#waiting.length : count);
  }

  #noteSize(size: SizeEvent): void {
    const earlier = this.#sizes.filter(({ offset }) => offset < size.offset);
    const first = earlier.findLastIndex(({ offset }) => offset <= this.#options.log.start);
    this.#sizes = [...earlier.slice(Math.max(0, first)), size].slice(-MOST_SIZES);
  }

  /** The size with which a segment begins, so that it can be drawn without the one before. */
  #sizeAt({ offset }: SegmentFrame): readonly SegmentFrame[] {
    const size = this.#sizes.findLast((one) => one.offset <= offset) ?? this.#sizes[0];
    return size === undefined ? [] : [{ kind: "event", offset, event: { ...size, offset } }];
  }

  #pushOutput(piece: Omit<Extract<SegmentFrame, { kind: "output" }>, "kind">): void {
    if (this.#waitingBytes + piece.bytes.length > this.#options.waitingLimit()) {
      this.#drop();
      // What continues a dropped piece cannot be read.
      if (piece.before === undefined) {
        this.#lost += piece.bytes.length;
        this.#isFirst = true;
        return;
      }
    }
    this.#push({ kind: "output", ...piece });
  }

  #push(frame: SegmentFrame): void {
    this.#waiting.push(frame);
    this.#waitingBytes += sizeOf([frame]);
  }

  /** Drops what is not being written. */
  #drop(): void {
    const dropped = this.#waiting.slice(this.#writing.length);
    this.#lost += sizeOf(dropped);
    this.#waiting = [...this.#writing];
    this.#waitingBytes = sizeOf(this.#waiting);
  }

  /** The times of a span; those after it are kept. */
  #timesOf(from: number, to: number): { at: number; times: readonly (readonly [number, number])[] } {
    const first = this.#stamps.findLastIndex(({ offset }) => offset <= from);
    const after = this.#stamps.findIndex(({ offset }) => offset >= to);
    const at = this.#stamps[Math.max(first, 0)]?.at ?? Date.now();
    const within = this.#stamps.slice(first + 1, after < 0 ? undefined : after);
    this.#stamps = this.#stamps.slice(Math.max(0, (after < 0 ? this.#stamps.length : after) - 1));
    return { at, times: within.map((stamp) => [stamp.offset - from, stamp.at - at] as const) };
  }
}

function sizeOf(frames: readonly SegmentFrame[]): number {
  return frames.reduce((sum, frame) => sum + (frame.kind === "output" ? frame.bytes.length : EVENT_BYTES), 0);
}
