import { get } from "node:http";
import { join } from "node:path";
import { Kvm } from "@nats-io/kv";
import { connect, type NatsConnection } from "@nats-io/transport-node";
import { readCredentials } from "../main/relay/fleet/credentials.ts";
import { createFleet } from "../main/relay/fleet/fleet-files.ts";
import type { BenchContext } from "./bench-context.ts";
import type { BenchRow } from "./bench-row.ts";
import { freePort } from "./support/free-port.ts";
import { type HttpTarget, loadOn } from "./support/http-load.ts";
import { quantileOf } from "./support/median.ts";
import { processorSeconds } from "./support/process-cost.ts";
import { compared } from "./support/rows.ts";
import { type ServedRelay, serveRelay, until } from "./support/served-relay.ts";
import { startProgram } from "./support/start-program.ts";
import type { Stops } from "./support/stops.mjs";
import { temporaryFolder } from "./support/temporary-folder.ts";
import { measureInTurns, medianBy } from "./support/turns.ts";

const ROUNDS = 5;
const SECONDS = 3;
const WARM_UP_REQUESTS = 5_000;
/** Members that only tell of themselves and subscribe, each for ten sessions. */
const SIMULATED = 300;
const SESSIONS_EACH = 10;
const OUTPUT_BYTES = 84_000_000;

/**
 * Measures commands and output through a foreign relay beside the same ones at the relay of the session: three relays and
 * the real nats-server with TLS, each a process of its own, then 300 simulated members more.
 */
export async function run({ stops, log }: BenchContext): Promise<BenchRow[]> {
  const fleet = await startFleet(stops);
  const rows = await commandRows(fleet, "3 relays");
  log("joining simulated members");
  await joinSimulated(fleet, stops);
  rows.push(...(await commandRows(fleet, `${SIMULATED} members more`)));
  const few = costIn(rows, "3 relays");
  const many = costIn(rows, `${SIMULATED} members more`);
  rows.push(
    compared(
      "processor time of a foreign command, many members",
      many,
      "µs",
      { name: "3 relays", value: few },
      { within: 1.15 },
    ),
  );
  rows.push(await outputRow(fleet));
  return rows;
}

interface BenchFleet {
  readonly folder: string;
  readonly url: string;
  readonly brokerPid: number;
  readonly laptop: ServedRelay;
  readonly box: ServedRelay;
}

async function startFleet(stops: Stops): Promise<BenchFleet> {
  const folder = temporaryFolder(stops);
  const port = await freePort();
  const simulated = Array.from({ length: SIMULATED }, (_, index) => nameOf(index));
  const members = ["laptop", "box", "desk", ...simulated];
  createFleet({ folder, owner: "bench", hosts: ["127.0.0.1"], listen: "127.0.0.1", port, members });
  const env = { PATH: `${process.env.PATH}:/usr/sbin` };
  const broker = startProgram(stops, "nats-server", ["-c", join(folder, "nats-server.conf")], { env, stdio: "ignore" });
  const url = `nats://127.0.0.1:${port}`;
  const start = (name: string) =>
    serveRelay(stops, { args: ["--fleet", url, "--fleet-creds", join(folder, `${name}.creds`)] });
  const [laptop, box] = [await start("laptop"), await start("box")];
  await start("desk");
  await until(async () => (await sessionsAt(laptop, box.key)).includes(box.session));
  return { folder, url, brokerPid: broker.child.pid ?? 0, laptop, box };
}

async function sessionsAt({ url }: ServedRelay, key: string): Promise<string> {
  return (await fetch(`${url}/v1/sessions`, { headers: { "X-Service-Token": key } })).text();
}

async function commandRows({ folder, url, laptop, box, brokerPid }: BenchFleet, name: string): Promise<BenchRow[]> {
  const local = box.request("getTiles");
  const foreign = { ...local, port: Number(new URL(laptop.url).port) };
  const pids = [laptop.pid, box.pid, brokerPid];
  const load = (target: HttpTarget) => async () => {
    const before = total(pids);
    const figures = await loadOn(target, 1, SECONDS);
    return { ...figures, cost: ((total(pids) - before) * 1e6) / (figures.perSecond * SECONDS) };
  };
  for (const target of [local, foreign]) await warmUp(target);
  const figures = await measureInTurns(ROUNDS, {
    local: load(local),
    foreign: load(foreign),
    roundTrip: () => roundTrip(join(folder, "laptop.creds"), url),
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
      `${name}: processor time of a foreign command`,
      cost(figures.foreign),
      "µs",
      { name: "local", value: cost(figures.local) },
      { within: 2.2 },
    ),
  ];
}

/** As many requests of each kind: by time, the slower one would be measured before its code is compiled. */
async function warmUp(target: HttpTarget): Promise<void> {
  for (let sent = 0; sent < WARM_UP_REQUESTS; ) sent += (await loadOn(target, 1, 1)).perSecond;
}

function costIn(rows: readonly BenchRow[], name: string): number {
  return rows.find((row) => row.name === `${name}: processor time of a foreign command`)?.value ?? 0;
}

function total(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + processorSeconds(pid), 0);
}

function dial(file: string, url: string): Promise<NatsConnection> {
  const { authenticator, ca = "", member } = readCredentials(file);
  const inboxPrefix = `patchbay.v1.bench.reply.${member}.nats`;
  return connect({ servers: url, authenticator, tls: { ca }, inboxPrefix });
}

/** A request and its reply between two connections, on subjects as the relays use them. */
async function roundTrip(file: string, url: string): Promise<{ p50: number }> {
  const [asking, answering] = [await dial(file, url), await dial(file, url)];
  answering.subscribe("patchbay.v1.bench.echo.command", {
    callback: (_error, message) => void message.respond(message.data),
  });
  const reply = `patchbay.v1.bench.reply.${readCredentials(file).member}.echo`;
  let arrived: () => void = () => undefined;
  asking.subscribe(reply, { callback: () => arrived() });
  await Promise.all([asking.flush(), answering.flush()]);
  const data = new Uint8Array(500);
  const times: number[] = [];
  for (let count = 0; count < 1_000; count += 1) {
    const before = performance.now();
    await new Promise<void>((resolve) => {
      arrived = resolve;
      asking.publish("patchbay.v1.bench.echo.command", data, { reply });
    });
    times.push(performance.now() - before);
  }
  await asking.close();
  await answering.close();
  return { p50: quantileOf(times, 0.5) };
}

function nameOf(index: number): string {
  return `simulated-${index}`;
}

async function joinSimulated({ folder, url }: BenchFleet, stops: Stops): Promise<void> {
  for (let index = 0; index < SIMULATED; index += 1) {
    const file = join(folder, `${nameOf(index)}.creds`);
    const connection = await dial(file, url);
    const { member, name } = readCredentials(file);
    const kv = await new Kvm(connection).open("patchbay_bench");
    const sessions = Array.from({ length: SESSIONS_EACH }, (_, count) => ({
      id: `${name}-${count}`,
      name: "default",
      owner: "bench",
      createdAt: new Date().toISOString(),
    }));
    for (const { id } of sessions)
      connection.subscribe(`patchbay.v1.bench.${id}.*`, { queue: "relay", callback: () => undefined });
    await kv.put(`relays.${member}`, JSON.stringify({ name, version: "0", joinedAt: Date.now(), sessions }));
    await kv.put(`beats.${member}`, "");
    const beat = setInterval(() => void kv.put(`beats.${member}`, ""), 10_000);
    stops.add(async () => {
      clearInterval(beat);
      await connection.close();
    });
  }
}

/** Prints in a shell, and reads that at the relay of the session and at another one. */
async function outputRow({ laptop, box }: BenchFleet): Promise<BenchRow> {
  const read = (relay: ServedRelay) => async () => {
    const { shellId } = (await box.command("createShell", { tile: false })) as { shellId: number };
    const startedAt = performance.now();
    const data = `yes 0123456789abcdef0123456789abcdef | head -c ${OUTPUT_BYTES}; exit\n`;
    const reading = readOutput(relay, box, shellId, () => box.command("writeToShell", { id: shellId, data }));
    const bytes = await reading;
    return { rate: bytes / 1e6 / ((performance.now() - startedAt) / 1000) };
  };
  const figures = await measureInTurns(2, { direct: read(box), foreign: read(laptop) });
  const direct = { name: "direct", value: medianBy(figures.direct, ({ rate }) => rate) };
  return compared(
    "84 MB of output at another relay",
    medianBy(figures.foreign, ({ rate }) => rate),
    "MB/s",
    direct,
    { atLeast: 0.5 },
  );
}

function readOutput(
  relay: ServedRelay,
  box: ServedRelay,
  shell: number,
  begin: () => Promise<unknown>,
): Promise<number> {
  const url = `${relay.url}/v1/sessions/${box.session}/shells/${shell}/output?since=0`;
  return new Promise((resolve, reject) => {
    get(url, { headers: { "X-Service-Token": box.key } }, (response) => {
      let bytes = 0;
      response.on("data", (piece: Buffer) => (bytes += piece.length));
      response.once("end", () => resolve(bytes));
      response.once("error", reject);
      begin().catch(reject);
    }).once("error", reject);
  });
}
