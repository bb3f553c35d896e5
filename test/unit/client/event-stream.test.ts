import fc from "fast-check";
import { expect, test } from "vitest";
import { readEventStream } from "../../../client/event-stream.ts";

const STREAM =
  ': hello\n\nid: b:1\nevent: x\ndata: {"a":"ü€"}\n\ndata: one\r\ndata:two\r\n\r\nid: b:3\rdata\r\rid: b:4\n\ndata: cut';
const EVENTS = [
  { id: "b:1", data: '{"a":"ü€"}' },
  { id: "b:1", data: "one\ntwo" },
  { id: "b:3", data: "" },
];

test("reads the same events however the bytes are cut", async () => {
  const bytes = new TextEncoder().encode(STREAM);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 0, max: bytes.length })), async (cuts) => {
      const places = [0, ...cuts.toSorted((a, b) => a - b), bytes.length];
      async function* pieces() {
        for (const [index, start] of places.entries()) yield bytes.subarray(start, places[index + 1] ?? bytes.length);
      }
      const events = [];
      for await (const event of readEventStream(pieces())) events.push(event);
      expect(events).toEqual(EVENTS);
    }),
    { numRuns: 300 },
  );
});
