import type { WebSocket } from "ws";
import { PROTOCOL_VERSION } from "../../core/protocol/frames.ts";
import type { ServedRelay } from "./served-relay.ts";

/**
 * A client that has been welcomed and does nothing by itself: for listeners that are many in one process, where what
 * whole clients cost would be measured in place of the relay, and for those that misbehave.
 */
export async function joinBare(relay: ServedRelay): Promise<WebSocket> {
  const socket = await relay.socket();
  const welcomed = new Promise<void>((resolve, reject) => {
    socket.once("message", () => resolve());
    socket.once("close", (_code, reason) => reject(new Error(`the relay hung up: ${reason}`)));
  });
  socket.send(JSON.stringify({ type: "hello", protocol: PROTOCOL_VERSION, device: "bench", clientKind: "browser" }));
  await welcomed;
  return socket;
}
