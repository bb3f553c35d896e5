import { expect, test } from "vitest";
import { type BatchedFrame, OutputBatch } from "../../../../../main/shells/host/output-batch.ts";

const piece = (offset: number, text: string) => ({ kind: "output" as const, offset, bytes: Buffer.from(text) });
const shown = ({ to, frame }: BatchedFrame) => [
  to,
  frame.offset,
  frame.kind === "output" ? frame.bytes.toString() : frame.kind,
];

test("the same piece for several listeners crosses once, in this turn", async () => {
  const sent: unknown[] = [];
  const batch = new OutputBatch((frame) => sent.push(shown(frame)));
  for (const listener of [1, 2, 3]) {
    batch.add(listener, "s 1", piece(0, "abc"));
    batch.add(listener, "s 1", piece(3, "def"));
  }
  batch.add(9, "s 2", piece(0, "xyz"));
  expect(sent).toEqual([]);
  await Promise.resolve();
  expect(sent).toEqual([
    [[1, 2, 3], 0, "abc"],
    [[1, 2, 3], 3, "def"],
    [[9], 0, "xyz"],
  ]);
});

test("a listener that is elsewhere keeps its order", () => {
  const sent: unknown[] = [];
  const batch = new OutputBatch((frame) => sent.push(shown(frame)));
  batch.add(1, "s 1", piece(0, "abc"));
  batch.add(1, "s 1", piece(3, "def"));
  batch.add(2, "s 1", piece(1, "bc"));
  // The first listener's frame of this piece stands before the one that was just added.
  batch.add(2, "s 1", piece(3, "def"));
  batch.add(2, "s 1", { kind: "end", offset: 6, exitCode: 0, signal: null });
  batch.flush();
  expect(sent).toEqual([
    [[1], 0, "abc"],
    [[1], 3, "def"],
    [[2], 1, "bc"],
    [[2], 3, "def"],
    [[2], 6, "end"],
  ]);
  batch.flush();
  expect(sent).toHaveLength(5);
});
