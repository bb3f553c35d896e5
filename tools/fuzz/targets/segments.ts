import type { SessionId, ShellId } from "../../../core/protocol/ids.ts";
import { masterKey, readFrames, SegmentEncoder, type SegmentFrame } from "../../../main/shells/history/segment.ts";
import { VtScanner } from "../../../main/shells/vt-scanner.ts";

const owner = { session: "fuzz" as SessionId, shell: 1 as ShellId };
const key = masterKey(Buffer.alloc(32, 7));
const written: readonly SegmentFrame[] = ["one\r\n", "two two two\r\n", "three"].map((text, index) => ({
  kind: "output",
  offset: index * 100,
  before: new VtScanner().save(),
  at: 1000 + index,
  times: [[1, 20]],
  bytes: Buffer.from(text),
}));

export const seeds = [await segment(false), await segment(true)];

async function segment(isClosed: boolean): Promise<Buffer> {
  const encoder = new SegmentEncoder(key, owner, { start: 0, createdAt: 5, isClosed });
  const parts = [encoder.header];
  for (const frame of written) {
    parts.push(...(isClosed && frame.kind === "output" ? await encoder.packed(frame) : encoder.frame(frame)));
  }
  return Buffer.concat(parts);
}

/** A file of the history, damaged or foreign: what is read of it was written, at the offset at which it was written. */
export async function fuzz(data: Buffer): Promise<void> {
  for await (const frame of readFrames(data, { keys: [key], owner })) {
    const original = written.find(({ offset }) => offset === frame.offset);
    if (frame.kind !== "output" || original?.kind !== "output" || !original.bytes.equals(frame.bytes))
      throw new Error(`read ${JSON.stringify(frame)}`);
  }
}
