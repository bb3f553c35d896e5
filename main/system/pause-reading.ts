/** The part of a WebSocket of `ws` that is paused. */
interface Pausable {
  pause(): void;
  resume(): void;
  once(event: "close", listener: () => void): unknown;
}

/**
 * Returns a function that pauses reading from a socket for milliseconds, for each message that says so: no frame is lost.
 * Frames that the socket has read already still arrive, and extend the pause.
 */
export function pauseReading(socket: Pausable): (ms: number) => void {
  let pause: NodeJS.Timeout | undefined;
  socket.once("close", () => clearTimeout(pause));
  return (ms) => {
    if (ms === 0) return;
    clearTimeout(pause);
    socket.pause();
    pause = setTimeout(() => socket.resume(), ms);
  };
}
