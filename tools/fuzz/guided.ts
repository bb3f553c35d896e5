import { Coverage } from "./coverage.ts";
import { mutate, randomOf } from "./mutate.ts";

/** A run may take so much processor time, and so much more for each byte of its input. */
const BASE_MS = 250;
const MS_PER_BYTE = 0.02;
/** Each input that reaches something new is also repeated up to this size, where a run that is not linear shows. */
const STRETCHED_BYTES = 32 * 1024;
/** Memory may grow so much from its first tenth to its end. */
const MOST_GROWTH = 200 * 1024 * 1024;
const nothing = { user: 0, system: 0 };
/** Coverage is slow to take, so it is taken after so many runs. */
const BATCH = 16;

export interface Findings {
  readonly runs: number;
  readonly blocks: number;
  /** Inputs that reached something new. */
  readonly kept: number;
  readonly slowestMs: number;
  readonly grownBytes: number;
}

export interface FuzzOptions {
  readonly fuzz: (data: Buffer) => void | Promise<void>;
  readonly seeds: readonly Buffer[];
  readonly script: string;
  readonly seconds: number;
  readonly seed: number;
}

/** The input that broke the code under test. */
export class FuzzFailure extends Error {
  override readonly name = "FuzzFailure";
  readonly input: Buffer;

  constructor(why: string, input: Buffer, cause?: unknown) {
    super(why, { cause });
    this.input = input;
  }
}

/**
 * Fuzzes with coverage guidance: mutates inputs and keeps those that reach new code. Rejects with `FuzzFailure` if the
 * target throws, takes too long for the size of its input, or its memory grows.
 */
export async function fuzzGuided({ fuzz, seeds, script, seconds, seed }: FuzzOptions): Promise<Findings> {
  const coverage = new Coverage(script);
  const random = randomOf(seed);
  const corpus: Buffer[] = [];
  let [runs, slowestMs, early] = [0, 0, 0];
  const startedAt = performance.now();
  const run = async (input: Buffer): Promise<void> => {
    const [before, worked] = [performance.now(), process.cpuUsage()];
    try {
      const running = fuzz(input);
      if (running !== undefined) await running;
    } catch (error) {
      throw new FuzzFailure(error instanceof Error ? error.message : String(error), input, error);
    }
    const took = performance.now() - before;
    slowestMs = Math.max(slowestMs, took);
    runs += 1;
    // A busy machine makes any run late; one that hangs works, or never ends.
    const limitMs = BASE_MS + MS_PER_BYTE * input.length;
    const { user, system } = took > limitMs ? process.cpuUsage(worked) : nothing;
    if (user + system > limitMs * 1000) throw new FuzzFailure(`a run took ${Math.round(took)} ms`, input);
  };
  /** Runs them all, and those again whose batch reached something new, to see which it was. */
  const tryAll = async (inputs: readonly Buffer[]): Promise<void> => {
    for (const input of inputs) await run(input);
    const found = coverage.newBlocks();
    for (const input of found.size === 0 ? [] : inputs) {
      await run(input);
      const own = [...coverage.lastBlocks()].filter((block) => found.has(block));
      for (const block of own) found.delete(block);
      if (own.length === 0) continue;
      corpus.push(input);
      if (input.length > 0) await run(Buffer.alloc(STRETCHED_BYTES, input));
      coverage.lastBlocks();
    }
  };
  try {
    await run(Buffer.from("x"));
    coverage.newBlocks();
    for (const input of seeds) await tryAll([input]);
    while (performance.now() - startedAt < seconds * 1000) {
      await tryAll(Array.from({ length: BATCH }, () => mutate(pick(corpus, random), pick(corpus, random), random)));
      if (early === 0 && performance.now() - startedAt > seconds * 100) early = memory();
      // Timers and sockets have their turn.
      await new Promise((resolve) => setImmediate(resolve));
    }
    const grownBytes = early === 0 ? 0 : Math.max(0, memory() - early);
    if (grownBytes > MOST_GROWTH)
      throw new FuzzFailure(`memory grew by ${Math.round(grownBytes / 1e6)} MB`, Buffer.of());
    return { runs, blocks: coverage.blocks, kept: corpus.length, slowestMs, grownBytes };
  } finally {
    coverage.stop();
  }
}

function pick(corpus: readonly Buffer[], random: (below: number) => number): Buffer {
  return corpus[random(Math.max(1, corpus.length))] ?? Buffer.from("x");
}

function memory(): number {
  globalThis.gc?.();
  return process.memoryUsage().rss;
}
