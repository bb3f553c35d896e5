import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { HostedShells } from "../main/shell-host-process/hosted-shells.ts";
import { type Pty, spawnPty } from "../main/shells/pty.ts";
import type { ShellHost } from "../main/shells/shell-host.ts";
import { VtScanner } from "../main/shells/vt-scanner.ts";
import type { BenchRow } from "./bench-row.ts";

const COLOURED_LINE =
  "\u001b[32mgreen\u001b[0m some words and \u001b[38;5;200mpink\u001b[0m 0123456789 the quick brown fox\n";
const FILE_BYTES = 84_000_000;
const ROUNDS = 3;
const ECHOES = 500;

/**
 * The way of the bytes from the pseudo-terminal, which the host process holds, to listeners in this process, beside
 * node-pty alone in the same run (medians). Needs a build.
 */
export async function run(): Promise<BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), "patchbay-bench-"));
  writeFileSync(join(folder, "coloured"), COLOURED_LINE.repeat(Math.ceil(FILE_BYTES / COLOURED_LINE.length)));
  const environment = { PATH: process.env.PATH, HOME: folder, LANG: "C.UTF-8" };
  const shells = await HostedShells.open({
    places: {
      file: join(folder, "host.json"),
      socket: join(folder, "host.sock"),
      integration: join(folder, "integration"),
      errors: join(folder, "host.log"),
    },
    command: {
      file: process.execPath,
      args: [fileURLToPath(new URL("../dist/shell-host/shell-host.js", import.meta.url))],
    },
    environment,
    log: console,
  });
  const host = shells.hostFor("bench");
  try {
    const raw = await median(() => rawRate(folder));
    const rawEcho = await median(() => rawEchoTime(folder));
    await host.spawn({ id: 1, cwd: folder, cols: 80, rows: 24, env: {}, shell: "/bin/bash" });
    const one = await median(() => hostRate(host, 1));
    const eight = await median(() => hostRate(host, 8));
    const echo = await median(() => hostEchoTime(host));
    return [
      { name: "84 MB: baseline node-pty", value: raw, unit: "MB/s" },
      row("84 MB to 1 listener", one, "MB/s", { goal: "at least 0.75 of node-pty", ok: one >= 0.75 * raw }),
      row("84 MB to 8 listeners", eight, "MB/s", { goal: "at least 0.4 of node-pty", ok: eight >= 0.4 * raw }),
      { name: "echo of a key: baseline node-pty", value: rawEcho, unit: "µs" },
      row("echo of a key", echo, "µs", { goal: "within 1.3 times node-pty", ok: echo <= 1.3 * rawEcho }),
      scanRow("plain", "the quick brown fox jumps over the lazy dog\r\n", 300),
      scanRow("coloured", COLOURED_LINE, 100),
    ];
  } finally {
    await shells.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function row(name: string, value: number, unit: string, goal: { goal: string; ok: boolean }): BenchRow {
  return { name, value, unit, ...goal };
}

function scanRow(name: string, line: string, goalRate: number): BenchRow {
  const piece = Buffer.from(line.repeat(2000)).subarray(0, 64 * 1024);
  const scanner = new VtScanner({ osc: () => undefined, bell: () => undefined, mode: () => undefined });
  const startedAt = performance.now();
  for (let round = 0; round < 2000; round++) scanner.push(piece);
  const rate = rateOf(2000 * piece.length, startedAt);
  return row(`scanning ${name} text`, rate, "MB/s", { goal: `over ${goalRate} MB/s`, ok: rate > goalRate });
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
  return rateOf(bytes, startedAt);
}

async function hostRate(host: ShellHost, listeners: number): Promise<number> {
  await host.run(1, "true", { timeoutMs: 10_000 });
  const startedAt = performance.now();
  const arrivals = Array.from({ length: listeners }, () => arrival(host, FILE_BYTES));
  await host.type(1, "cat coloured");
  await Promise.all(arrivals);
  const rate = rateOf(FILE_BYTES, startedAt);
  await host.waitFor(1, { idle: 100, timeoutMs: 10_000 });
  return rate;
}

/** Resolves when one listener, which acknowledges at once, has got so many bytes. */
function arrival(host: ShellHost, wanted: number): Promise<void> {
  return new Promise((resolve) => {
    let left = wanted;
    const listening = host.listen(1, {
      from: "now",
      window: 1024 * 1024,
      deliver(frame) {
        if (frame.kind !== "output") return;
        left -= frame.bytes.length;
        listening.ack(frame.bytes.length);
        if (left > 0) return;
        listening.stop();
        resolve();
      },
    });
  });
}

async function rawEchoTime(folder: string): Promise<number> {
  const pty = startRaw(folder, "echo; cat > nothing");
  let wake = () => {};
  const next = () =>
    new Promise<void>((resolve) => {
      wake = resolve;
    });
  const started = next();
  pty.onData(() => wake());
  await started;
  const time = await echoTime(next, () => pty.write(Buffer.from("x")));
  pty.kill();
  return time;
}

async function hostEchoTime(host: ShellHost): Promise<number> {
  await host.run(1, "true", { timeoutMs: 10_000 });
  await host.type(1, "cat > nothing");
  await host.waitFor(1, { idle: 100, timeoutMs: 10_000 });
  let wake = () => {};
  const next = () =>
    new Promise<void>((resolve) => {
      wake = resolve;
    });
  const listening = host.listen(1, { from: "now", window: 1024 * 1024, deliver: () => wake() });
  const time = await echoTime(next, () => void host.write(1, "x"));
  listening.stop();
  await host.write(1, "\u0003");
  await host.waitFor(1, { idle: 100, timeoutMs: 10_000 });
  return time;
}

/** Microseconds from writing a key to its echo, the median. */
async function echoTime(next: () => Promise<void>, press: () => void): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ECHOES; round++) {
    const startedAt = performance.now();
    const echoed = next();
    press();
    await echoed;
    times.push((performance.now() - startedAt) * 1000);
  }
  return Math.round(middle(times));
}

function startRaw(folder: string, script: string): Pty {
  const environment = { PATH: process.env.PATH ?? "" };
  return spawnPty({ program: "/bin/sh", args: ["-c", script], cwd: folder, cols: 80, rows: 24, environment });
}

async function median(measure: () => Promise<number>): Promise<number> {
  const values: number[] = [];
  for (let round = 0; round < ROUNDS; round++) values.push(await measure());
  return middle(values);
}

function middle(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0;
}

function rateOf(bytes: number, startedAt: number): number {
  return Math.round(bytes / 1000 / (performance.now() - startedAt));
}
