import type { WebSocket } from "ws";

/** What a client may have the relay read in one span: so many frames, of which one counts for each of so many bytes. */
const SPAN_MS = 100;
const FRAMES = 500;
const BYTES_A_FRAME = 2048;

/**
 * Makes a client that sends faster than anybody needs to wait, by not reading its socket for the rest of the span; others
 * go on meanwhile. Nothing is lost. Answers what to call for every message.
 */
export function frameBudget(socket: WebSocket): (bytes: number) => void {
  let left = FRAMES;
  let startedAt = performance.now();
  return (bytes) => {
    const now = performance.now();
    if (now - startedAt >= SPAN_MS) {
      startedAt = now;
      left = FRAMES;
    }
    left -= 1 + bytes / BYTES_A_FRAME;
    if (left > 0 || socket.isPaused) return;
    socket.pause();
    const timer = setTimeout(() => socket.resume(), SPAN_MS - (now - startedAt));
    socket.once("close", () => clearTimeout(timer));
  };
}
