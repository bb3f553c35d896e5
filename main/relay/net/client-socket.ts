import type { RawData, WebSocket } from "ws";
import { ClientFrame, type RelayFrame } from "../../../core/protocol/frames.ts";
import { isDeeperThan, jsonDepth } from "../../../core/protocol/json-depth.ts";
import { limits } from "../../../core/protocol/limits.ts";
import type { RelayLink, ToClient } from "../../../core/protocol/link.ts";
import { encodeTerminalBytes } from "../../../core/protocol/terminal-bytes.ts";
import type { CutReason, MetricsRecorder } from "../metrics/metrics-recorder.ts";
import { frameBudget } from "./frame-budget.ts";

/** A peer that leaves this much unread is cut with a reason; it may resume. Terminal bytes have their own windows. */
const UNREAD_LIMIT = 16 * 1024 * 1024;
const PING_EVERY_MS = 20_000;

/** WebSocket close codes of our own, echoing HTTP. */
export const CLOSE_MALFORMED = 4400;
export const CLOSE_SLOW = 4408;
const CLOSE_OTHER = 4000;
const LINGER_MS = 2000;

export const socketOptions = { maxPayload: limits.frameBytes, perMessageDeflate: false } as const;

/**
 * The relay's end of a client's WebSocket. Frames are checked before anyone sees them.
 * @param helloMs milliseconds after which a client that has sent nothing is disconnected
 */
export function socketLink(
  socket: WebSocket,
  { meter, helloMs }: { readonly meter: MetricsRecorder; readonly helloMs: number },
): RelayLink {
  const waiting: ClientFrame[] = [];
  let receive: ((frame: ClientFrame) => void) | undefined;
  let alive = true;
  const spend = frameBudget(socket);
  const cut = (reason: CutReason, code: number, sentence: string) => {
    meter.cut(reason);
    close(socket, sentence, code);
  };
  const late = setTimeout(() => cut("late hello", CLOSE_SLOW, "no hello in time"), helloMs);
  const ping = setInterval(() => {
    if (!alive) {
      meter.cut("silent");
      socket.terminate();
      return;
    }
    alive = false;
    socket.ping();
  }, PING_EVERY_MS);
  socket.on("pong", () => {
    alive = true;
  });
  socket.on("close", () => {
    clearInterval(ping);
    clearTimeout(late);
  });
  // The close event follows and says it all.
  socket.on("error", () => undefined);
  socket.on("message", (data, isBinary) => {
    alive = true;
    // What comes after the relay has hung up is nobody's.
    if (socket.readyState !== socket.OPEN) return;
    const bytes = sizeOf(data);
    meter.clientBytes("in", bytes);
    spend(bytes);
    const frame = isBinary ? undefined : parse(String(data));
    if (frame === undefined) return cut("malformed", CLOSE_MALFORMED, "malformed frame");
    clearTimeout(late);
    if (receive === undefined) waiting.push(frame);
    else receive(frame);
  });
  return {
    send(frame) {
      if (socket.readyState !== socket.OPEN) return;
      if (socket.bufferedAmount > UNREAD_LIMIT) return cut("unread", CLOSE_SLOW, "too much left unread");
      const encoded = encode(frame);
      meter.clientBytes("out", encoded.length);
      socket.send(encoded);
    },
    onFrame(listener) {
      receive = listener;
      for (const frame of waiting.splice(0)) listener(frame);
    },
    close: (reason) => close(socket, reason, CLOSE_OTHER),
    onClose(closed) {
      if (socket.readyState === socket.CLOSED) closed("closed");
      else socket.once("close", (_code, reason) => closed(String(reason) || "the connection was cut"));
    },
  };
}

function encode(frame: ToClient): string | Uint8Array {
  return frame.type === "bytes" ? encodeTerminalBytes(frame) : JSON.stringify(frame satisfies RelayFrame);
}

function parse(text: string): ClientFrame | undefined {
  try {
    const frame: unknown = JSON.parse(text);
    return isDeeperThan(frame, jsonDepth.frame) ? undefined : ClientFrame.safeParse(frame).data;
  } catch {
    return undefined;
  }
}

function close(socket: WebSocket, reason: string, code: number): void {
  if (socket.readyState !== socket.OPEN) return;
  // A close frame carries at most 123 bytes of reason.
  socket.close(code, reason.slice(0, 120));
  const linger = setTimeout(() => socket.terminate(), LINGER_MS);
  linger.unref();
  socket.once("close", () => clearTimeout(linger));
}

function sizeOf(data: RawData): number {
  return Array.isArray(data) ? data.reduce((sum, part) => sum + part.length, 0) : data.byteLength;
}
