import { mkdtempSync, rmSync } from "node:fs";
import { Agent, createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import express from "express";
import { Client } from "../core/client/client.ts";
import { Keys } from "../main/relay/keys.ts";
import { Relay } from "../main/relay/relay.ts";
import { openStore } from "../main/relay/store/open-store.ts";
import { Store } from "../main/relay/store/store.ts";
import { createShellHost } from "../main/shells/shell-host.ts";
import { shellsForRelay } from "../main/shells-for-relay.ts";
import type { BenchRow } from "./bench-row.ts";

const ROUNDS = 3;
const SECONDS = 2;

interface Target {
  readonly port: number;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}

interface Figures {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
}

/**
 * A command's round trip over HTTP, executed by a desktop client, beside a bare Express 5 that parses the same body and
 * answers the same bytes. Client and server share this process, in the same way for both.
 */
export async function run(): Promise<BenchRow[]> {
  const relay = await startRelay();
  const bare = await startBare(relay.target);
  try {
    const rows: BenchRow[] = [];
    for (const connections of [1, 32]) {
      const [own, base] = await alternately(relay.target, bare.target, connections);
      const ratio = own.perSecond / base.perSecond;
      const name = `getTiles, ${connections} connection${connections === 1 ? "" : "s"}`;
      rows.push(
        { name: `${name}: bare Express 5`, value: Math.round(base.perSecond), unit: "req/s" },
        { name: `${name}: Patchbay`, value: Math.round(own.perSecond), unit: "req/s" },
        { name: `${name}: p50`, value: Math.round(own.p50 * 1000), unit: "µs" },
        { name: `${name}: p99`, value: Math.round(own.p99 * 1000), unit: "µs" },
        { name: `${name}: ratio`, value: Number(ratio.toFixed(2)), unit: "", goal: "at least 0.7", ok: ratio >= 0.7 },
      );
    }
    return rows;
  } finally {
    bare.close();
    await relay.close();
  }
}

async function startRelay() {
  const folder = mkdtempSync(join(tmpdir(), "patchbay-bench-"));
  const store = new Store(openStore(folder).database);
  const log = { debug() {}, info() {}, warn() {}, error: console.error };
  const relay = new Relay({
    store,
    log,
    version: "0",
    docsFolder: folder,
    pagesFolder: folder,
    agents: { cost: () => ({ total: none, byModel: [], agents: [] }), sessions: () => [], events: async () => [] },
    shellHostFor: () => shellsForRelay(createShellHost({ integrationFolder: join(folder, "shell") }), () => undefined),
  });
  const { port } = await relay.listen({ port: 0 });
  const session = relay.sessions.default(relay.user);
  const client = new Client({
    kind: "desktop",
    device: "bench",
    toast() {},
    notify() {},
    viewport: () => ({ cols: 160, rows: 48 }),
  });
  await client.connect(relay.attachLocal(session.id, { name: relay.user, role: "admin" }));
  for (let tile = 0; tile < 4; tile += 1) await client.execute("openTile", { type: "browser" });
  const { secret } = new Keys(store).create({ owner: relay.user, name: "bench" });
  const target: Target = {
    port,
    path: `/v1/sessions/${session.id}/remote/command`,
    headers: { "x-service-token": secret },
    body: JSON.stringify({ method: "getTiles", params: {} }),
  };
  return {
    target,
    async close() {
      await relay.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const none = { input: 0, output: 0, cached: 0, cost: 0 };

async function startBare(like: Target) {
  const answer = JSON.parse(await send(like, new Agent())) as unknown;
  const app = express();
  app.post("/command", express.json(), (_request, response) => {
    response.json(answer);
  });
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { target: { ...like, port, path: "/command" }, close: () => server.close() };
}

/** Medians of several rounds, taken in turn so that a slower minute hits both. */
async function alternately(a: Target, b: Target, connections: number): Promise<[Figures, Figures]> {
  await Promise.all([measure(a, connections, 0.5), measure(b, connections, 0.5)]);
  const [first, second]: [Figures[], Figures[]] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    first.push(await measure(a, connections, SECONDS));
    second.push(await measure(b, connections, SECONDS));
  }
  return [middle(first), middle(second)];
}

function middle(figures: Figures[]): Figures {
  const sorted = figures.toSorted((one, other) => one.perSecond - other.perSecond);
  return sorted[sorted.length >> 1] ?? { perSecond: 0, p50: 0, p99: 0 };
}

async function measure(target: Target, connections: number, seconds: number): Promise<Figures> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const times: number[] = [];
  const end = performance.now() + seconds * 1000;
  const started = performance.now();
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (performance.now() < end) {
        const before = performance.now();
        await send(target, agent);
        times.push(performance.now() - before);
      }
    }),
  );
  const took = (performance.now() - started) / 1000;
  agent.destroy();
  times.sort((one, other) => one - other);
  const at = (share: number) => times[Math.floor(times.length * share)] ?? 0;
  return { perSecond: times.length / took, p50: at(0.5), p99: at(0.99) };
}

function send({ port, path, headers, body }: Target, agent: Agent): Promise<string> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        port,
        path,
        agent,
        host: "127.0.0.1",
        method: "POST",
        headers: { ...headers, "content-type": "application/json", "content-length": Buffer.byteLength(body) },
      },
      (answer) => {
        let text = "";
        answer.setEncoding("utf8");
        answer.on("data", (piece: string) => {
          text += piece;
        });
        answer.on("end", () => (answer.statusCode === 200 ? resolve(text) : reject(new Error(text))));
      },
    );
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}
