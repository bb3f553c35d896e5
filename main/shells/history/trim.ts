import { readdir, rm, rmdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { SegmentOwner } from "./segment.ts";
import { compressedFile, leftOversOf, segmentName, segmentStart, shellFolder } from "./segment-file.ts";

/** A segment on disk. */
export interface StoredSegment {
  readonly owner: SegmentOwner;
  readonly file: string;
  /** Offset of its first byte. */
  readonly start: number;
  readonly bytes: number;
  /** Time of its latest output, in milliseconds since 1970. */
  readonly at: number;
}

/** What is removed. */
interface TrimWish {
  /** Segments that are older than this are removed. */
  readonly before?: number | undefined;
  /** The oldest segments beyond these bytes are removed. */
  readonly maxBytes?: number | undefined;
}

const DAY_MS = 24 * 3600_000;

/** Lists all segments of a history; of one session, or of one shell. What is gone meanwhile is left out. */
export async function listSegments(
  folder: string,
  only: { readonly session?: string | undefined; readonly shell?: number | undefined } = {},
): Promise<StoredSegment[]> {
  const segments: StoredSegment[] = [];
  for (const session of only.session === undefined ? await namesIn(folder) : [only.session]) {
    const shells = only.shell === undefined ? await namesIn(join(folder, session)) : [String(only.shell)];
    for (const name of shells) {
      if (!/^\d+$/.test(name)) continue;
      // One by one: a shell may have more segments than a call takes arguments.
      for (const segment of await shellSegments(folder, { session, shell: Number(name) })) segments.push(segment);
    }
  }
  return segments;
}

async function shellSegments(folder: string, owner: SegmentOwner): Promise<StoredSegment[]> {
  const place = shellFolder(folder, owner);
  const found: StoredSegment[] = [];
  const names = (await namesIn(place)).sort();
  for (const name of names) {
    const start = segmentStart(name);
    if (start === undefined) continue;
    let file = join(place, name);
    let facts = await stat(file).catch(() => undefined);
    // It may have been compressed since the names were read.
    if (facts === undefined && !names.includes(compressedFile(name))) {
      file = compressedFile(file);
      facts = await stat(file).catch(() => undefined);
    }
    if (facts?.isFile() === true) found.push({ owner, file, start, bytes: facts.size, at: facts.mtimeMs });
  }
  return found;
}

/** Returns the time of the latest output of the oldest segment; undefined without segments. */
export function oldestOf(segments: readonly Pick<StoredSegment, "at">[]): number | undefined {
  return segments.reduce<number | undefined>((oldest, { at }) => Math.min(oldest ?? at, at), undefined);
}

/** Returns the time of the latest output before a time; undefined if there is none. */
export function latestBefore(segments: readonly Pick<StoredSegment, "at">[], time: number): number | undefined {
  return segments.reduce<number | undefined>(
    (latest, { at }) => (at < time ? Math.max(latest ?? at, at) : latest),
    undefined,
  );
}

/** Returns the time before which segments are older than so many days. */
export function daysAgo(days: number): number {
  return Date.now() - days * DAY_MS;
}

/**
 * Removes old segments, and the folders that are empty then.
 *
 * @param isOpen whether a file is still being written; it is kept
 * @returns the removed segments
 */
export async function trimSegments(
  folder: string,
  { before = 0, maxBytes = Number.POSITIVE_INFINITY }: TrimWish,
  isOpen: (file: string) => boolean,
): Promise<StoredSegment[]> {
  const segments = inOrderOfAge(await listSegments(folder));
  let total = segments.reduce((sum, { bytes }) => sum + bytes, 0);
  const removed: StoredSegment[] = [];
  for (const segment of segments) {
    if ((segment.at >= before && total <= maxBytes) || isOpen(segment.file)) continue;
    await removeSegment(folder, segment);
    total -= segment.bytes;
    removed.push(segment);
  }
  return removed;
}

/**
 * Returns segments, the oldest first. A clock may be set back, as on a machine that starts without the time: no segment counts
 * as older than those before it of its shell.
 */
function inOrderOfAge(segments: readonly StoredSegment[]): StoredSegment[] {
  let before: StoredSegment | undefined;
  const aged = segments.map((segment) => {
    const isNext = before?.owner.session === segment.owner.session && before.owner.shell === segment.owner.shell;
    before = isNext ? { ...segment, at: Math.max(segment.at, before?.at ?? 0) } : segment;
    return before;
  });
  return aged.sort((one, other) => one.at - other.at);
}

/**
 * Removes one segment, in both forms because it may be being compressed, with what a kill has left behind of it, and the
 * folders that are empty then.
 */
export async function removeSegment(folder: string, { start, owner }: StoredSegment): Promise<void> {
  const file = join(shellFolder(folder, owner), segmentName(start));
  const { next, draft } = leftOversOf(file);
  // A draft is removed after the segment, without which none is begun.
  for (const name of [file, compressedFile(file), draft, next]) await rm(name, { force: true });
  // Another segment keeps its folder.
  await rmdir(shellFolder(folder, owner))
    .then(() => rmdir(join(folder, owner.session)))
    .catch(() => undefined);
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}
