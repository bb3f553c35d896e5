import { EventEmitter } from "node:events";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { WebSocket } from "ws";
import { socketLink } from "../../../../../main/relay/net/client-socket.ts";

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
function linked() {
  const socket = Object.assign(new EventEmitter(), {
    ...{ readyState: 1, OPEN: 1, CLOSED: 3, pauses: 0 },
    pause() {
      socket.pauses += 1;
    },
    resume: () => undefined,
    ping: () => undefined,
  });
  const received: unknown[] = [];
  const metrics = { cut: () => undefined, clientBytes: () => undefined };
  const link = socketLink(socket as unknown as WebSocket, { metrics: metrics as never, helloMs: 1000 });
  link.onFrame((frame) => received.push(frame));
  return { socket, received, say: (text: string) => socket.emit("message", Buffer.from(text), false) };
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
