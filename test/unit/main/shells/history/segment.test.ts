import { describe, expect, test } from "vitest";
import {
  masterKey,
  readFrames,
  readHeader,
  SegmentEncoder,
  type SegmentFrame,
  type SegmentOwner,
} from "../../../../../main/shells/history/segment.ts";
import { VtScanner } from "../../../../../main/shells/vt-scanner.ts";
import { owner, SECRET } from "./history-lab.ts";

const keys = [masterKey(SECRET)];
const before = new VtScanner().save();

function output(offset: number, text: string): SegmentFrame {
  return { kind: "output", offset, before, at: 1000, times: [[1, 20]], bytes: Buffer.from(text) };
}

async function segmentOf(...frames: SegmentFrame[]): Promise<Buffer> {
  return encodedBy(new SegmentEncoder(masterKey(SECRET), owner, { start: 0, createdAt: 5, isClosed: false }), frames);
}

async function encodedBy(encoder: SegmentEncoder, frames: readonly SegmentFrame[]): Promise<Buffer> {
  const parts: Buffer[] = [encoder.header];
  for (const [index, frame] of frames.entries()) {
    parts.push(...(index % 2 === 1 && frame.kind === "output" ? await encoder.packed(frame) : encoder.frame(frame)));
  }
  return Buffer.concat(parts);
}

interface ReadOptions {
  owner?: SegmentOwner;
  from?: number;
  keys?: typeof keys;
  only?: (from: number, to: number) => boolean;
}

async function read(file: Buffer, options: ReadOptions = {}) {
  const frames: SegmentFrame[] = [];
  const reading = readFrames(file, { keys, owner, ...options });
  for (;;) {
    const { value, done } = await reading.next();
    if (done === true) return { frames, why: value };
    frames.push(value);
  }
}

describe("a segment", () => {
  test("is read as it was written, compressed or not, with its events", async () => {
    const frames = [
      output(0, "one"),
      output(3, "two"),
      { kind: "event", offset: 6, event: { kind: "command-end", offset: 4, at: 9, exitCode: 0 } } as const,
      output(6, "three"),
    ];
    const file = await segmentOf(...frames);
    expect(await read(file)).toEqual({ frames, why: undefined });
    expect(readHeader(file)).toMatchObject({ start: 0, createdAt: 5, isEncrypted: true, isClosed: false });
    expect((await read(file, { from: 6 })).frames).toEqual(frames.slice(2));
  });

  test("of which any byte is changed gives no frame that was not written", async () => {
    const frames = [output(0, "one"), output(3, "two"), output(6, "three")];
    const file = await segmentOf(...frames);
    for (let at = 0; at < file.length; at++) {
      const changed = Buffer.from(file);
      changed[at] = (changed[at] ?? 0) ^ 0x15;
      const result = await read(changed);
      for (const frame of result.frames) expect(frames).toContainEqual(frame);
      expect(result.frames.length).toBeLessThan(3);
    }
  });

  test("gives a place of a frame whatever the damaged one behind it says of itself", async () => {
    const frames = [output(0, "one"), output(3, "two"), output(6, "x".repeat(300)), output(306, "end")];
    const file = await segmentOf(...frames);
    const at = (await segmentOf(...frames.slice(0, 3))).length + 4;
    for (const offset of [0, 6, 100, 2 ** 40]) {
      file.writeUIntBE(offset, at + 1, 6);
      const only = (from: number, to: number) => from < 210 && to > 200;
      expect((await read(file, { only })).frames, `${offset}`).toEqual([frames[2]]);
    }
  });

  test("of which one frame is damaged still gives the others, and says so", async () => {
    const file = await segmentOf(output(0, "one"), output(3, "two"), output(6, "three"));
    const first = await segmentOf(output(0, "one"));
    const at = first.length + 15;
    file[at] = (file[at] ?? 0) ^ 1;
    expect(await read(file)).toMatchObject({ frames: [{ offset: 0 }, { offset: 6 }], why: "damaged" });
  });

  test("gives nothing to another shell, under another key, and in another order", async () => {
    const file = await segmentOf(output(0, "one"), output(3, "two"));
    expect(await read(file, { owner: { ...owner, shell: 2 } })).toEqual({ frames: [], why: "damaged" });
    expect(await read(file, { keys: [masterKey(undefined)] })).toEqual({ frames: [], why: "another key" });
    expect(await read(Buffer.from("not a segment at all, but long enough to be one"))).toEqual({
      frames: [],
      why: "no segment",
    });
    const one = (await segmentOf(output(0, "one"))).length;
    const swapped = Buffer.concat([file.subarray(0, 48), file.subarray(one), file.subarray(48, one)]);
    expect((await read(swapped)).frames).toEqual([]);
  });

  test("whose writer was killed within a frame ends before it", async () => {
    const file = await segmentOf(output(0, "one"), output(3, "two"));
    expect(await read(file.subarray(0, file.length - 1))).toMatchObject({ frames: [{ offset: 0 }], why: undefined });
  });

  test("that is compressed is written whole, so that a cut one is damaged", async () => {
    const encoder = new SegmentEncoder(masterKey(SECRET), owner, { start: 0, createdAt: 5, isClosed: true });
    const file = await encodedBy(encoder, [output(0, "one"), output(3, "two")]);
    expect((await read(file)).why).toBeUndefined();
    expect(await read(file.subarray(0, file.length - 1))).toMatchObject({ frames: [{ offset: 0 }], why: "damaged" });
  });

  test("that claims an endless frame is damaged", async () => {
    const file = await segmentOf(output(0, "one"));
    expect(await read(Buffer.concat([file, Buffer.alloc(40, 0xff)]))).toMatchObject({
      frames: [{ offset: 0 }],
      why: "damaged",
    });
  });
});
