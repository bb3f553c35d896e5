import type { IncomingMessage, ServerResponse } from "node:http";

/**
 * Returns a signal that is aborted when the caller closes its connection before it has the answer. A process that was
 * killed only ends its half of the connection, so that half counts: what waits an hour would notice the other half's end
 * with its first byte only.
 */
export function untilGone(request: IncomingMessage, response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  const { socket } = request;
  const end = () => {
    socket.off("end", end);
    // Not after the answer: an abort makes an error with its stack, a tenth of a short request's time.
    if (!response.writableFinished) gone.abort();
  };
  socket.once("end", end);
  response.once("close", end);
  if (socket.readableEnded || socket.destroyed) end();
  return gone.signal;
}
