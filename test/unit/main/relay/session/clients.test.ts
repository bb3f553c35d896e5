import { once } from "node:events";
import { expect, test } from "vitest";
import { WebSocket } from "ws";
import { startPaperRelay } from "../paper-relay.ts";

test("a client that says hello after its session was removed is sent away, and the relay goes on", async () => {
  await using relay = await startPaperRelay();
  const extra = relay.relay.sessions.create(relay.relay.user, "short");
  const address = `${relay.url.replace("http", "ws")}/v1/sessions/${extra.id}/socket`;
  const socket = new WebSocket(address, { headers: { "X-Service-Token": relay.key } });
  await once(socket, "open");
  await relay.relay.sessions.remove(extra.id);
  const closed = once(socket, "close");
  socket.send(JSON.stringify({ type: "hello", protocol: 2, device: "late", clientKind: "browser" }));
  const [, reason] = await closed;
  expect(String(reason)).toBe("the session was closed");
  expect((await relay.request("GET", "/v1/health")).status).toBe(200);
});
