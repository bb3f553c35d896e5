import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { BenchContext } from "./bench-context.ts";
import type { BenchRow } from "./bench-row.ts";
import { type KeyboardInput, patchbayKeyboard } from "./support/keyboards.ts";
import { medianOf, quantileOf } from "./support/median.ts";
import { plain } from "./support/rows.ts";
import { Stops } from "./support/stops.mjs";
import { temporaryFolder } from "./support/temporary-folder.ts";

const KEYS = 2000;
/** Engines compile what runs often: the figures are those of a relay that has been typed into for a while. */
const WARM_UP_KEYS = 4000;
/** A terminal line holds at most 4,096 characters. */
const LINE_KEYS = 1000;
const HOPS_SCRIPT = join(import.meta.dirname, "support", "trace-hops.cjs");

/** Where a key is noted on its way, in order, and what the time since the place before is spent on. */
const PLACES: readonly { readonly at: Process; readonly note: string; readonly name: string }[] = [
  { at: "client", note: "write TCP", name: "client: pass on" },
  { at: "relay", note: "read TCP", name: "client to relay: write, network, wake-up" },
  { at: "relay", note: "write Pipe", name: "relay: parse, check, pass on" },
  { at: "host", note: "read Pipe", name: "relay to shell host: write, wake-up" },
  { at: "host", note: "write TTY", name: "shell host: parse, write to the terminal" },
  { at: "host", note: "read TTY", name: "terminal: echo, wake-up" },
  { at: "host", note: "write Pipe", name: "shell host: scan, log, pass on" },
  { at: "relay", note: "read Pipe", name: "shell host to relay: write, wake-up" },
  { at: "relay", note: "write TCP", name: "relay: parse, pass on" },
  { at: "client", note: "read TCP", name: "relay to client: write, network, wake-up" },
];
const LAST = "client: parse, tell the subscriber";

type Process = "client" | "relay" | "host";

type Note = readonly [name: string, microseconds: number];

/**
 * Traces keys over a client's WebSocket through the relay and the shell host to their echoes, and says where the time
 * goes. The notes are taken by a script that Node loads before the programs, so the programs are those that are released.
 */
export async function run({ stops: outer }: BenchContext): Promise<BenchRow[]> {
  const folder = join(temporaryFolder(outer), "hops");
  mkdirSync(folder);
  const stops = new Stops();
  outer.add(() => stops.all());
  const own = createRequire(import.meta.url)(HOPS_SCRIPT) as { notes: Note[]; start: () => void };
  own.start();
  const env = { NODE_OPTIONS: `--require=${HOPS_SCRIPT}`, BENCH_HOPS: folder };
  const { socket } = await patchbayKeyboard(stops, { env });
  await typeKeys(socket, WARM_UP_KEYS);
  const keys = await typeKeys(socket, KEYS);
  // The programs write their notes when they end.
  await stops.all();
  const paths = pathsOf(keys, { client: own.notes, ...readNotes(folder) });
  const name = (index: number) => PLACES[index]?.name ?? LAST;
  const steps = Array.from({ length: PLACES.length + 1 }, (_, index) => {
    const times = paths.map((path) => (path[index + 1] ?? 0) - (path[index] ?? 0));
    return plain(`${name(index)}, p50`, medianOf(times), "µs");
  });
  const totals = paths.map((path) => (path.at(-1) ?? 0) - (path[0] ?? 0));
  return [
    ...steps,
    plain("all, p50", medianOf(totals), "µs"),
    plain("all, p99", quantileOf(totals, 0.99), "µs"),
    plain("keys that were traced", paths.length, ""),
  ];
}

interface TypedKey {
  readonly typedAt: number;
  readonly echoedAt: number;
}

async function typeKeys({ output, type }: KeyboardInput, count: number): Promise<TypedKey[]> {
  const keys: TypedKey[] = [];
  for (let key = 0; key < count; key += 1) {
    if (key % LINE_KEYS === 0) {
      await type("\r");
      await output.quiet();
    }
    const echoed = output.next();
    const typedAt = microseconds();
    const typed = type("x");
    await echoed;
    keys.push({ typedAt, echoedAt: microseconds() });
    await typed;
  }
  return keys;
}

/** Returns the times of each key at each place, from the client to the client; keys with a place missing are left out. */
function pathsOf(keys: readonly TypedKey[], notes: Readonly<Record<Process, readonly Note[]>>): number[][] {
  return keys.flatMap(({ typedAt, echoedAt }) => {
    const path = [typedAt];
    for (const { at, note } of PLACES) {
      const since = path.at(-1) ?? 0;
      const found = notes[at].find(([name, time]) => time >= since && name === note);
      if (found === undefined || found[1] > echoedAt) return [];
      path.push(found[1]);
    }
    return [[...path, echoedAt]];
  });
}

/** Returns the notes of the relay and of the shell host, which is the one that writes to terminals. */
function readNotes(folder: string): Record<"relay" | "host", Note[]> {
  const all = readdirSync(folder).map((file) => JSON.parse(readFileSync(join(folder, file), "utf8")) as Note[]);
  const has = (notes: readonly Note[], wanted: string) => notes.some(([name]) => name === wanted);
  return {
    host: all.find((notes) => has(notes, "write TTY") && has(notes, "read TTY")) ?? [],
    relay: all.find((notes) => has(notes, "read TCP") && has(notes, "read Pipe")) ?? [],
  };
}

/** By the monotonic clock of the machine, which all processes share. */
function microseconds(): number {
  return Number(process.hrtime.bigint()) / 1000;
}
