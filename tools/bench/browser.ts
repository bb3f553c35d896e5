import { once } from "node:events";
import { WebSocket } from "ws";
import type { BenchContext } from "./bench-context.ts";
import type { BenchRow } from "./bench-row.ts";
import { startBareServer } from "./support/bare-server.ts";
import { loadOn } from "./support/http-load.ts";
import { medianOf } from "./support/median.ts";
import { compared, plain } from "./support/rows.ts";
import { serveRelay } from "./support/served-relay.ts";
import { measureInTurns } from "./support/turns.ts";

const ROUNDS = 5;
const SECONDS = 2;
const ECHOES = 2_000;
const TILES = 4;

/**
 * Measures a command's round trip over HTTP when a client over a WebSocket executes it: caller to relay, relay to
 * client, and back. The baseline is the cost of the two hops alone: an echo of a frame of the same size over a bare
 * WebSocket, and a bare Express 5 with the same body. Caller and client are in this process, the servers in their own.
 */
export async function run({ stops }: BenchContext): Promise<BenchRow[]> {
  const relay = await serveRelay(stops, { client: false });
  const client = await relay.join();
  for (let tile = 0; tile < TILES; tile += 1) await client.execute("openTile", { type: "browser" });
  const result = await relay.command("getTiles");
  const own = relay.request("getTiles");
  const { port } = await startBareServer(stops, { result });
  const bare = { ...own, port, path: "/command" };
  const socket = new WebSocket(`ws://127.0.0.1:${port}/echo`, { perMessageDeflate: false });
  await once(socket, "open");
  stops.add(() => socket.terminate());
  const frame = JSON.stringify({ type: "result", id: 1, result });

  for (const target of [own, bare]) await loadOn(target, 1, 1);
  const { whole, express, echo } = await measureInTurns(ROUNDS, {
    whole: async () => (await loadOn(own, 1, SECONDS)).p50,
    express: async () => (await loadOn(bare, 1, SECONDS)).p50,
    echo: () => echoTime(socket, frame),
  });
  const [hop, call] = [medianOf(echo) * 1000, medianOf(express) * 1000];
  return [
    plain("bare ws echo, p50", hop, "µs"),
    plain("bare Express 5, p50", call, "µs"),
    compared(
      "getTiles by a client over a WebSocket, p50",
      medianOf(whole) * 1000,
      "µs",
      { name: "the two together", value: hop + call },
      { within: 2.5 },
    ),
  ];
}

/** Returns the median time of an echo in milliseconds. */
async function echoTime(socket: WebSocket, frame: string): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ECHOES; round += 1) {
    const startedAt = performance.now();
    const echoed = new Promise((resolve) => socket.once("message", resolve));
    socket.send(frame);
    await echoed;
    times.push(performance.now() - startedAt);
  }
  return medianOf(times);
}
