import type { WebSocket } from "ws";

/**
 * Frames that a client may have the relay read at once, and in a millisecond after that: several times what acknowledging
 * the fastest output takes.
 */
const AT_ONCE = 2000;
const A_MILLISECOND = 20;
/** A large frame counts as so many as it has of these. */
const BYTES_A_FRAME = 1024;

/**
 * Makes a client that sends faster than anybody needs to wait, by not reading its socket until it has had its time; others
 * go on meanwhile. Nothing is lost. Answers what to call for every message.
 */
export function frameBudget(socket: WebSocket): (bytes: number) => void {
  let left = AT_ONCE;
  let countedAt = performance.now();
  let pause: NodeJS.Timeout | undefined;
  socket.once("close", () => clearTimeout(pause));
  return (bytes) => {
    const now = performance.now();
    left = Math.min(AT_ONCE, left + (now - countedAt) * A_MILLISECOND) - 1 - bytes / BYTES_A_FRAME;
    countedAt = now;
    if (left > 0) return;
    // What the socket has read already still comes, and is counted: then the time to wait is longer.
    clearTimeout(pause);
    socket.pause();
    pause = setTimeout(() => socket.resume(), -left / A_MILLISECOND);
  };
}
