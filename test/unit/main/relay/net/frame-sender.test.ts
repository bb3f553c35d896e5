import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { FrameSender } from "../../../../../main/relay/net/frame-sender.ts";
import { findLongOutput } from "../../../../../main/relay/net/long-output.ts";
import { until } from "../../../../support/until.ts";

const MIB = 1024 * 1024;

test("frames keep their order around long ones, which arrive as one message", async () => {
  await using pair = await connectPair();
  const long = answer("a😀".repeat(200_000));
  pair.sender.send("first");
  pair.sender.sendInPieces(long.frame);
  pair.sender.send("second");
  pair.sender.send(Buffer.from([1, 2]));
  pair.sender.sendInPieces(long.frame);
  pair.sender.send("last");
  const received = await pair.receive(6);
  expect(received.map((message) => (typeof message === "string" ? message.length : message))).toEqual([
    5,
    long.json.length,
    6,
    Buffer.from([1, 2]),
    long.json.length,
    4,
  ]);
  expect(received[1] === long.json && received[4] === long.json).toBe(true);
  expect(pair.sender.unread).toBe(0);
});

test("other work goes on between the pieces, and what waits counts as unread", async () => {
  await using pair = await connectPair();
  const { frame } = answer("a".repeat(4_000_000));
  pair.sender.sendInPieces(frame);
  pair.sender.send("x".repeat(1_000));
  pair.sender.sendInPieces(frame);
  expect(pair.sender.unread).toBeGreaterThanOrEqual(4_001_000);
  let turns = 0;
  let isOver = false;
  const received = pair.receive(3).then(() => {
    isOver = true;
  });
  while (!isOver) {
    await new Promise((resolve) => setImmediate(resolve));
    turns += 1;
  }
  await received;
  expect(turns).toBeGreaterThan((2 * 4_000_000) / (64 * 1024));
});

test("of a long frame that nobody reads, no more is encoded than the system takes, and the rest counts as unread", async () => {
  await using pair = await connectPair();
  pair.far.pause();
  pair.sender.sendInPieces(answer("a".repeat(64 * MIB)).frame);
  let before = -1;
  await until("the system to take no more", async () => {
    const last = before;
    before = pair.sent();
    for (let turn = 0; turn < 200; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    return before > 0 && before === last;
  });
  expect(pair.sent()).toBeLessThan(32 * MIB);
  expect(pair.sender.unread).toBeGreaterThan(64 * MIB - pair.sent());
});

test("a socket that closes in the middle of a long frame gets no more", async () => {
  await using pair = await connectPair();
  pair.sender.sendInPieces(answer("a".repeat(20_000_000)).frame);
  pair.sender.send("after");
  const closed = once(pair.far, "close");
  pair.near.terminate();
  await closed;
  await new Promise((resolve) => setImmediate(resolve));
  expect(pair.sent()).toBeLessThan(20_000_000);
});

function answer(output: string) {
  const message = { type: "answer", value: { output, end: 1 } };
  const frame = findLongOutput(message, "value");
  if (frame === undefined) throw new Error("the output is not long");
  return { frame, json: JSON.stringify(message) };
}

/** A sender and the other end of its socket. */
async function connectPair() {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1", perMessageDeflate: false });
  await once(server, "listening");
  const far = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const [near] = (await once(server, "connection")) as [WebSocket];
  await once(far, "open");
  let sent = 0;
  const messages: (string | Buffer)[] = [];
  let arrived = () => {};
  far.on("message", (data: Buffer, isBinary) => {
    messages.push(isBinary ? data : String(data));
    arrived();
  });
  return {
    near,
    far,
    sender: new FrameSender(near, (bytes) => {
      sent += bytes;
    }),
    sent: () => sent,
    async receive(count: number) {
      while (messages.length < count) {
        await new Promise<void>((resolve) => {
          arrived = resolve;
        });
      }
      return messages;
    },
    async [Symbol.asyncDispose]() {
      far.terminate();
      near.terminate();
      server.close();
      await once(server, "close");
    },
  };
}
