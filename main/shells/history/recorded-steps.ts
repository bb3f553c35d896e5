import type { VtState } from "../vt-scanner.ts";
import type { OutputFrame, SegmentFrame } from "./segment.ts";

/** What was printed at a time, or the size that the terminal got. Times are in ms since 1970. */
export type RecordedStep =
  | {
      readonly kind: "output";
      readonly offset: number;
      readonly at: number;
      readonly bytes: Buffer;
      /** State of a terminal's parser before it; undefined where only what is before it tells. */
      readonly before: VtState | undefined;
    }
  | {
      readonly kind: "size";
      readonly offset: number;
      readonly at: number;
      readonly cols: number;
      readonly rows: number;
    };

type SizeStep = Extract<RecordedStep, { kind: "size" }>;

/** Reads what a shell printed, cut where time went on, with each size at its place and nothing twice. */
export async function* recordedSteps(frames: AsyncIterable<SegmentFrame>): AsyncGenerator<RecordedStep, void, void> {
  let expected: number | undefined;
  let size: SizeStep | undefined;
  const sizes: SizeStep[] = [];
  /** Takes the sizes up to an offset that change something. */
  const sizesUpTo = (offset: number) => {
    const due = sizes.splice(0, sizes.findLastIndex((one) => one.offset <= offset) + 1);
    return due.filter((one) => {
      const isOther = one.cols !== size?.cols || one.rows !== size.rows;
      size = one;
      return isOther;
    });
  };
  for await (const frame of frames) {
    if (frame.kind === "event") {
      // A compressed segment has the sizes of a block before it.
      if (frame.event.kind === "size") sizes.push(frame.event);
      continue;
    }
    // What follows a gap can be read from the first piece that knows its state.
    if (frame.offset > (expected ?? frame.offset) && frame.before === undefined) continue;
    const known = Math.max(0, (expected ?? frame.offset) - frame.offset);
    expected = Math.max(expected ?? 0, frame.offset + frame.bytes.length);
    for (const piece of piecesOf(frame, known)) {
      let rest = piece;
      for (let next = firstWithin(sizes, rest); next !== undefined; next = firstWithin(sizes, rest)) {
        yield* sizesUpTo(rest.offset);
        const length = next.offset - rest.offset;
        yield { ...rest, bytes: rest.bytes.subarray(0, length) };
        rest = { ...rest, offset: next.offset, bytes: rest.bytes.subarray(length), before: undefined };
      }
      yield* sizesUpTo(rest.offset);
      yield rest;
    }
  }
  yield* sizesUpTo(Number.POSITIVE_INFINITY);
}

type Piece = Extract<RecordedStep, { kind: "output" }>;

function firstWithin(sizes: readonly SizeStep[], { offset, bytes }: Piece): SizeStep | undefined {
  return sizes.find((size) => size.offset > offset && size.offset < offset + bytes.length);
}

/** Splits a frame by the times at which its bytes came, without the first `known` bytes. */
function piecesOf({ offset, at, times, bytes, before }: OutputFrame, known: number): Piece[] {
  const marks: (readonly [number, number])[] = [[0, 0], ...times];
  return marks.flatMap(([begin, later], index) => {
    const from = Math.max(begin, known);
    const piece = bytes.subarray(from, marks[index + 1]?.[0] ?? bytes.length);
    if (piece.length === 0) return [];
    const state = from === 0 ? before : undefined;
    return [{ kind: "output", offset: offset + from, at: at + later, bytes: piece, before: state }];
  });
}
