import type { ClientFrame } from "../../core/protocol/frames.ts";
import type { ShellId } from "../../core/protocol/ids.ts";
import type { BenchContext } from "./bench-context.ts";
import type { BenchRow } from "./bench-row.ts";
import { connectBareClient } from "./support/connect-bare-client.ts";
import { makeShell } from "./support/make-shell.ts";
import { medianOf } from "./support/median.ts";
import { memoryOf } from "./support/process-cost.ts";
import { plain } from "./support/rows.ts";
import { type ServedRelay, serveRelay, until } from "./support/served-relay.ts";

const LINE = "the quick brown fox jumps over the lazy dog";
const WARM_UP_BYTES = 300_000_000;
const STALL_BYTES = 1_000_000_000;
const PRINTED_WITHIN_MS = 280_000;
const WINDOW = 512 * 1024;
const SAMPLE_MS = 100;
const MOST_GROWTH_MB = 32;

/**
 * Measures the memory (PSS) that a gigabyte of output costs the relay and the shell host while two subscribers stall:
 * one has stopped acknowledging, the other no longer reads its socket. A third reads as fast as it can. A warm-up
 * brings the kept output and the heaps of both processes to their normal size. The baseline is the same gigabyte while
 * all three read as fast as they can.
 */
export async function run({ stops }: BenchContext): Promise<BenchRow[]> {
  const relay = await serveRelay(stops);
  const { shellId, key } = await makeShell(relay);
  const [silent, deaf, awake] = await Promise.all([0, 1, 2].map(() => subscribe(relay, shellId)));
  if (silent === undefined || deaf === undefined || awake === undefined) throw new Error("three listeners");
  const pids = [relay.pid, relay.shellsPid];
  const memory = () => pids.reduce((sum, pid) => sum + memoryOf(pid), 0);
  const print = async (bytes: number, reading: readonly StallingSubscriber[]) => {
    const due = reading.map((one) => one.bytes + one.missed + bytes);
    // Without the command's own wait, because its result is kept in memory meanwhile.
    await relay.command("runCommand", { tile: key, command: `yes '${LINE}' | head -c ${bytes}` });
    await until(() => reading.every((one, index) => one.bytes + one.missed >= (due[index] ?? 0)), PRINTED_WITHIN_MS);
    // Each newline has become two bytes, so some output is still to come.
    await relay.command("waitFor", { id: shellId, idle: 500, timeout: PRINTED_WITHIN_MS / 1000 });
  };
  /** Peak growth of memory, and the growth that remains. */
  const growth = async (task: () => Promise<void>) => {
    const before = await settledMemory(memory);
    let most = before;
    const watch = setInterval(() => {
      most = Math.max(most, memory());
    }, SAMPLE_MS);
    const end = stops.add(() => clearInterval(watch));
    await task();
    await end();
    return { before, most: most - before, left: (await settledMemory(memory)) - before };
  };

  await print(WARM_UP_BYTES, [silent, deaf, awake]);
  const baseline = await growth(() => print(STALL_BYTES, [silent, deaf, awake]));
  silent.acknowledges = false;
  deaf.stopReading();
  const silentBefore = silent.bytes;
  const stalled = await growth(() => print(STALL_BYTES, [awake]));
  if (silent.bytes - silentBefore > 2 * WINDOW) throw new Error("a listener that stalls was given more than a window");
  const beside = (value: number) => ({ baseline: { name: "without a stall", value: Number(value.toPrecision(3)) } });
  return [
    plain("relay and shell host before", stalled.before, "MB"),
    {
      ...plain("1 GB past listeners that stall: most growth", stalled.most, "MB"),
      ...beside(baseline.most),
      goal: `at most ${MOST_GROWTH_MB} MB`,
      ok: stalled.most <= MOST_GROWTH_MB,
    },
    { ...plain("growth that is left afterwards", stalled.left, "MB"), ...beside(baseline.left) },
  ];
}

interface StallingSubscriber {
  bytes: number;
  missed: number;
  acknowledges: boolean;
  stopReading(): void;
}

/** Subscribes to one shell on a bare socket, which can misbehave. */
async function subscribe(relay: ServedRelay, shell: ShellId): Promise<StallingSubscriber> {
  const socket = await connectBareClient(relay);
  const say = (frame: ClientFrame) => socket.send(JSON.stringify(frame));
  const listening = { bytes: 0, missed: 0, acknowledges: true, stopReading: () => socket.pause() };
  socket.on("message", (data: ArrayBuffer | Buffer, isBinary: boolean) => {
    if (isBinary) {
      const bytes = data.byteLength - BYTES_HEADER;
      listening.bytes += bytes;
      if (listening.acknowledges) say({ type: "acknowledge", shell, bytes });
      return;
    }
    const frame = JSON.parse(Buffer.from(data as ArrayBuffer).toString()) as { type: string; bytes?: number };
    if (frame.type === "missed") listening.missed += frame.bytes ?? 0;
  });
  say({ type: "listen", shell, window: WINDOW });
  return listening;
}

/** A frame of output begins with the shell's id and the offset. */
const BYTES_HEADER = 12;

/** Returns the median over two seconds without load. */
async function settledMemory(memory: () => number): Promise<number> {
  const samples: number[] = [];
  while (samples.length < 20) {
    await new Promise((resolve) => setTimeout(resolve, SAMPLE_MS));
    samples.push(memory());
  }
  return medianOf(samples);
}
