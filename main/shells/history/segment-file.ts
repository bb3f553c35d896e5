import { existsSync } from "node:fs";
import { type FileHandle, mkdir, open, readFile, rename, rm, unlink } from "node:fs/promises";
import { join } from "node:path";
import {
  HEADER_BYTES,
  type MasterKey,
  type OutputFrame,
  readFrames,
  readHeader,
  SegmentEncoder,
  type SegmentFrame,
  type SegmentHeader,
  type SegmentOwner,
  type Unreadable,
} from "./segment.ts";

/** Names of segments: the offset of their first byte, so that they sort by it; `.segz` for those that are compressed. */
const NAME = /^(\d{15})\.segz?$/;

/** Times that a joined frame has at most, besides those of its last piece. */
const MAX_TIMES = 1000;

/** Returns the folder of a shell's segments. */
export function shellFolder(folder: string, { session, shell }: SegmentOwner): string {
  return join(folder, session, String(shell));
}

export function segmentName(start: number): string {
  return `${String(start).padStart(15, "0")}.seg`;
}

/** Returns the offset in the name of a segment; undefined for another file. */
export function segmentStart(name: string): number | undefined {
  const digits = NAME.exec(name)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** A segment that grows. After an error its file ends where it did before the write, or it is given up. */
export class SegmentWriter {
  readonly file: string;
  readonly start: number;
  readonly createdAt: number;
  readonly #handle: FileHandle;
  readonly #encoder: SegmentEncoder;
  #length: number;

  private constructor(
    file: string,
    handle: FileHandle,
    encoder: SegmentEncoder,
    { start, createdAt, length }: { start: number; createdAt: number; length: number },
  ) {
    this.file = file;
    this.#handle = handle;
    this.#encoder = encoder;
    this.#length = length;
    this.start = start;
    this.createdAt = createdAt;
  }

  /**
   * Creates a segment, and the folders for it. Replaces one without output that begins there, and takes what happened from it.
   *
   * @param head frames that it begins with
   */
  static async create(
    folder: string,
    key: MasterKey,
    owner: SegmentOwner,
    start: number,
    head: readonly SegmentFrame[] = [],
  ): Promise<SegmentWriter> {
    const place = shellFolder(folder, owner);
    const file = join(place, segmentName(start));
    const createdAt = Date.now();
    const encoder = new SegmentEncoder(key, owner, { start, createdAt, isClosed: false });
    await mkdir(place, { recursive: true, mode: 0o700 });
    const frames = [...head, ...(await eventsOf(file, key, owner))];
    const { next: draft } = leftOversOf(file);
    const handle = await open(draft, "w", 0o600);
    const content = Buffer.concat([encoder.header, ...frames.flatMap((frame) => encoder.frame(frame))]);
    try {
      await handle.writeFile(content);
      await rename(draft, file);
    } catch (error) {
      await handle.close().catch(() => undefined);
      await rm(draft, { force: true });
      throw error;
    }
    return new SegmentWriter(file, handle, encoder, { start, createdAt, length: content.length });
  }

  /** Bytes of the file. */
  get length(): number {
    return this.#length;
  }

  /** Appends frames, all or none. After a rejection the segment must be closed: its frames are numbered. */
  async append(frames: readonly SegmentFrame[]): Promise<void> {
    const parts = frames.flatMap((frame) => this.#encoder.frame(frame));
    const total = parts.reduce((sum, { length }) => sum + length, 0);
    try {
      const { bytesWritten } = await this.#handle.writev(parts, this.#length);
      if (bytesWritten !== total) throw Object.assign(new Error("the disk is full"), { code: "ENOSPC" });
      this.#length += total;
    } catch (error) {
      await this.#handle.truncate(this.#length).catch(() => undefined);
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }
}

/**
 * Replaces a segment that no longer grows by its compressed form. In between both are there, which readers know. Leaves one
 * that cannot be read whole or is gone as it is: the rest of a damaged one may be wanted, and it is named.
 */
export async function compressSegment(file: string, key: MasterKey, owner: SegmentOwner): Promise<void> {
  const header = await readHeaderOf(file);
  if (header === undefined || header.isClosed || header.keyId !== key.id) return;
  const content = await readFile(file);
  const encoder = new SegmentEncoder(key, owner, { ...header, isClosed: true });
  const { draft } = leftOversOf(file);
  const handle = await open(draft, "w", 0o600);
  let latest = header.createdAt;
  let unreadable: Unreadable | undefined;
  const frames = async function* () {
    unreadable = yield* readFrames(content, { keys: [key], owner });
  };
  try {
    await handle.writeFile(encoder.header);
    for await (const frame of joinedFrames(frames())) {
      latest = Math.max(latest, latestTimeOf(frame));
      const parts = frame.kind === "output" ? await encoder.packed(frame) : encoder.frame(frame);
      await handle.writeFile(Buffer.concat(parts));
    }
    await handle.sync();
    await handle.utimes(latest / 1000, latest / 1000);
  } catch (error) {
    await handle.close().catch(() => undefined);
    await rm(draft, { force: true });
    throw error;
  }
  await handle.close();
  if (unreadable === undefined) await replaceSegment(file, draft);
  else await rm(draft, { force: true });
}

/** Returns the time of the last of a frame: a joined one may have the output of hours. */
function latestTimeOf(frame: SegmentFrame): number {
  if (frame.kind === "event") return frame.event.at;
  return frame.at + frame.times.reduce((latest, [, later]) => Math.max(latest, later), 0);
}

/** Reads what happened in a segment, without sizes; nothing where there is none. */
async function eventsOf(file: string, key: MasterKey, owner: SegmentOwner): Promise<readonly SegmentFrame[]> {
  const content = await readFile(file).catch(() => undefined);
  const events: SegmentFrame[] = [];
  if (content === undefined) return events;
  for await (const frame of readFrames(content, { keys: [key], owner })) {
    if (frame.kind === "event" && frame.event.kind !== "size") events.push(frame);
  }
  return events;
}

/** Returns the file in which a segment is once it is compressed. */
export function compressedFile(file: string): string {
  return `${file}z`;
}

/** Returns whether a file holds a segment that is compressed. */
export function isCompressed(file: string): boolean {
  return file.endsWith(".segz");
}

/** Returns the files in which a segment is begun and compressed, which a kill leaves behind. */
export function leftOversOf(file: string): { readonly next: string; readonly draft: string } {
  return { next: `${file}.new`, draft: `${file}.draft` };
}

/** Puts the compressed form of a segment in its place; nothing is left where the segment was removed meanwhile. */
export async function replaceSegment(file: string, draft: string): Promise<void> {
  // What was removed while it was compressed must not come back, not even for a moment in which the index reads it.
  if (!existsSync(file)) return rm(draft, { force: true });
  await rename(draft, compressedFile(file));
  await unlink(file).catch(() => rm(compressedFile(file), { force: true }));
}

/** Reads the header of a segment; undefined for another file, and for one that is gone. */
export async function readHeaderOf(file: string): Promise<SegmentHeader | undefined> {
  const handle = await open(file, "r").catch(() => undefined);
  try {
    const { buffer, bytesRead } = (await handle?.read(Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES, 0)) ?? {};
    return buffer === undefined ? undefined : readHeader(buffer.subarray(0, bytesRead));
  } finally {
    await handle?.close();
  }
}

/** Joins the pieces of one block, so that few large frames remain. Events keep their offsets, and come before the block's output. */
async function* joinedFrames(frames: AsyncIterable<SegmentFrame>): AsyncGenerator<SegmentFrame> {
  const open: OutputFrame[] = [];
  let times = 0;
  const joined = () => {
    const pieces = open.splice(0);
    const [first, ...rest] = pieces;
    if (first === undefined) return [];
    const times = [
      ...first.times,
      ...rest.flatMap(({ at, offset, times }) => [
        [offset - first.offset, at - first.at] as const,
        ...times.map(([bytes, ms]) => [bytes + offset - first.offset, ms + at - first.at] as const),
      ]),
    ];
    return [{ ...first, times, bytes: Buffer.concat(pieces.map(({ bytes }) => bytes)) }];
  };
  for await (const frame of frames) {
    if (frame.kind === "event") {
      yield frame;
      continue;
    }
    const last = open.at(-1);
    const goesOn = last !== undefined && frame.before === undefined && frame.offset === last.offset + last.bytes.length;
    times = goesOn && times < MAX_TIMES ? times + 1 + frame.times.length : 0;
    if (times === 0) yield* joined();
    open.push(frame);
  }
  yield* joined();
}
