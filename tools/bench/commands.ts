import type { BenchContext } from "./bench-context.ts";
import type { Baseline, BenchRow } from "./bench-row.ts";
import { startBareServer } from "./support/bare-server.ts";
import { type HttpTarget, type LoadFigures, loadOn } from "./support/http-load.ts";
import { PeerMissing } from "./support/peers.ts";
import { compared, missing } from "./support/rows.ts";
import { serveRelay } from "./support/served-relay.ts";
import { startProgram } from "./support/start-program.ts";
import type { Stops } from "./support/stops.mjs";
import { measureInTurns, medianBy } from "./support/turns.ts";
import { startVibeTunnel, type VibeTunnel } from "./support/vibetunnel.ts";

const ROUNDS = 5;
const SECONDS = 2;
const WARM_UP_SECONDS = 1;
const TILES = 4;
const BUSY_PROCESSES = 2;

/**
 * Measures a command's round trip over HTTP, executed by the desktop client of a headless relay. The baselines are a
 * bare Express 5 that parses the same body and returns the same bytes, and VibeTunnel's list of as many sessions as
 * there are tiles. Each server is a process of its own. Last, both run beside two processes that keep a core busy each.
 */
export async function run(context: BenchContext): Promise<BenchRow[]> {
  const { own, bare } = await startBoth(context.stops);
  const peer = await startVibeTunnel(context);
  if (!(peer instanceof PeerMissing)) for (let one = 0; one < TILES; one += 1) await peer.open(["/bin/sh"]);
  const rows: BenchRow[] = [];
  for (const connections of [1, 32]) {
    rows.push(...(await rowsWith(connections, { own, bare, peer })), await sessionListRow(connections, { own, peer }));
  }
  for (let busy = 0; busy < BUSY_PROCESSES; busy += 1) {
    startProgram(context.stops, process.execPath, ["-e", "for (;;);"]);
  }
  for (const connections of [1, 32]) rows.push(await busyRow(connections, { own, bare }));
  return rows;
}

/** Compares both beside busy processes, which take the same from each. */
async function busyRow(connections: number, { own, bare }: Pick<Targets, "own" | "bare">): Promise<BenchRow> {
  const figures = await measureInTurns(ROUNDS, {
    own: () => loadOn(own, connections, SECONDS),
    bare: () => loadOn(bare, connections, SECONDS),
  });
  const perSecond = (of: readonly LoadFigures[]) => medianBy(of, (figure) => figure.perSecond);
  const baseline = { name: "bare Express 5", value: perSecond(figures.bare) };
  const name = `getTiles, ${nameOf(connections)}, beside ${BUSY_PROCESSES} busy processes`;
  return compared(name, perSecond(figures.own), "req/s", baseline, { atLeast: 0.7 });
}

function nameOf(connections: number): string {
  return `${connections} connection${connections === 1 ? "" : "s"}`;
}

/** Compares the lists of sessions, which need no client in either. */
async function sessionListRow(connections: number, { own, peer }: Pick<Targets, "own" | "peer">): Promise<BenchRow> {
  const name = `session list, ${nameOf(connections)}`;
  if (peer instanceof PeerMissing) return missing(`${name}: beside VibeTunnel's`, peer.why);
  const lists = {
    own: { port: own.port, method: "GET", path: "/v1/sessions", headers: own.headers ?? {} },
    peer: listOf(peer),
  } as const;
  for (const list of Object.values(lists)) await loadOn(list, connections, WARM_UP_SECONDS);
  const figures = await measureInTurns(ROUNDS, {
    own: () => loadOn(lists.own, connections, SECONDS),
    peer: () => loadOn(lists.peer, connections, SECONDS),
  });
  const perSecond = (of: readonly LoadFigures[]) => medianBy(of, (figure) => figure.perSecond);
  const baseline = { name: `${peer.name}, session list`, value: perSecond(figures.peer) };
  return compared(name, perSecond(figures.own), "req/s", baseline, { atLeast: 5 });
}

interface Targets {
  readonly own: HttpTarget;
  readonly bare: HttpTarget;
  readonly peer: VibeTunnel | PeerMissing;
}

async function startBoth(stops: Stops): Promise<{ own: HttpTarget; bare: HttpTarget }> {
  const relay = await serveRelay(stops);
  for (let tile = 0; tile < TILES; tile += 1) await relay.command("openTile", { type: "browser" });
  const own = relay.request("getTiles");
  const { port } = await startBareServer(stops, { result: await relay.command("getTiles") });
  return { own, bare: { ...own, port, path: "/command" } };
}

async function rowsWith(connections: number, { own, bare, peer }: Targets): Promise<BenchRow[]> {
  const name = `getTiles, ${nameOf(connections)}`;
  const load = (target: HttpTarget) => () => loadOn(target, connections, SECONDS);
  const list = peer instanceof PeerMissing ? undefined : listOf(peer);
  for (const target of [own, bare, list]) if (target) await loadOn(target, connections, WARM_UP_SECONDS);
  const figures = await measureInTurns(ROUNDS, {
    own: load(own),
    bare: load(bare),
    peer: async () => (list === undefined ? undefined : loadOn(list, connections, SECONDS)),
  });
  const beside = (of: (figure: LoadFigures) => number): Baseline => ({
    name: "bare Express 5",
    value: medianBy(figures.bare, of),
  });
  const perSecond = medianBy(figures.own, (figure) => figure.perSecond);
  const latency = (of: "p50" | "p99") =>
    compared(
      `${name}: ${of}`,
      medianBy(figures.own, (figure) => figure[of]) * 1000,
      "µs",
      scaled(beside((figure) => figure[of])),
    );
  const listed = figures.peer.flatMap((figure) => figure ?? []);
  return [
    compared(
      name,
      perSecond,
      "req/s",
      beside((figure) => figure.perSecond),
      { atLeast: 0.7 },
    ),
    latency("p50"),
    latency("p99"),
    peer instanceof PeerMissing
      ? missing(`${name}: beside VibeTunnel's session list`, peer.why)
      : compared(name, perSecond, "req/s", {
          name: `${peer.name}, session list`,
          value: medianBy(listed, (figure) => figure.perSecond),
        }),
  ];
}

function scaled({ name, value }: Baseline): Baseline {
  return { name, value: value * 1000 };
}

function listOf({ port }: VibeTunnel): HttpTarget {
  return { port, method: "GET", path: "/api/sessions" };
}
