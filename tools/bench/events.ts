import { once } from "node:events";
import { Agent, request } from "node:http";
import { WebSocket } from "ws";
import type { BenchContext } from "./bench-context.ts";
import type { BenchRow } from "./bench-row.ts";
import { startBareServer } from "./support/bare-server.ts";
import { connectBareClient } from "./support/connect-bare-client.ts";
import { medianOf, quantileOf } from "./support/median.ts";
import { bounded, compared, plain } from "./support/rows.ts";
import { serveRelay } from "./support/served-relay.ts";
import type { Stops } from "./support/stops.mjs";
import { measureInTurns, medianBy } from "./support/turns.ts";

/** The headless client, which executes the broadcast, is the 64th. */
const CLIENTS = 63;
const EVENTS_A_SECOND = 500;
const SECONDS = 5;
const ROUNDS = 3;
const ARRIVE_WITHIN_MS = 30_000;

/**
 * Measures the delay of 500 events a second to 64 clients of one session, from the caller's request to each client. The
 * baseline is a bare Express 5 that forwards its requests to as many bare WebSockets. All subscribers are in this
 * process on both sides, so they are bare sockets: the cost of whole clients would dominate the measurement.
 */
export async function run({ stops }: BenchContext): Promise<BenchRow[]> {
  const own = await patchbay(stops);
  const bare = await bareFanOut(stops);
  const figures = await measureInTurns(ROUNDS, { own: () => measureDelays(own), bare: () => measureDelays(bare) });
  const heard = Math.min(...figures.own.map((one) => one.heard));
  const row = (at: "p50" | "p99") => {
    const baseline = { name: "bare Express 5 and ws", value: medianBy(figures.bare, (one) => one[at]) };
    const value = medianBy(figures.own, (one) => one[at]);
    const name = `64 clients: request to event heard, ${at}`;
    return at === "p99" ? bounded(name, value, "ms", 25, baseline) : compared(name, value, "ms", baseline);
  };
  return [
    plain("events sent", medianOf(figures.own.map((one) => one.sentPerSecond)), "a second"),
    { ...plain("events heard of those due", heard, ""), goal: "all", ok: heard === 1 },
    row("p50"),
    row("p99"),
  ];
}

interface Session {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Returns the body of the request that broadcasts the data. */
  bodyOf(data: SentEvent): object;
  /** Registers the listener for every event that any client receives. */
  onReceived(listener: (data: SentEvent) => void): void;
}

interface SentEvent {
  readonly sentAt: number;
}

async function patchbay(stops: Stops): Promise<Session> {
  const relay = await serveRelay(stops);
  let notify: (data: SentEvent) => void = () => {};
  for (let client = 0; client < CLIENTS; client += 1) {
    const socket = await connectBareClient(relay);
    socket.on("message", (data) => {
      const text = String(data);
      if (text.includes('"plugin.event"'))
        notify((JSON.parse(text) as { event: { data: { data: SentEvent } } }).event.data.data);
    });
  }
  return {
    url: `${relay.url}/v1/sessions/${relay.session}/remote/command`,
    headers: { "X-Service-Token": relay.key },
    bodyOf: (data) => ({ method: "broadcastEvent", params: { type: "tick", data } }),
    onReceived(heard) {
      notify = heard;
    },
  };
}

async function bareFanOut(stops: Stops): Promise<Session> {
  const { port } = await startBareServer(stops);
  let notify: (data: SentEvent) => void = () => {};
  for (let client = 0; client < CLIENTS; client += 1) {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/events`, { perMessageDeflate: false });
    await once(socket, "open");
    stops.add(() => socket.terminate());
    socket.on("message", (text) => notify(JSON.parse(String(text)) as SentEvent));
  }
  return {
    url: `http://127.0.0.1:${port}/broadcast`,
    headers: {},
    bodyOf: (data) => data,
    onReceived(listener) {
      notify = listener;
    },
  };
}

async function measureDelays(session: Session) {
  const late: number[] = [];
  const startedAt = performance.now();
  session.onReceived(({ sentAt }) => {
    // An event of an earlier round does not count in this one.
    if (sentAt >= startedAt) late.push(performance.now() - sentAt);
  });
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  let sent = 0;
  while (sent < EVENTS_A_SECOND * SECONDS) {
    const due = Math.floor(((performance.now() - startedAt) / 1000) * EVENTS_A_SECOND);
    for (; sent < due; sent += 1) broadcast(session, agent);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  const took = (performance.now() - startedAt) / 1000;
  const wanted = sent * CLIENTS;
  const deadline = performance.now() + ARRIVE_WITHIN_MS;
  while (late.length < wanted && performance.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 10));
  agent.destroy();
  return {
    sentPerSecond: sent / took,
    heard: Number((late.length / wanted).toFixed(4)),
    p50: quantileOf(late, 0.5),
    p99: quantileOf(late, 0.99),
  };
}

function broadcast({ url, headers, bodyOf }: Session, agent: Agent): void {
  const outgoing = request(url, { method: "POST", agent, headers: { ...headers, "Content-Type": "application/json" } });
  outgoing.on("response", (answer) => answer.resume());
  outgoing.on("error", () => undefined);
  outgoing.end(JSON.stringify(bodyOf({ sentAt: performance.now() })));
}
