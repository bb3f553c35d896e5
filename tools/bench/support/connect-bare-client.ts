import type { WebSocket } from "ws";
import { PROTOCOL_VERSION } from "../../../core/protocol/frames.ts";
import type { ServedRelay } from "./served-relay.ts";

/**
 * Connects a client that does nothing by itself: for many subscribers in one process, where whole clients would dominate
 * the measurement, and for subscribers that misbehave.
 */
export async function connectBareClient(relay: ServedRelay): Promise<WebSocket> {
  const socket = await relay.socket();
  const welcomed = new Promise<void>((resolve, reject) => {
    socket.once("message", () => resolve());
    socket.once("close", (_code, reason) => reject(new Error(`the relay hung up: ${reason}`)));
  });
  socket.send(JSON.stringify({ type: "hello", protocol: PROTOCOL_VERSION, device: "bench", clientKind: "browser" }));
  await welcomed;
  return socket;
}
