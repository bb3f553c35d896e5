import { setTimeout as delay } from "node:timers/promises";
import { connect, type NatsConnection } from "@nats-io/transport-node";
import { readCredentials } from "../../../main/relay/fleet/credentials.ts";
import type { BenchRow } from "../bench-row.ts";
import { type HttpTarget, loadOn } from "../support/http-load.ts";
import { quantileOf } from "../support/median.ts";
import { processorSeconds } from "../support/process-cost.ts";
import { compared } from "../support/rows.ts";
import { type ServedRelay, serveRelay, until } from "../support/served-relay.ts";
import type { Stops } from "../support/stops.mjs";
import { measureInTurns, medianBy } from "../support/turns.ts";
import type { Broker } from "./broker.ts";

const ROUNDS = 3;
const SECONDS = 3;
const IDLE_SECONDS = 5;
const WARM_UP_REQUESTS = 5_000;
const ROUND_TRIPS = 1_000;
export const REAL_RELAYS = ["laptop", "box", "desk"];

/** Three built relays at a broker, each a process of its own. */
export interface RealRelays {
  readonly owner: string;
  readonly broker: Broker;
  readonly laptop: ServedRelay;
  readonly box: ServedRelay;
}

export async function startRealRelays(stops: Stops, broker: Broker, owner: string): Promise<RealRelays> {
  const start = (name: string) =>
    serveRelay(stops, { args: ["--fleet", broker.url, "--fleet-creds", broker.credentialsOf(owner, name)] });
  const [laptop, box] = [await start("laptop"), await start("box")];
  await start("desk");
  await until(async () => (await sessionsAt(laptop, box.key)).includes(box.session));
  return { owner, broker, laptop, box };
}

async function sessionsAt({ url }: ServedRelay, key: string): Promise<string> {
  return (await fetch(`${url}/v1/sessions`, { headers: { "X-Service-Token": key } })).text();
}

/** The same command at the relay of the session, and at another one. */
function targetsOf({ laptop, box }: RealRelays): { local: HttpTarget; foreign: HttpTarget } {
  const local = box.request("getTiles");
  return { local, foreign: { ...local, port: Number(new URL(laptop.url).port) } };
}

/** Measures commands over HTTP at the relay of the session and at another one, in turn. */
export async function commandRows(relays: RealRelays, name: string): Promise<BenchRow[]> {
  const { owner, broker, laptop, box } = relays;
  const { local, foreign } = targetsOf(relays);
  const pids = [laptop.pid, box.pid, broker.pid];
  const idle = await idleCores(pids);
  const load = (target: HttpTarget) => async () => {
    const before = total(pids);
    const figures = await loadOn(target, 1, SECONDS);
    const used = total(pids) - before - idle * SECONDS;
    return { ...figures, cost: (used * 1e6) / (figures.perSecond * SECONDS) };
  };
  const figures = await measureInTurns(ROUNDS, {
    local: load(local),
    foreign: load(foreign),
    roundTrip: () => roundTrip(broker, owner),
  });
  const p50 = (of: readonly { readonly p50: number }[]) => medianBy(of, (figure) => figure.p50) * 1000;
  const cost = (of: readonly { readonly cost: number }[]) => medianBy(of, (figure) => figure.cost);
  const sum = p50(figures.local) + p50(figures.roundTrip);
  return [
    compared(
      `${name}: p50 of a foreign command`,
      p50(figures.foreign),
      "µs",
      { name: "local + a NATS round trip", value: sum },
      { within: 2 },
    ),
    compared(
      costName(name),
      cost(figures.foreign),
      "µs",
      { name: "local", value: cost(figures.local) },
      { within: 2.2 },
    ),
  ];
}

/** Name of the row with the processor time of a foreign command. */
export function costName(name: string): string {
  return `${name}: processor time of a foreign command`;
}

/** As many requests of each kind: by time, the slower one would be measured before its code is compiled. */
export async function warmUp(relays: RealRelays): Promise<void> {
  for (const target of Object.values(targetsOf(relays))) {
    for (let sent = 0; sent < WARM_UP_REQUESTS; ) sent += (await loadOn(target, 1, 1)).perSecond;
  }
}

/** Cores that the processes keep busy with the heartbeats of all members, which no command pays for. */
async function idleCores(pids: readonly number[]): Promise<number> {
  const before = total(pids);
  await delay(IDLE_SECONDS * 1000);
  return (total(pids) - before) / IDLE_SECONDS;
}

function total(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + processorSeconds(pid), 0);
}

/** A connection to the broker with a member's credentials. */
export function dial(broker: Broker, owner: string, member: string): Promise<NatsConnection> {
  const credentials = readCredentials(broker.credentialsOf(owner, member));
  const inboxPrefix = `patchbay.v1.${owner}.reply.${credentials.member}.nats`;
  const { authenticator, ca = "" } = credentials;
  return connect({ servers: broker.url, authenticator, tls: { ca }, inboxPrefix });
}

/** A request and its reply between two connections, on subjects as the relays use them. */
async function roundTrip(broker: Broker, owner: string): Promise<{ p50: number }> {
  const [asking, answering] = [await dial(broker, owner, "laptop"), await dial(broker, owner, "laptop")];
  const subject = `patchbay.v1.${owner}.echo.command`;
  answering.subscribe(subject, { callback: (_error, message) => void message.respond(message.data) });
  const reply = `patchbay.v1.${owner}.reply.${readCredentials(broker.credentialsOf(owner, "laptop")).member}.echo`;
  let arrived: () => void = () => undefined;
  asking.subscribe(reply, { callback: () => arrived() });
  await Promise.all([asking.flush(), answering.flush()]);
  const data = new Uint8Array(500);
  const times: number[] = [];
  for (let count = 0; count < ROUND_TRIPS; count += 1) {
    const before = performance.now();
    await new Promise<void>((resolve) => {
      arrived = resolve;
      asking.publish(subject, data, { reply });
    });
    times.push(performance.now() - before);
  }
  await asking.close();
  await answering.close();
  return { p50: quantileOf(times, 0.5) };
}
