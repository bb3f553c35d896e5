import { mkdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import type { OperationResult } from "../../core/operations/index.ts";
import { HistoryReader } from "../../main/shells/history/history-reader.ts";
import { HEADER_BYTES, masterKey } from "../../main/shells/history/segment.ts";
import { listSegments, type StoredSegment } from "../../main/shells/history/trim.ts";
import { readHostFile } from "../../main/shells/host/host-file.ts";
import { type ServeLab, startServeLab } from "../support/start-serve.ts";
import { until } from "../support/until.ts";
import { ask, attempt } from "./acknowledged.ts";
import { randomFrom } from "./random.ts";

const KILLS = Number(process.env.CHAOS_KILLS ?? 12);
const SEED = Number(process.env.CHAOS_SEED ?? Date.now() % 100_000);
const SHELLS = 2;
/** What was printed so long before a kill is on disk. */
const ON_DISK_MS = 1000;
/** Lines of a shell that are searched for after each kill. */
const SEARCHED = 10;
const HOUR_MS = 3600_000;

/** What a shell has printed, as it was read while it ran, and how much of it when. */
interface Witness {
  readonly id: number;
  text: string;
  read: { readonly at: number; readonly end: number }[];
  /** Up to here its output is on disk, unless a fault has taken some of it. */
  least: number;
  isDamaged: boolean;
}

interface Piece {
  readonly offset: number;
  readonly text: string;
}

type Answer = OperationResult<"search">;
type Status = OperationResult<"getHistory">;

/** Who is killed; all but the first two are kills of both, after which something is done to the files or the clock. */
type Fault = "relay" | "host" | "both" | "cut" | "flipped" | "foreign" | "index" | "clock";
const faults: readonly Fault[] = ["relay", "host", "both", "cut", "flipped", "foreign", "index", "clock"];

/** Moves the clock of a process and of those that it starts. */
const CLOCK = `
const shift = Number(process.env.CLOCK_SHIFT_MS ?? 0);
const Real = Date;
globalThis.Date = class extends Real {
  constructor(...parts) {
    if (parts.length === 0) super(Real.now() + shift);
    else super(...parts);
  }
  static now() {
    return Real.now() + shift;
  }
};`;

/** Reads what can be read of a shell without the index: after a gap, from the first piece that knows the state of the terminal. */
async function readable(folder: string, session: string, shell: number) {
  const reader = new HistoryReader({
    folder: () => folder,
    keys: () => [masterKey(undefined)],
    flush: async () => undefined,
  });
  const pieces: Piece[] = [];
  let end = 0;
  for await (const frame of reader.frames({ session, shell })) {
    if (frame.kind === "event" || (frame.offset > end && frame.before === undefined)) continue;
    pieces.push({ offset: frame.offset, text: frame.bytes.toString("latin1") });
    end = frame.offset + frame.bytes.length;
  }
  return { pieces, damage: [...reader.damage] };
}

/** Returns where bytes stand at another offset than the shell has printed them at, and what is missing. */
function objections({ id, text, least, isDamaged }: Witness, pieces: readonly Piece[]): string[] {
  const found: string[] = [];
  let end = 0;
  for (const piece of pieces) {
    const known = text.slice(piece.offset, piece.offset + piece.text.length);
    if (!piece.text.startsWith(known)) found.push(`shell ${id}: other bytes at ${piece.offset}`);
    if (piece.offset > end && !isDamaged) found.push(`shell ${id}: nothing from ${end} to ${piece.offset}`);
    end = Math.max(end, piece.offset + piece.text.length);
  }
  return end < least && !isDamaged ? [...found, `shell ${id}: ${end} bytes, of ${least}`] : found;
}

/** Does to the files of a history that nobody writes what a fault is named after. Returns the shell that it costs output. */
function damage(
  fault: Fault,
  lab: ServeLab,
  segments: readonly StoredSegment[],
  random: () => number,
): number | undefined {
  const folder = join(lab.data, "history");
  const any = segments[Math.floor(random() * segments.length)];
  if (any === undefined) return undefined;
  const { file, owner, bytes } = any;
  if (fault === "cut") {
    truncateSync(file, Math.floor(random() * bytes));
    return owner.shell;
  }
  if (fault === "flipped") {
    const content = readFileSync(file);
    const at = HEADER_BYTES + Math.floor(random() * (bytes - HEADER_BYTES));
    content[at] = (content[at] ?? 0) ^ (1 << Math.floor(random() * 8));
    writeFileSync(file, content);
    return owner.shell;
  }
  if (fault === "foreign") {
    writeFileSync(join(folder, "notes.txt"), "not of this history");
    writeFileSync(join(dirname(file), ".DS_Store"), "\0\0\0\u0001Bud1");
    writeFileSync(join(dirname(file), "999999999999999.seg"), "no segment, though its name is that of one");
    mkdirSync(join(folder, owner.session, "900", "000000000000000.seg"), { recursive: true });
  }
  if (fault === "index") {
    const index = `${folder}-index.db`;
    for (const name of [index, `${index}-wal`]) {
      const content = readFileSync(name);
      for (let at = 4096; at < content.length; at += 4096) content[at + Math.floor(random() * 4000)] = 0xa5;
      writeFileSync(name, content);
    }
  }
  return undefined;
}

/** A recorded relay whose shells print lines that are known. */
async function startFaultLab(lab: ServeLab, random: () => number) {
  const folder = join(lab.data, "history");
  const clock = join(lab.data, "..", "clock.cjs");
  writeFileSync(clock, CLOCK);
  let shiftMs = 0;
  const start = () => lab.serve(["--client"], { NODE_OPTIONS: `--require ${clock}`, CLOCK_SHIFT_MS: String(shiftMs) });
  const relay = { now: await start(), key: await lab.makeKey() };
  const { session } = relay.now;
  const get = async <T>(path: string): Promise<T> => {
    const answer = await until(path, () => attempt(relay, path, { timeoutMs: 60_000 }), 120_000);
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.text}`);
    return (JSON.parse(answer.text) as { result: T }).result;
  };
  expect((await attempt(relay, "/../history/start", { body: { unencrypted: true } }))?.status).toBe(200);

  const all: Witness[] = [];
  let running: Witness[] = [];
  const watch = async (witness: Witness) => {
    const range = { id: witness.id, since: witness.text.length };
    const { output, end } = await ask<{ output: string; end: number }>(relay, "getShellOutput", range);
    witness.text += output;
    witness.read = [...witness.read.slice(-200), { at: performance.now(), end }];
  };
  const open = async () => {
    const { shellId: id } = await ask<{ shellId: number }>(relay, "createShell", { focus: false });
    const print = `i=0; while :; do i=$((i+1)); echo "mark $i of shell ${id}."; sleep 0.01; done`;
    await ask(relay, "writeToShell", { id, data: `${print}\\n` });
    const made: Witness = { id, text: "", read: [], least: 0, isDamaged: false };
    all.push(made);
    running.push(made);
    await until("its output", async () => {
      await watch(made);
      return made.text.includes("mark 2 of");
    });
  };
  const openAll = async () => {
    running = [];
    for (let count = 0; count < SHELLS; count++) await open();
  };
  await openAll();

  /** Searches until the answer calls itself complete: one that meets a damaged index says so. */
  const completeHits = (line: string) =>
    until(
      `a complete answer to ${line}`,
      async () => {
        const path = `/SESSION/search?query=${encodeURIComponent(line)}&in=output&wait=30`;
        const answer = await attempt(relay, path, { timeoutMs: 60_000 });
        if (answer === undefined || answer.text.includes("is made anew")) return undefined;
        if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.text}`);
        const { hits, complete } = (JSON.parse(answer.text) as { result: Answer }).result;
        return complete ? hits : undefined;
      },
      120_000,
    );

  /** Searches some of the lines that can be read. Returns what is not found, or not once at its place. */
  const searchFor = async ({ id, text }: Witness, pieces: readonly Piece[]) => {
    const wrong: string[] = [];
    const printed = pieces.map((piece) => piece.text).join("\n\0\n");
    const lines = [...printed.matchAll(/^(mark \d+ of shell \d+\.)\r$/gm)].map(([, line = ""]) => line);
    for (let count = 0; count < SEARCHED && lines.length > 0; count++) {
      const line = lines[Math.floor(random() * lines.length)] ?? "";
      const hits = await completeHits(line);
      const places = hits.map(({ shellId, offset }) => `${shellId}.${offset}`);
      const at = `\n${text}`.indexOf(`\n${line}\r`);
      // Beyond what was read while the shell ran, its place is not known.
      const expected = at < 0 ? places.slice(0, 1) : [`${id}.${at}`];
      if (hits.length !== 1 || places.join() !== expected.join()) {
        wrong.push(`${line} is found at ${places}, not ${expected}`);
      }
    }
    return wrong;
  };

  return {
    all,
    /** Lets the shells print for some seconds, kills what a fault names, and starts again. */
    async strike(fault: Fault): Promise<void> {
      const ends = performance.now() + ON_DISK_MS + 2000 * random();
      while (performance.now() < ends) {
        for (const witness of running) await watch(witness);
        await delay(30);
      }
      const onDisk = performance.now() - ON_DISK_MS;
      for (const witness of running) witness.least = witness.read.findLast(({ at }) => at < onDisk)?.end ?? 0;
      const host = readHostFile(join(lab.data, "shell-host.json"))?.pid ?? 0;
      if (fault !== "host") await relay.now.kill();
      if (fault !== "relay") process.kill(host, "SIGKILL");
      if (fault !== "host" && fault !== "relay") {
        const damaged = damage(fault, lab, await listSegments(folder), random);
        for (const witness of all) witness.isDamaged ||= witness.id === damaged;
      }
      if (fault === "clock") shiftMs -= 30 * HOUR_MS;
      if (fault !== "host") relay.now = await start();
      // The next shell starts the next shell host.
      if (fault !== "relay") await openAll();
    },
    /** Returns what is not as it was printed, or not found. */
    async check(): Promise<string[]> {
      const wrong: string[] = [];
      const damaged = new Set<string>();
      for (const witness of all) {
        const { pieces, damage } = await readable(folder, session, witness.id);
        wrong.push(...objections(witness, pieces), ...(await searchFor(witness, pieces)));
        for (const [file] of damage) damaged.add(relative(folder, file));
        // Damage is found when a segment is read.
        if (damage.length > 0) await attempt(relay, `/SESSION/history/${witness.id}/export`, { timeoutMs: 60_000 });
      }
      const named = (await get<Status>("/../history")).unreadable.map(({ file }) => file);
      return [...wrong, ...[...damaged].filter((file) => !named.includes(file)).map((file) => `${file} is not named`)];
    },
  };
}

test(`over ${KILLS} kills and faults the history has every byte at its place, and a search finds what can be read, once`, async () => {
  const random = randomFrom(SEED);
  await using lab = await startServeLab();
  const { all, strike, check } = await startFaultLab(lab, random);
  const wrong: string[] = [];
  const struck: Fault[] = [];
  for (let kill = 0; kill < KILLS; kill++) {
    // Each of them once, then at random.
    const fault = faults[kill] ?? faults[Math.floor(random() * faults.length)] ?? "both";
    struck.push(fault);
    await strike(fault);
    wrong.push(...(await check()).map((one) => `after ${struck.length} (${fault}): ${one}`));
  }
  process.stdout.write(`${JSON.stringify({ seed: SEED, struck, shells: all.length })}\n`);
  expect(wrong).toEqual([]);
  // Those that run last have not printed much yet.
  expect(all.slice(0, -SHELLS).every(({ text }) => text.length > 1000)).toBe(true);
}, 1_800_000);
