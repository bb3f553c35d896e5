/** How much longer twice the input may take: linear work takes 2 times as long, quadratic work 4 times. */
const MOST_GROWTH = 2.5;
/** Times below this are noise, so they count as this. */
const FLOOR_MS = 8;
const FIRST_SIZE = 4096;
const RUNS = 2;
/** Times that both sizes are measured, side by side, where the time seems to grow too fast: the machine may have become slower between them. */
const ROUNDS = 6;

/** Two doublings of the input that took too long. */
export interface SteepGrowth {
  readonly size: number;
  readonly quarterMs: number;
  readonly wholeMs: number;
}

/**
 * Doubles an input up to its bound and returns the first size at which the time has grown by more than 2.5 for each of the
 * last two doublings, or undefined if the work stays linear. The result is a ratio, so it does not depend on the machine.
 *
 * @param run does the work for an input of about `size` characters or bytes
 * @param bound the largest size that the code under test accepts
 */
export async function steepGrowth(run: (size: number) => unknown, bound: number): Promise<SteepGrowth | undefined> {
  const times: number[] = [];
  for (let size = FIRST_SIZE; size <= bound; size *= 2) {
    let quarterMs = times.at(-2) ?? Number.POSITIVE_INFINITY;
    let wholeMs = await bestOf(run, size);
    for (let round = 1; isSteep(quarterMs, wholeMs) && round < ROUNDS; round++) {
      quarterMs = await bestOf(run, size / 4);
      wholeMs = await bestOf(run, size);
    }
    if (isSteep(quarterMs, wholeMs)) return { size, quarterMs, wholeMs };
    times.push(wholeMs);
  }
  return undefined;
}

function isSteep(quarterMs: number, wholeMs: number): boolean {
  return wholeMs > MOST_GROWTH ** 2 * Math.max(quarterMs, FLOOR_MS);
}

async function bestOf(run: (size: number) => unknown, size: number): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let index = 0; index < RUNS; index++) {
    const [startedAt, before] = [performance.now(), process.cpuUsage()];
    await run(size);
    const { user, system } = process.cpuUsage(before);
    // The clock counts other processes, the processor time also V8's own threads: the smaller one is nearer to the work.
    best = Math.min(best, (user + system) / 1000, performance.now() - startedAt);
    // Where one run takes this long, others change nothing.
    if (best > 1000) break;
  }
  return best;
}
