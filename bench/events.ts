import { Agent, request } from "node:http";
import type { BenchRow } from "./bench-row.ts";
import { quantileOf } from "./support/median.ts";
import { type ServedRelay, serveRelay } from "./support/served-relay.ts";

const CLIENTS = 63;
const EVENTS_A_SECOND = 500;
const SECONDS = 6;

/** 64 clients on one session (the headless one, and 63 over WebSockets): how late they hear of 500 events a second. */
export async function run(): Promise<BenchRow[]> {
  const relay = await serveRelay();
  try {
    return await heardOf(relay);
  } finally {
    await relay.stop();
  }
}

async function heardOf(relay: ServedRelay): Promise<BenchRow[]> {
  const late: number[] = [];
  for (let client = 0; client < CLIENTS; client += 1) {
    const joined = await relay.join();
    joined.onEvent((event) => {
      if (event.type !== "plugin.event") return;
      const { sentAt } = event.data.data as { sentAt: number };
      late.push(performance.now() - sentAt);
    });
  }
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  const startedAt = performance.now();
  let sent = 0;
  while (sent < EVENTS_A_SECOND * SECONDS) {
    const due = Math.floor(((performance.now() - startedAt) / 1000) * EVENTS_A_SECOND);
    for (; sent < due; sent += 1) broadcast(relay, agent);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  const took = (performance.now() - startedAt) / 1000;
  const wanted = sent * CLIENTS;
  const deadline = performance.now() + 10_000;
  while (late.length < wanted && performance.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 10));
  agent.destroy();
  const p99 = quantileOf(late, 0.99);
  return [
    { name: "events sent", value: Math.round(sent / took), unit: "a second" },
    {
      name: "events heard of those due",
      value: Number((late.length / wanted).toFixed(4)),
      unit: "",
      goal: "all",
      ok: late.length === wanted,
    },
    { name: "64 clients: request to event heard, p50", value: round(quantileOf(late, 0.5)), unit: "ms" },
    {
      name: "64 clients: request to event heard, p99",
      value: round(p99),
      unit: "ms",
      goal: "under 25 ms",
      ok: p99 < 25,
    },
  ];
}

function broadcast({ url, session, key }: ServedRelay, agent: Agent): void {
  const outgoing = request(`${url}/v1/sessions/${session}/remote/command`, {
    method: "POST",
    agent,
    headers: { "X-Service-Token": key, "Content-Type": "application/json" },
  });
  outgoing.on("response", (answer) => answer.resume());
  outgoing.end(
    JSON.stringify({ method: "broadcastEvent", params: { type: "tick", data: { sentAt: performance.now() } } }),
  );
}

function round(ms: number): number {
  return Number(ms.toFixed(2));
}
