import type { IncomingMessage, ServerResponse } from "node:http";
import { RemoteError } from "../../../core/protocol/errors.ts";
import { Lifetime } from "../../../core/protocol/lifetime.ts";

/**
 * Returns a lifetime that ends with the given one, and when the caller closes its connection before it has the answer. A
 * process that was killed only ends its half of the connection, so that half counts: what waits an hour would notice the
 * other half's end with its first byte only.
 */
export function untilGone(
  request: IncomingMessage,
  response: ServerResponse,
  credential: Lifetime | undefined,
): Lifetime {
  const lifetime = new Lifetime();
  const { socket } = request;
  const release = credential?.onEnd((reason) => void lifetime.end(reason));
  const end = () => {
    release?.();
    socket.off("end", end);
    lifetime.end(new RemoteError("client_gone", "The caller has closed its connection."));
  };
  socket.once("end", end);
  response.once("close", end);
  if (socket.readableEnded || socket.destroyed) end();
  return lifetime;
}
