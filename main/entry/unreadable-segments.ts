import { relative } from "node:path";
import { z } from "zod";
import { MAX_UNREADABLE } from "../../core/operations/history.ts";
import type { OperationResult } from "../../core/operations/index.ts";
import type { MasterKey, Unreadable } from "../shells/history/segment.ts";
import { readHeaderOf } from "../shells/history/segment-file.ts";
import type { StoredSegment } from "../shells/history/trim.ts";

type UnreadableSegments = OperationResult<"getHistory">["unreadable"];

interface SegmentReading {
  /** The folder of the history, to which files are named. */
  readonly folder: string;
  readonly keys: readonly MasterKey[];
  /** Damage that was found when segments were read, by file. */
  readonly read: ReadonlyMap<string, Unreadable>;
  /** Answer of the index, which reads all segments, to `damage`. */
  readonly indexed: unknown;
}

const FoundDamage = z.array(z.tuple([z.string(), z.enum(["no segment", "another key", "damaged"])])).catch([]);

/** Lists segments whose header cannot be read, and those that were found damaged when they were read. */
export async function unreadableSegments(
  segments: readonly StoredSegment[],
  { folder, keys, read, indexed }: SegmentReading,
): Promise<UnreadableSegments> {
  const damage = new Map([...FoundDamage.parse(indexed), ...read]);
  const ids = keys.map(({ id }) => id);
  const unreadable: UnreadableSegments = [];
  for (const { file } of segments) {
    const header = await readHeaderOf(file);
    const why = header === undefined ? "no segment" : ids.includes(header.keyId) ? damage.get(file) : "another key";
    if (why !== undefined) unreadable.push({ file: relative(folder, file), why });
    if (unreadable.length === MAX_UNREADABLE) break;
  }
  return unreadable;
}
