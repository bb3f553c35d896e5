import { RelayFrame } from "../protocol/frames.ts";
import { isDeeperThan, jsonDepth } from "../protocol/json-depth.ts";
import type { ClientLink, ToClient } from "../protocol/link.ts";
import { decodeTerminalBytes } from "../protocol/terminal-bytes.ts";

/** The part of a WebSocket that both browsers and Node's `ws` provide. `binaryType` must be `arraybuffer`. */
interface SocketLike {
  readonly readyState: number;
  send(data: string): void;
  close(code?: number, reason?: string): void;
  addEventListener(type: "message", listener: (event: { data: unknown }) => void): void;
  addEventListener(type: "close", listener: (event: { reason: string }) => void): void;
}

const OPEN = 1;
const CLOSED = 3;
const CLOSE_BY_CLIENT = 4000;

/** Wraps an open WebSocket to the relay as the client's end of a link. */
export function socketLink(socket: SocketLike): ClientLink {
  const waiting: ToClient[] = [];
  let receive: ((frame: ToClient) => void) | undefined;
  socket.addEventListener("message", ({ data }) => {
    // Frames that arrive after this end has closed the socket are dropped: a peer may leave the close unanswered.
    if (socket.readyState !== OPEN) return;
    const frame = parse(data);
    if (frame === undefined) socket.close(CLOSE_BY_CLIENT, "malformed frame");
    else if (receive === undefined) waiting.push(frame);
    else receive(frame);
  });
  return {
    send(frame) {
      if (socket.readyState === OPEN) socket.send(JSON.stringify(frame));
    },
    onFrame(listener) {
      receive = listener;
      for (const frame of waiting.splice(0)) listener(frame);
    },
    close: (reason) => socket.close(CLOSE_BY_CLIENT, reason.slice(0, 120)),
    onClose(closed) {
      if (socket.readyState === CLOSED) closed("the connection is closed");
      else socket.addEventListener("close", ({ reason }) => closed(reason || "the connection was cut"));
    },
  };
}

function parse(data: unknown): ToClient | undefined {
  try {
    if (typeof data === "string") {
      const frame: unknown = JSON.parse(data);
      return isDeeperThan(frame, jsonDepth.frame) ? undefined : RelayFrame.safeParse(frame).data;
    }
    return data instanceof ArrayBuffer ? { type: "bytes", ...decodeTerminalBytes(new Uint8Array(data)) } : undefined;
  } catch {
    return undefined;
  }
}
