import { execFile } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { z } from "zod";
import { RemoteClient } from "../../client/remote-client.ts";
import type { SearchHit } from "../../core/protocol/history-search.ts";
import { redactSecrets } from "../../main/system/redact-secrets.ts";
import { randomOf } from "../fuzz/mutate.ts";
import type { BenchContext } from "./bench-context.ts";
import type { BenchRow } from "./bench-row.ts";
import { makeShell } from "./support/make-shell.ts";
import { medianOf, quantileOf } from "./support/median.ts";
import { debianProgram, PeerMissing, type PeerProgram } from "./support/peers.ts";
import { bounded, compared, missing, plain } from "./support/rows.ts";
import { writeCorpus } from "./support/search-corpus.ts";
import { type ServedRelay, serveRelay, until } from "./support/served-relay.ts";

const BYTES = 1_000_000_000;
const SHELLS = 8;
const QUERIES = 60;
/** What a page of results shows, and the most that is ever asked for. */
const FIRST = 50;
const MOST = 1000;
/** Characters of a line that a hit has. */
const SHOWN = 500;
const SLOW_SECONDS = 20;
const PRINT_WITHIN_MS = 20 * 60_000;
const NOT_THERE = "no such text anywhere";

const Output = z.object({ output: z.string() });

/**
 * Measures the search of 1 GB that shells have printed, beside ripgrep over the same files: texts from random lines of
 * it, rare and common, and some that are not there.
 */
export async function run(context: BenchContext): Promise<BenchRow[]> {
  const relay = await serveRelay(context.stops);
  const files = writeCorpus(relay.folder, SHELLS, BYTES);
  const client = new RemoteClient({ url: relay.url, token: relay.key, session: relay.session });
  await client.operation("startHistory", { unencrypted: true, maxBytes: BYTES * 2 });
  const search = async (query: string, limit: number) => {
    const { hits } = await client.operation("search", { query, in: "output", limit, wait: 60 });
    return hits;
  };
  const [printed, indexing] = await printAll(relay, files, context);
  const raw = files.reduce((sum, file) => sum + statSync(file).size, 0);
  const indexed = await timed(() =>
    until(async () => (await client.operation("search", { query: NOT_THERE, wait: 20 })).complete, PRINT_WITHIN_MS),
  );
  const size = indexBytes(relay.folder);
  const peer = await debianProgram("ripgrep", context, "rg");
  const firsts: number[] = [];
  const alls: number[] = [];
  const peers: number[] = [];
  const worst: { query: string; ms: number }[] = [];
  let missed = 0;
  let looked = 0;
  for (const query of queriesFrom(files)) {
    const first = await timed(() => search(query, FIRST));
    const all = await timed(() => search(query, MOST));
    firsts.push(first.ms);
    alls.push(all.ms);
    worst.push({ query, ms: all.ms });
    if (peer instanceof PeerMissing) continue;
    const found = await timed(() => ripgrep(peer, query, files, all.result.length < MOST));
    peers.push(found.ms);
    const gone = missedOf(found.result, all.result);
    missed += gone.length;
    looked += found.result.length;
    for (const text of gone.slice(0, 3)) context.log(`missed for ${JSON.stringify(query)}: ${text.slice(0, 200)}`);
  }
  worst.sort((a, b) => b.ms - a.ms);
  for (const { query, ms } of worst.slice(0, 5)) context.log(`${Math.round(ms)} ms: ${JSON.stringify(query)}`);
  return [
    plain("text printed by 8 shells", printed, "MB/s"),
    plain("what was left to index then", indexed.ms / 1000, "s"),
    bounded("first 50 hits, p50", medianOf(firsts), "ms", 100),
    bounded("first 50 hits, slowest", Math.max(...firsts), "ms", 100),
    peer instanceof PeerMissing
      ? missing("1,000 hits, p50: beside ripgrep", peer.why)
      : compared("1,000 hits, p50", medianOf(alls), "ms", { name: "ripgrep", value: medianOf(peers) }),
    bounded("1,000 hits, p95", quantileOf(alls, 0.95), "ms", 500),
    bounded("1,000 hits, slowest", Math.max(...alls), "ms", 500),
    { ...plain(`of ${looked} lines of ripgrep missed`, missed, ""), goal: "none", ok: missed === 0 },
    bounded("index, of the raw text", size / raw, "x", 1.5),
    plain("processor of the index, of the printing", indexing, "% core"),
    bounded("processor of the index at 1 MB/s", await slowly(relay, files), "% core", 5),
  ];
}

/** Prints the files in shells at once. @returns MB/s, and the share of a core that the index took meanwhile */
async function printAll(
  relay: ServedRelay,
  files: readonly string[],
  { log }: BenchContext,
): Promise<readonly [number, number]> {
  const tiles = [];
  for (const _ of files) tiles.push(await makeShell(relay));
  const before = indexSeconds(relay.pid);
  const startedAt = performance.now();
  for (const [index, { key }] of tiles.entries()) {
    await relay.command("runCommand", { tile: key, command: `cat '${files[index]}'; echo all-$((1+1))-printed` });
  }
  const isPrinted = async (id: number) => {
    const { output } = Output.parse(await relay.command("getShellOutput", { id, lines: 3, plain: true }));
    return output.includes("all-2-printed");
  };
  for (const { shellId } of tiles) {
    await until(async () => (await isPrinted(shellId)) || (await delay(200, false)), PRINT_WITHIN_MS);
  }
  const seconds = (performance.now() - startedAt) / 1000;
  log(`printed in ${Math.round(seconds)} s`);
  return [BYTES / 1e6 / seconds, (100 * (indexSeconds(relay.pid) - before)) / seconds];
}

/** Prints 1 MB/s. @returns the share of a core that the index takes */
async function slowly(relay: ServedRelay, [file]: readonly string[]): Promise<number> {
  const { key } = await makeShell(relay);
  const before = indexSeconds(relay.pid);
  const line = `for n in $(seq ${SLOW_SECONDS}); do tail -c +$((n * 1000000)) '${file}' | head -c 1000000; sleep 1; done`;
  await relay.command("runCommand", { tile: key, command: line, wait: true, timeout: SLOW_SECONDS * 3 });
  await delay(3000);
  return (100 * (indexSeconds(relay.pid) - before)) / SLOW_SECONDS;
}

/** Processor seconds of the relay's threads that give way to all others, of which the index is the only one. */
function indexSeconds(pid: number): number {
  const fields = readdirSync(`/proc/${pid}/task`).map((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" "),
  );
  return fields.reduce((sum, of) => (Number(of[16]) > 0 ? sum + (Number(of[11]) + Number(of[12])) / 100 : sum), 0);
}

function indexBytes(folder: string): number {
  const data = join(folder, "data");
  const files = readdirSync(data, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.includes("history-index.db"),
  );
  return files.reduce((sum, name) => sum + statSync(join(data, name)).size, 0);
}

/** Words and parts of random lines, and texts that are not there although their parts are. */
function queriesFrom(files: readonly string[]): string[] {
  const random = randomOf(20_261_127);
  const pick = (of: readonly string[]) => of[random(of.length)] ?? "";
  const lines = files.flatMap((file) => {
    const text = readFileSync(file, "latin1");
    return Array.from({ length: 40 }, () => {
      const at = text.indexOf("\n", random(text.length)) + 1;
      return Buffer.from(text.slice(at, text.indexOf("\n", at)), "latin1").toString();
    });
  });
  const long = lines.filter((line) => /\S{5}.*\S{5}/.test(line) && !line.includes("\t"));
  const words = () => pick(long).match(/[\p{L}\p{N}_.-]{4,}/gu) ?? [];
  const queries = new Set<string>();
  while (queries.size < QUERIES) {
    const kind = queries.size % 3;
    const line = pick(long);
    if (kind === 0) queries.add(pick(words()));
    else if (kind === 1) {
      const at = random(Math.max(1, line.length - 12));
      queries.add(line.slice(at, at + 8 + random(30)).trim());
    } else queries.add(`${pick(words())} ${pick(words())}`);
    for (const one of queries) if ([...one].length < 3) queries.delete(one);
  }
  return [...queries];
}

/** Runs ripgrep. @returns the lines that it finds where they are wanted: those of a common word are too many for a string */
async function ripgrep(
  { file, env }: PeerProgram,
  query: string,
  files: readonly string[],
  isListed: boolean,
): Promise<string[]> {
  const shape = isListed ? ["--no-line-number"] : ["--count"];
  const args = ["--fixed-strings", "--ignore-case", "--no-filename", "--text", ...shape, "--", query, ...files];
  const options = { env: { ...process.env, ...env }, maxBuffer: 1 << 30, encoding: "utf8" as const };
  const { stdout } = await promisify(execFile)(file, args, options).catch((error: unknown) => {
    // It has found nothing.
    if (error instanceof Error && "code" in error && error.code === 1) return { stdout: "" };
    throw error;
  });
  // The last line may end with spaces.
  return stdout === "" || !isListed ? [] : stdout.replace(/\n$/, "").split("\n");
}

/** Lines of ripgrep that are not among as many hits as are returned at most; those whose text is a secret are hidden. */
function missedOf(lines: readonly string[], hits: readonly SearchHit[]): string[] {
  if (hits.length >= MOST) return [];
  const left = new Map<string, number>();
  for (const { line } of hits) left.set(line, (left.get(line) ?? 0) + 1);
  const take = (line: string) => {
    const count = left.get(line) ?? 0;
    left.set(line, Math.max(0, count - 1));
    return count > 0;
  };
  const shown = (line: string) => line.replace(/\p{Cc}/gu, "");
  const unfound = lines.filter((line) => shown(line).length > SHOWN || !take(shown(line)));
  // A longer line is shown in part: as many hits as there are such lines must be left.
  let rest = [...left.values()].reduce((sum, count) => sum + count, 0);
  return unfound.filter((line) => {
    if (shown(line).length > SHOWN && rest-- > 0) return false;
    return redactSecrets(line) === line;
  });
}

async function timed<T>(run: () => Promise<T>): Promise<{ result: T; ms: number }> {
  const startedAt = performance.now();
  const result = await run();
  return { result, ms: performance.now() - startedAt };
}
