import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  encodeFrame,
  FrameError,
  FrameReader,
  LONG_BYTES,
  MAX_FRAME_BYTES,
} from "../../../../../main/shells/host/frame.ts";

const frames = fc.array(
  fc.record({
    head: fc.dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true }),
    tail: fc.oneof(
      fc.uint8Array({ maxLength: 40 }),
      fc.uint8Array({ minLength: 17_000, maxLength: 20_000 }),
      fc.integer({ min: 0, max: 255 }).map((byte) => new Uint8Array(LONG_BYTES + byte).fill(byte)),
    ),
  }),
  { maxLength: 6 },
);

describe("frames", () => {
  test("come out as they went in, wherever the stream is cut", () => {
    fc.assert(
      fc.property(
        frames,
        fc.infiniteStream(
          fc.oneof(fc.integer({ min: 1, max: 9000 }), fc.integer({ min: 60_000, max: 2 * LONG_BYTES })),
        ),
        (sent, cuts) => {
          const stream = Buffer.concat(sent.flatMap(({ head, tail }) => encodeFrame(head, tail)));
          const reader = new FrameReader();
          const got: unknown[] = [];
          for (let at = 0; at < stream.length; ) {
            const length = cuts.next().value;
            for (const { head, tail } of reader.push(stream.subarray(at, at + length))) {
              got.push({ head, tail: Buffer.from(tail).toString("base64") });
            }
            at += length;
          }
          const expected = sent.map(({ head, tail }) => ({
            head: JSON.parse(JSON.stringify(head)),
            tail: Buffer.from(tail).toString("base64"),
          }));
          expect(got).toEqual(expected);
        },
      ),
      { numRuns: 60 },
    );
  });

  test("a long tail is not copied, a short one goes in one piece", () => {
    const long = Buffer.alloc(100_000, "x");
    const [, tail] = encodeFrame({ type: "output" }, long);
    expect(tail?.buffer).toBe(long.buffer);
    expect(encodeFrame({ type: "output" }, Buffer.from("short"))).toHaveLength(1);
  });

  test("what is no frame is refused at once, before it is waited for", () => {
    const lengths = Buffer.alloc(8);
    lengths.writeUInt32BE(MAX_FRAME_BYTES, 0);
    lengths.writeUInt32BE(1, 4);
    expect(() => [...new FrameReader().push(lengths)]).toThrow(FrameError);
    const garbage = Buffer.from("\0\0\0\x03\0\0\0\0{{{");
    expect(() => [...new FrameReader().push(garbage)]).toThrow(FrameError);
    expect(() => encodeFrame({ text: "x".repeat(MAX_FRAME_BYTES) })).toThrow(FrameError);
  });
});
