import { type RawData, WebSocket } from "ws";
import { type ClientFrame, parseClientFrame, type RelayFrame } from "../../../core/protocol/frames.ts";
import { isDeeperThan, jsonDepth } from "../../../core/protocol/json-depth.ts";
import { limits } from "../../../core/protocol/limits.ts";
import type { RelayLink, ToClient } from "../../../core/protocol/link.ts";
import type { TokenBucket } from "../../../core/protocol/rate-limits.ts";
import { encodeTerminalBytes } from "../../../core/protocol/terminal-bytes.ts";
import { pauseReading } from "../../system/pause-reading.ts";
import type { CutReason, MetricsRecorder } from "../metrics/metrics-recorder.ts";
import { FrameSender } from "./frame-sender.ts";
import { findLongOutput } from "./long-output.ts";

/** A client with more unread bytes than this is disconnected; it may resume. Terminal output has its own windows. */
const UNREAD_LIMIT = 16 * 1024 * 1024;
const PING_EVERY_MS = 20_000;

/**
 * Frames that a caller's clients may send together in a burst, and per second: several times what acknowledging the fastest
 * output needs.
 */
export const FRAMES = { capacity: 2000, perSecond: 20_000 } as const;
/** A frame counts once more for each of these bytes. */
const BYTES_PER_FRAME = 1024;
/**
 * A frame that takes longer to read than most of ours, or an answer to write, counts so often for each millisecond: those of one
 * caller take at most a quarter of the relay's time.
 */
const FRAMES_PER_MS = FRAMES.perSecond / 250;
const LONG_MS = 0.5;
/** Frames that have the relay do something count as often as they take longer than an acknowledgement. */
const PRICES: ReadonlyMap<ClientFrame["type"], number> = new Map([
  ["ask", 20],
  ["state", 20],
  ["listen", 20],
]);

/** Private WebSocket close codes, modelled on HTTP status codes. */
const CLOSE_MALFORMED = 4400;
const CLOSE_SLOW = 4408;
const CLOSE_OTHER = 4000;
/** How long a client may take to answer the close of its socket, in which it is served no more. */
const LINGER_MS = 500;

/** Close code of `ws` for a frame beyond `maxPayload`. */
const CLOSE_TOO_LONG = 1009;

/** The relay's end of a WebSocket, which says why it closes where `ws` gives a code alone. */
class ClientWebSocket extends WebSocket {
  override close(code?: number, reason?: string | Buffer): void {
    super.close(code, reason ?? (code === CLOSE_TOO_LONG ? "a frame is over 1 MiB: send less in one" : undefined));
  }
}

export const socketOptions = {
  maxPayload: limits.frameBytes,
  perMessageDeflate: false,
  WebSocket: ClientWebSocket,
} as const;

/**
 * Creates the relay's end of a client's WebSocket. Frames are validated before they are delivered.
 * @param helloMs milliseconds after which a client that has sent nothing is disconnected
 * @param frames what its caller may send, by all clients together: nothing is read while that is overspent
 */
export function socketLink(
  socket: WebSocket,
  {
    metrics,
    helloMs,
    frames,
  }: { readonly metrics: MetricsRecorder; readonly helloMs: number; readonly frames: TokenBucket },
): RelayLink {
  const early: ClientFrame[] = [];
  let receive: ((frame: ClientFrame) => void) | undefined;
  let alive = true;
  const pause = pauseReading(socket);
  const spend = (price: number, startedAt: number) => {
    const tookMs = performance.now() - startedAt;
    pause(frames.spend(tookMs < LONG_MS ? price : Math.max(price, tookMs * FRAMES_PER_MS)));
  };
  const disconnect = (reason: CutReason, code: number, sentence: string) => {
    metrics.cut(reason);
    close(socket, sentence, code);
  };
  const helloTimeout = setTimeout(() => disconnect("late hello", CLOSE_SLOW, "no hello in time"), helloMs);
  const ping = setInterval(() => {
    if (!alive) {
      metrics.cut("silent");
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
    clearTimeout(helloTimeout);
  });
  // The close event follows and is handled.
  socket.on("error", () => undefined);
  socket.on("message", (data, isBinary) => {
    alive = true;
    // Frames that arrive after the relay has closed the socket are dropped.
    if (socket.readyState !== socket.OPEN) return;
    const bytes = sizeOf(data);
    metrics.clientBytes("in", bytes);
    const startedAt = performance.now();
    const frame = isBinary ? undefined : parse(String(data));
    spend(bytes / BYTES_PER_FRAME + ((frame && PRICES.get(frame.type)) ?? 1), startedAt);
    if (frame === undefined) return disconnect("malformed", CLOSE_MALFORMED, "malformed frame");
    clearTimeout(helloTimeout);
    if (receive === undefined) early.push(frame);
    else receive(frame);
  });
  const sender = new FrameSender(socket, (bytes) => metrics.clientBytes("out", bytes));
  return {
    send(frame) {
      if (socket.readyState !== socket.OPEN) return;
      if (sender.unread > UNREAD_LIMIT) {
        disconnect("unread", CLOSE_SLOW, "too much left unread");
        return;
      }
      if (frame.type !== "answer") return sender.send(encode(frame));
      const startedAt = performance.now();
      const long = findLongOutput(frame, "value");
      if (long === undefined) sender.send(encode(frame));
      else sender.sendInPieces(long);
      spend(0, startedAt);
    },
    onFrame(listener) {
      receive = listener;
      for (const frame of early.splice(0)) listener(frame);
    },
    close: (reason, code = CLOSE_OTHER) => close(socket, reason, code),
    onClose(listener) {
      if (socket.readyState === socket.CLOSED) listener("closed");
      else socket.once("close", (_code, reason) => listener(String(reason) || "the connection was cut"));
    },
  };
}

/** What goes to all clients of a session, encoded once for all of them. */
const encoded = new WeakMap<ToClient, string>();

function encode(frame: ToClient): string | Uint8Array {
  if (frame.type === "bytes") return encodeTerminalBytes(frame);
  if (frame.type !== "diff" && frame.type !== "event") return JSON.stringify(frame satisfies RelayFrame);
  const known = encoded.get(frame);
  if (known !== undefined) return known;
  const text = JSON.stringify(frame satisfies RelayFrame);
  encoded.set(frame, text);
  return text;
}

function parse(text: string): ClientFrame | undefined {
  try {
    const frame: unknown = JSON.parse(text);
    return isDeeperThan(frame, jsonDepth.frame) ? undefined : parseClientFrame(frame);
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
