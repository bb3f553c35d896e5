import { EventEmitter } from "node:events";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { WebSocket } from "ws";
import { TokenBucket } from "../../../../../core/protocol/rate-limits.ts";
import { FRAMES, socketLink } from "../../../../../main/relay/net/client-socket.ts";

/** Milliseconds of the clock; each look at it takes a little. */
let now: number;
let step: number;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
  [now, step] = [0, 0.001];
  vi.spyOn(performance, "now").mockImplementation(() => {
    now += step;
    return now;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** The relay's end of a socket, and how often its client was paused. */
function linked(frames = new TokenBucket(FRAMES, () => performance.now())) {
  const sent: string[] = [];
  const socket = Object.assign(new EventEmitter(), {
    ...{ readyState: 1, OPEN: 1, CLOSED: 3, pauses: 0 },
    pause() {
      socket.pauses += 1;
    },
    resume: () => undefined,
    ping: () => undefined,
    bufferedAmount: 0,
    send: (text: string) => void sent.push(text),
  });
  const received: unknown[] = [];
  const metrics = { cut: () => undefined, clientBytes: () => undefined };
  const link = socketLink(socket as unknown as WebSocket, { metrics: metrics as never, helloMs: 1000, frames });
  link.onFrame((frame) => received.push(frame));
  return { link, sent, socket, received, say: (text: string) => socket.emit("message", Buffer.from(text), false) };
}

const acknowledge = JSON.stringify({ type: "acknowledge", shell: 1, bytes: 1 });
const ask = JSON.stringify({ type: "ask", id: 1, op: "readLayout", params: { client: 1 } });

test("a client acknowledges as often as the fastest output needs, and asks a twentieth as often", () => {
  const [fast, asking] = [linked(), linked()];
  for (let frame = 0; frame < 1000; frame += 1) fast.say(acknowledge);
  for (let frame = 0; frame < 1000; frame += 1) asking.say(ask);
  expect([fast.received.length, fast.socket.pauses]).toEqual([1000, 0]);
  // None is lost: what the socket had read already still arrives.
  expect(asking.received).toHaveLength(1000);
  expect(asking.socket.pauses).toBeGreaterThan(500);
});

test("a frame that takes long to read is counted by its time", () => {
  const slow = linked();
  // By their 400 KB, two of them would be taken at once.
  const frame = JSON.stringify({ type: "acknowledge", shell: 1, bytes: 1, long: new Array(130_000).fill([]) });
  step = 50;
  slow.say(frame);
  expect(slow.socket.pauses).toBe(1);
});

test("what one caller's clients send counts together", () => {
  const frames = new TokenBucket(FRAMES, () => performance.now());
  const [one, other] = [linked(frames), linked(frames)];
  for (let frame = 0; frame < 99; frame += 1) one.say(ask);
  expect(one.socket.pauses).toBe(0);
  for (let frame = 0; frame < 10; frame += 1) other.say(ask);
  expect(other.socket.pauses).toBeGreaterThan(5);
});

test("an answer that takes long to write is counted by its time, and what nobody asked for is not", () => {
  const { link, sent, socket, say } = linked();
  say(ask);
  step = 50;
  link.send({ type: "event", event: { type: "bell" } as never });
  expect(socket.pauses).toBe(0);
  link.send({ type: "answer", id: 1, value: { layout: {} } });
  expect([sent.length, socket.pauses]).toEqual([2, 1]);
});
