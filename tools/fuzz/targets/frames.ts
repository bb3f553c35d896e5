import { ClientFrame } from "../../../core/protocol/frames.ts";
import { isDeeperThan, jsonDepth } from "../../../core/protocol/json-depth.ts";
import { linkedPair } from "../../../core/protocol/link.ts";
import { checkFailures, makeRelay } from "../fuzzed-relay.ts";

const relay = makeRelay();
const session = relay.sessions.default(relay.user);

export const seeds = [
  [
    { type: "hello", protocol: 1, device: "fuzz", clientKind: "browser" },
    { type: "state", focus: 1, workspace: 0, saved: {} },
    { type: "ask", id: 1, op: "sendChat", params: { text: "x" } },
    { type: "listen", shell: 1, window: 4096, from: 0 },
    { type: "acknowledge", shell: 1, bytes: 10 },
    { type: "result", id: 1, value: null, hit: { tile: 1 } },
    { type: "delegate", id: 1, op: "writeShell", params: { shell: 1, data: "x" } },
    { type: "failed", id: 2, error: { code: "internal", message: "x" } },
    { type: "unlisten", shell: 1 },
  ],
].map((frames) => Buffer.from(`A\n${frames.map((frame) => JSON.stringify(frame)).join("\n")}`));

/** A hostile client's frames, one per line, after the checks of a socket. */
export async function fuzz(data: Buffer): Promise<void> {
  const pair = linkedPair();
  session.clients.join(pair.relay, { name: "fuzz", role: data[0] === 65 ? "admin" : "reader" });
  for (const line of data.toString("utf8").split("\n")) {
    const frame = frameOf(line);
    if (frame !== undefined) pair.client.send(frame);
  }
  await new Promise((resolve) => setImmediate(resolve));
  pair.client.close("enough");
  // Without resumption, so that seats kept for two minutes do not count as growth.
  for (const { id } of session.clients.connected) session.clients.disconnect(id, "enough");
  checkFailures();
}

function frameOf(line: string): ClientFrame | undefined {
  try {
    const frame: unknown = JSON.parse(line);
    return isDeeperThan(frame, jsonDepth.frame) ? undefined : ClientFrame.safeParse(frame).data;
  } catch {
    return undefined;
  }
}
