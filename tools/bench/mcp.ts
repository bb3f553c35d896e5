import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import type { BenchContext } from "./bench-context.ts";
import type { BenchRow } from "./bench-row.ts";
import { quantileOf } from "./support/median.ts";
import { bounded, compared } from "./support/rows.ts";
import { serveRelay } from "./support/served-relay.ts";
import { measureInTurns, medianBy } from "./support/turns.ts";

const ROUNDS = 5;
const SECONDS = 2;
const WARM_UP_SECONDS = 2;
const TILES = 4;
const REVISION = "2025-06-18";

/**
 * Measures a command's round trip as a tool call of the Model Context Protocol over an open connection, beside the same
 * command over HTTP. Both are sent by the same caller over one kept connection of its own.
 */
export async function run({ stops }: BenchContext): Promise<BenchRow[]> {
  const relay = await serveRelay(stops);
  for (let tile = 0; tile < TILES; tile += 1) await relay.command("openTile", { type: "browser" });
  const command = relay.request("getTiles");
  const overHttp = caller(stops, new URL(command.path, relay.url), { ...command.headers });
  const byMcp = caller(stops, new URL("/v1/mcp", relay.url), {
    "X-Service-Token": relay.key,
    Accept: "application/json, text/event-stream",
  });
  const introduction = { protocolVersion: REVISION, capabilities: {}, clientInfo: { name: "bench", version: "1" } };
  const begun = await byMcp({ jsonrpc: "2.0", id: 1, method: "initialize", params: introduction });
  const connection = { "Mcp-Session-Id": String(begun.headers["mcp-session-id"]), "MCP-Protocol-Version": REVISION };
  const tool = { jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "getTiles", arguments: {} } };
  const calls = {
    http: () => overHttp(JSON.parse(command.body ?? "")),
    mcp: () => byMcp(tool, connection),
  };
  for (const call of Object.values(calls)) await timesOf(call, WARM_UP_SECONDS);
  const figures = await measureInTurns(ROUNDS, {
    http: () => timesOf(calls.http, SECONDS),
    mcp: () => timesOf(calls.mcp, SECONDS),
  });
  const p50 = (of: readonly number[][]) => medianBy(of, (times) => quantileOf(times, 0.5));
  const [http, mcp] = [p50(figures.http), p50(figures.mcp)];
  return [
    compared("getTiles as a tool call, p50", mcp, "ms", { name: "over HTTP", value: http }),
    bounded("what a tool call takes longer, p50", mcp - http, "ms", 2),
  ];
}

interface Answer {
  readonly headers: IncomingMessage["headers"];
}

type Caller = (body: object, headers?: Readonly<Record<string, string>>) => Promise<Answer>;

/** Returns what posts JSON and reads the answer. */
function caller(stops: BenchContext["stops"], url: URL, headers: Readonly<Record<string, string>>): Caller {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  stops.add(async () => agent.destroy());
  return async (body, more = {}) => {
    const asked = request(url, {
      agent,
      method: "POST",
      headers: { "Content-Type": "application/json", ...headers, ...more },
    });
    asked.end(JSON.stringify(body));
    const [answer] = (await once(asked, "response")) as [IncomingMessage];
    const said = await text(answer);
    if (answer.statusCode !== 200 || said.includes('"isError":true')) throw new Error(`${answer.statusCode} ${said}`);
    return answer;
  };
}

/** Calls one time after the other. @returns the milliseconds of each */
async function timesOf(call: () => Promise<unknown>, seconds: number): Promise<number[]> {
  const times: number[] = [];
  const end = performance.now() + seconds * 1000;
  for (let before = performance.now(); before < end; before = performance.now()) {
    await call();
    times.push(performance.now() - before);
  }
  return times;
}
