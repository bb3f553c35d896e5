import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ShellHost } from "../../core/protocol/shell-host.ts";
import { HostedShells } from "../../main/shells/host/hosted-shells.ts";
import { VtScanner } from "../../main/shells/vt-scanner.ts";
import type { BenchContext } from "./bench-context.ts";
import type { BenchRow } from "./bench-row.ts";
import { startBarePty } from "./support/bare-pty.ts";
import { COLOURED_BYTES, COLOURED_LINE, colouredFile } from "./support/coloured-file.ts";
import { medianOf } from "./support/median.ts";
import { compared, plain } from "./support/rows.ts";
import type { Stops } from "./support/stops.mjs";
import { temporaryFolder } from "./support/temporary-folder.ts";
import { measureInTurns } from "./support/turns.ts";

const ROUNDS = 3;
const ECHOES = 500;

/**
 * Measures the first part of the data path, from the pseudo-terminal in the shell host to subscribers in this process,
 * without relay and WebSockets. The baseline is node-pty alone. It bounds what `streams` and `keystrokes` can reach.
 */
export async function run({ stops }: BenchContext): Promise<BenchRow[]> {
  const folder = temporaryFolder(stops);
  colouredFile(folder);
  const shells = await HostedShells.open({
    paths: {
      file: join(folder, "host.json"),
      socket: join(folder, "host.sock"),
      integration: join(folder, "integration"),
      errors: join(folder, "host.log"),
    },
    command: {
      file: process.execPath,
      args: [fileURLToPath(new URL("../../dist/shell-host/shell-host.js", import.meta.url))],
    },
    environment: { PATH: process.env.PATH, HOME: folder, LANG: "C.UTF-8" },
    log: console,
  });
  stops.add(() => shells.close());
  const host = shells.hostFor("bench");
  await host.spawn({ id: 1, cwd: folder, cols: 80, rows: 24, env: {}, shell: "/bin/bash" });
  const figures = await measureInTurns(ROUNDS, {
    raw: () => rawRate(stops, folder),
    one: () => hostRate(host, 1),
    eight: () => hostRate(host, 8),
    rawEcho: () => rawEchoTime(stops, folder),
    echo: () => hostEchoTime(host),
  });
  const raw = { name: "node-pty alone", value: medianOf(figures.raw) };
  const rawEcho = { name: "node-pty alone", value: medianOf(figures.rawEcho) };
  return [
    compared("84 MB to 1 listener", medianOf(figures.one), "MB/s", raw, { atLeast: 0.75 }),
    compared("84 MB to 8 listeners", medianOf(figures.eight), "MB/s", raw, { atLeast: 0.4 }),
    compared("echo of a key", medianOf(figures.echo), "µs", rawEcho, { within: 1.3 }),
    scanRow("plain", "the quick brown fox jumps over the lazy dog\r\n", 300),
    scanRow("coloured", COLOURED_LINE, 100),
  ];
}

function scanRow(name: string, line: string, goalRate: number): BenchRow {
  const piece = Buffer.from(line.repeat(2000)).subarray(0, 64 * 1024);
  const scanner = new VtScanner({ osc: () => undefined, bell: () => undefined, mode: () => undefined });
  const startedAt = performance.now();
  for (let round = 0; round < 2000; round++) scanner.push(piece);
  const rate = rateOf(2000 * piece.length, startedAt);
  return { ...plain(`scanning ${name} text`, rate, "MB/s"), goal: `over ${goalRate} MB/s`, ok: rate > goalRate };
}

async function rawRate(stops: Stops, folder: string): Promise<number> {
  const startedAt = performance.now();
  let bytes = 0;
  await new Promise<void>((resolve) => {
    const pty = startBarePty(stops, folder, "cat coloured");
    pty.onData((data) => {
      bytes += data.length;
    });
    pty.onExit(() => resolve());
  });
  return rateOf(bytes, startedAt);
}

/** Returns the megabytes a second of the slowest subscriber; missed bytes do not count. */
async function hostRate(host: ShellHost, listeners: number): Promise<number> {
  await host.run({ shell: 1, line: "true", timeoutMs: 10_000 });
  const startedAt = performance.now();
  const arrivals = Array.from({ length: listeners }, () => arrival(host, COLOURED_BYTES));
  await host.type({ shell: 1, line: "cat coloured" });
  const arrived = Math.min(...(await Promise.all(arrivals)));
  const rate = rateOf(arrived, startedAt);
  await host.waitFor({ shell: 1, idle: 100, timeoutMs: 10_000 });
  return rate;
}

/** Resolves with the received bytes when a subscriber that acknowledges at once received or missed the given number. */
function arrival(host: ShellHost, wanted: number): Promise<number> {
  return new Promise((resolve) => {
    let [came, missed] = [0, 0];
    const listening = host.subscribe(1, {
      from: "now",
      window: 1024 * 1024,
      deliver(frame) {
        if (frame.kind === "end") return;
        if (frame.kind === "snapshot") missed += frame.missed;
        else came += frame.bytes.length;
        listening.acknowledge(frame.kind === "snapshot" ? Buffer.byteLength(frame.snapshot) : frame.bytes.length);
        if (came + missed < wanted) return;
        listening.stop();
        resolve(came);
      },
    });
  });
}

async function rawEchoTime(stops: Stops, folder: string): Promise<number> {
  const pty = startBarePty(stops, folder, "echo; cat > nothing");
  let wake = () => {};
  const next = () =>
    new Promise<void>((resolve) => {
      wake = resolve;
    });
  const started = next();
  pty.onData(() => wake());
  await started;
  const time = await echoTime(next, () => pty.input.push(Buffer.from("x")));
  pty.kill();
  return time;
}

async function hostEchoTime(host: ShellHost): Promise<number> {
  await host.run({ shell: 1, line: "true", timeoutMs: 10_000 });
  await host.type({ shell: 1, line: "cat > nothing" });
  await host.waitFor({ shell: 1, idle: 100, timeoutMs: 10_000 });
  let wake = () => {};
  const next = () =>
    new Promise<void>((resolve) => {
      wake = resolve;
    });
  const listening = host.subscribe(1, { from: "now", window: 1024 * 1024, deliver: () => wake() });
  const time = await echoTime(next, () => void host.write(1, "x"));
  listening.stop();
  await host.write(1, "\u0003");
  await host.waitFor({ shell: 1, idle: 100, timeoutMs: 10_000 });
  return time;
}

/** Returns the median microseconds from writing a key to its echo. */
async function echoTime(next: () => Promise<void>, press: () => void): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ECHOES; round++) {
    const startedAt = performance.now();
    const echoed = next();
    press();
    await echoed;
    times.push((performance.now() - startedAt) * 1000);
  }
  return medianOf(times);
}

function rateOf(bytes: number, startedAt: number): number {
  return Math.round(bytes / 1000 / (performance.now() - startedAt));
}
