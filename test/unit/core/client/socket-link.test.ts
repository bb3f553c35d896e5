import { EventEmitter } from "node:events";
import { expect, test } from "vitest";
import { socketLink } from "../../../../core/client/socket-link.ts";

const missed = { type: "missed", shell: 1, bytes: 3, snapshot: "", offset: 3 };

test("frames are taken in order until this end has closed the socket, and none after that", () => {
  const events = new EventEmitter();
  const closed: [number?, string?][] = [];
  const socket = {
    readyState: 1,
    send: () => undefined,
    close(...reason: [number?, string?]) {
      closed.push(reason);
      socket.readyState = 2;
    },
    addEventListener: events.on.bind(events) as never,
  };
  const link = socketLink(socket);
  const say = (frame: unknown) => events.emit("message", { data: JSON.stringify(frame) });
  const received: unknown[] = [];
  say(missed);
  link.onFrame((frame) => received.push(frame));
  say({ ...missed, offset: 4 });
  say({ type: "no such frame" });
  expect(closed).toEqual([[4000, "malformed frame"]]);
  // A peer may leave the close unanswered, and send on.
  say({ ...missed, offset: 5 });
  say({ type: "no such frame" });
  expect(received).toEqual([missed, { ...missed, offset: 4 }]);
  expect(closed).toHaveLength(1);
});
