import { mkdtempSync, rmSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Frame } from "../../../../../main/shells/host/frame.ts";
import { type FrameSocket, frameSocket } from "../../../../../main/shells/host/frame-socket.ts";

let folder: string;
let cleanUps: (() => void)[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "frames-"));
  cleanUps = [() => rmSync(folder, { recursive: true, force: true })];
});
afterEach(() => {
  for (const cleanUp of cleanUps.toReversed()) cleanUp();
});

test("frames that are sent together arrive together, in their order", async () => {
  const { wire, frames, pieces } = await linked();
  wire.together(() => {
    wire.send({ type: "output" }, Buffer.from("x"));
    wire.send({ type: "done" });
  });
  await vi.waitUntil(() => frames.length === 2);
  expect(frames).toEqual([
    [{ type: "output" }, "x"],
    [{ type: "done" }, ""],
  ]);
  expect(pieces).toHaveLength(1);
});

test("frames too long to be copied, and a function that throws, leave nothing held back", async () => {
  const { wire, frames } = await linked();
  const long = "y".repeat(17 * 1024);
  expect(() =>
    wire.together(() => {
      wire.send({ type: "output" }, Buffer.from(long));
      throw new Error("no");
    }),
  ).toThrow("no");
  wire.send({ type: "pong" });
  await vi.waitUntil(() => frames.length === 2);
  expect(frames).toEqual([
    [{ type: "output" }, long],
    [{ type: "pong" }, ""],
  ]);
});

/** Connects two ends. Returns one, and what the other receives. */
async function linked(): Promise<{ wire: FrameSocket; frames: unknown[]; pieces: Buffer[] }> {
  const frames: unknown[] = [];
  const pieces: Buffer[] = [];
  const server = createServer((socket) => {
    socket.on("data", (piece: Buffer) => pieces.push(piece));
    const receive = ({ head, tail }: Frame) => void frames.push([head, String(tail)]);
    frameSocket(socket, { receive, closed: () => undefined });
  });
  cleanUps.push(() => server.close());
  const address = join(folder, "socket");
  await new Promise<void>((resolve) => server.listen(address, resolve));
  const socket = connect(address);
  cleanUps.push(() => socket.destroy());
  await new Promise((resolve) => socket.once("connect", resolve));
  return { wire: frameSocket(socket, { receive: () => undefined, closed: () => undefined }), frames, pieces };
}
