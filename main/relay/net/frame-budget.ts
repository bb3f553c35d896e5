import type { WebSocket } from "ws";
import { TokenBucket } from "../../../core/protocol/rate-limits.ts";

/**
 * Frames that a client may have the relay read at once, and in a second after that: several times what acknowledging
 * the fastest output takes.
 */
const AT_ONCE = 2000;
const A_SECOND = 20_000;
/** A large frame counts as so many as it has of these. */
const BYTES_A_FRAME = 1024;

/**
 * Makes a client that sends faster than anybody needs to wait, by not reading its socket until it has had its time; others
 * go on meanwhile. Nothing is lost. Answers what to call for every message.
 */
export function frameBudget(socket: WebSocket): (bytes: number) => void {
  const bucket = new TokenBucket({ capacity: AT_ONCE, perSecond: A_SECOND }, () => performance.now());
  let pause: NodeJS.Timeout | undefined;
  socket.once("close", () => clearTimeout(pause));
  return (bytes) => {
    const wait = bucket.spend(1 + bytes / BYTES_A_FRAME);
    if (wait === 0) return;
    // What the socket has read already still comes, and is counted: then the time to wait is longer.
    clearTimeout(pause);
    socket.pause();
    pause = setTimeout(() => socket.resume(), wait);
  };
}
