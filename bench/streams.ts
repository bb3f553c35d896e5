import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "../core/client/client.ts";
import type { ShellId } from "../core/protocol/ids.ts";
import { spawnPty } from "../main/shells/pty.ts";
import type { BenchRow } from "./bench-row.ts";
import { medianOf } from "./support/median.ts";
import { residentOf } from "./support/process-cost.ts";
import { type ServedRelay, serveRelay, until } from "./support/served-relay.ts";

const LINE = "\u001b[32mgreen\u001b[0m some words and \u001b[38;5;200mpink\u001b[0m 0123456789 the quick brown fox\n";
const FILE_BYTES = 84_000_000;
const STALL_BYTES = 1_000_000_000;
const ROUNDS = 3;
const KEYS = 300;

/**
 * Terminal bytes through the relay as a process of its own, to listeners over WebSockets in this process, beside node-pty
 * alone in this process; and what a listener that stops reading costs the relay.
 */
export async function run(): Promise<BenchRow[]> {
  const relay = await serveRelay();
  try {
    writeFileSync(join(relay.folder, "coloured"), LINE.repeat(Math.ceil(FILE_BYTES / LINE.length)));
    const [raw, one, eight]: [number[], number[], number[]] = [[], [], []];
    for (let round = 0; round < ROUNDS; round += 1) {
      raw.push(await rawRate(relay.folder));
      one.push(await relayRate(relay, 1));
      eight.push(await relayRate(relay, 8));
    }
    const rows = [
      { name: "84 MB: baseline node-pty", value: Math.round(medianOf(raw)), unit: "MB/s" },
      rate("84 MB to 1 listener", medianOf(one), medianOf(raw), 0.75),
      rate("84 MB to 8 listeners", medianOf(eight), medianOf(raw), 0.4),
    ];
    return [...rows, ...(await echoRows(relay)), await stallRow(relay)];
  } finally {
    await relay.stop();
  }
}

function rate(name: string, value: number, baseline: number, least: number): BenchRow {
  const ok = value >= least * baseline;
  return { name, value: Math.round(value), unit: "MB/s", goal: `at least ${least} of node-pty`, ok };
}

interface Tile {
  readonly shellId: ShellId;
  readonly key: number;
}

async function makeShell(relay: ServedRelay): Promise<Tile> {
  const tile = (await relay.command("createShell")) as Tile;
  await relay.command("runCommand", { tile: tile.key, command: "true", wait: true });
  return tile;
}

async function rawRate(folder: string): Promise<number> {
  const startedAt = performance.now();
  let bytes = 0;
  await new Promise<void>((resolve) => {
    const pty = startRaw(folder, "cat coloured");
    pty.onData((data) => {
      bytes += data.length;
    });
    pty.onExit(() => resolve());
  });
  return bytes / 1000 / (performance.now() - startedAt);
}

async function relayRate(relay: ServedRelay, listeners: number): Promise<number> {
  const { shellId, key } = await makeShell(relay);
  const clients = await Promise.all(Array.from({ length: listeners }, () => relay.join()));
  const counts = clients.map((client) => counted(client, shellId));
  await relay.command("runCommand", { tile: key, command: "true", wait: true });
  const before = counts.map(({ bytes }) => bytes);
  const startedAt = performance.now();
  await relay.command("runCommand", { tile: key, command: "cat ~/coloured" });
  await until(() => counts.every(({ bytes }, index) => bytes - (before[index] ?? 0) >= FILE_BYTES));
  const took = performance.now() - startedAt;
  await relay.command("closeShell", { id: shellId });
  for (const client of clients) client.disconnect("the round is over");
  return FILE_BYTES / 1000 / took;
}

function counted(client: Client, shell: ShellId): { bytes: number } {
  const count = { bytes: 0 };
  client.terminals.listen(shell, {
    bytes(bytes, done) {
      count.bytes += bytes.length;
      done();
    },
    missed(bytes) {
      count.bytes += bytes;
    },
  });
  return count;
}

/** A key typed over the WebSocket of one client until its echo arrives there, beside node-pty without any relay. */
async function echoRows(relay: ServedRelay): Promise<BenchRow[]> {
  const { shellId, key } = await makeShell(relay);
  await relay.command("runCommand", { tile: key, command: "cat > nothing" });
  const client = await relay.join();
  let wake = () => {};
  client.terminals.listen(shellId, {
    bytes(_bytes, done) {
      done();
      wake();
    },
    missed() {},
  });
  await new Promise((resolve) => setTimeout(resolve, 500));
  const own = await echoes(
    (echoed) => {
      wake = echoed;
    },
    () => client.execute("writeToShell", { id: shellId, data: "x" }),
  );
  let hear = () => {};
  const pty = startRaw(relay.folder, "cat > nothing");
  pty.onData(() => hear());
  await new Promise((resolve) => setTimeout(resolve, 500));
  const bare = await echoes(
    (echoed) => {
      hear = echoed;
    },
    () => pty.write(Buffer.from("x")),
  );
  pty.kill();
  return [
    { name: "echo of a key: baseline node-pty in this process", value: Math.round(bare), unit: "µs" },
    {
      name: "echo of a key, over a WebSocket and back",
      value: Math.round(own),
      unit: "µs",
      goal: "within 1.3 times node-pty",
      ok: own <= 1.3 * bare,
    },
  ];
}

async function echoes(onEcho: (echoed: () => void) => void, press: () => unknown): Promise<number> {
  const times: number[] = [];
  for (let key = 0; key < KEYS; key += 1) {
    const startedAt = performance.now();
    await new Promise<void>((resolve) => {
      onEcho(resolve);
      press();
    });
    times.push((performance.now() - startedAt) * 1000);
  }
  return medianOf(times);
}

/** A listener takes its first window and never says that it is worked off, while a gigabyte passes by. */
async function stallRow(relay: ServedRelay): Promise<BenchRow> {
  const { shellId, key } = await makeShell(relay);
  const client = await relay.join();
  client.terminals.listen(shellId, { bytes() {}, missed() {} });
  // The store of what is kept is filled first: it is there with and without a listener.
  await relay.command("runCommand", { tile: key, command: "head -c 20000000 /dev/zero | tr '\\0' x", wait: true });
  const before = residentOf(relay.pid);
  let peak = before;
  const watch = setInterval(() => {
    peak = Math.max(peak, residentOf(relay.pid));
  }, 50);
  await relay.command("runCommand", {
    tile: key,
    command: `head -c ${STALL_BYTES} /dev/zero | tr '\\0' x`,
    wait: true,
    timeout: 300,
  });
  clearInterval(watch);
  const grown = Math.round(peak - before);
  return { name: "1 GB past a stalled listener: growth", value: grown, unit: "MB", goal: "within 32", ok: grown <= 32 };
}

function startRaw(folder: string, script: string): ReturnType<typeof spawnPty> {
  const environment = { PATH: process.env.PATH ?? "" };
  return spawnPty({ program: "/bin/sh", args: ["-c", script], cwd: folder, cols: 80, rows: 24, environment });
}
