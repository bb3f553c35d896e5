import { StringDecoder } from "node:string_decoder";
import type { SizeMark, TimeMark } from "../../../core/protocol/history-ops.ts";
import { recordedSteps } from "./recorded-steps.ts";
import type { SegmentFrame } from "./segment.ts";

/** Times that are told at most; of more, every second is left out. */
const MOST_TIMES = 4096;

/** Offsets of output. */
export interface TimelineRange {
  readonly from: number;
  /** The place of which the size is asked. */
  readonly offset: number;
  readonly to: number;
}

export interface Timeline {
  /** The size at the place; undefined where that is not recorded. */
  readonly size: { readonly cols: number; readonly rows: number } | undefined;
  /** None where a part of the range is not recorded. */
  readonly times: readonly TimeMark[];
  readonly sizes: readonly SizeMark[];
}

/** Returns when a range of output was printed, by characters of its text. */
export async function readTimeline(
  frames: AsyncIterable<SegmentFrame>,
  { from, offset, to }: TimelineRange,
): Promise<Timeline> {
  const decoder = new StringDecoder("utf8");
  let size: Timeline["size"];
  let times: TimeMark[] = [];
  const sizes: SizeMark[] = [];
  let characters = 0;
  let expected = from;
  for await (const step of recordedSteps(frames)) {
    if (step.offset >= to || step.offset > expected) break;
    if (step.kind === "size") {
      if (step.offset <= offset) size = step;
      if (characters === 0) sizes.length = 0;
      sizes.push([characters, step.cols, step.rows]);
      continue;
    }
    const bytes = step.bytes.subarray(Math.max(0, expected - step.offset), to - step.offset);
    if (bytes.length === 0) continue;
    times.push([characters, step.at]);
    if (times.length > MOST_TIMES) times = times.filter((_, index) => index % 2 === 0);
    characters += decoder.write(bytes).length;
    expected += bytes.length;
  }
  return { size, times: expected === to ? times : [], sizes };
}
