import { expect, test } from "vitest";
import { percentile } from "../../../support/caller.ts";
import { type LoudLab, startBusyProcess, startLoudLab } from "../../../support/loud-lab.ts";
import { WAYS } from "../../../support/loud-program.mjs";

/** What each costs another part: signals, queries, the screen, text, the system's processes, a transcript. */
const QUICK = ["bells", "states", "cursor queries", "clears", "forks", "a transcript"];
/** How much slower others may be than beside a process that only keeps a processor busy. */
const WITHIN = 2;
/** Other work on the machine makes single rounds slow, of either side; what starves others does so in each. */
const ROUNDS = 6;
/** What an engine's heap takes without a collection. What grew with the output would be hundreds. */
const MOST_GROWTH_MB = 120;

const quick = { runs: 10, forMs: 1000 };
const thorough = { runs: 100, forMs: 10_000 };

test.each(QUICK)(
  "%s without end in a shell cost other shells no call, and hardly any time",
  (way) => starvesNobody(way, quick),
  120_000,
);

test.each<string>(WAYS)(
  "%s for longer, among all ways to be loud: the slowest of a hundred calls take at most twice as long",
  { tags: "slow", timeout: 600_000 },
  (way: string) => starvesNobody(way, thorough),
);

async function starvesNobody(way: string, wanted: { readonly runs: number; readonly forMs: number }): Promise<void> {
  await using lab = await startLoudLab();
  const ratios: number[] = [];
  let memory: number | undefined;
  while (ratios.length < ROUNDS && !(Math.min(...ratios) <= WITHIN)) {
    const alone = await besideBusyProcess(lab, wanted);
    memory ??= lab.memory();
    await using _loud = await lab.beLoud(way);
    const beside = await lab.runInQuiet(wanted);
    expect(beside.failed).toEqual([]);
    expect(lab.memory() - memory).toBeLessThan(MOST_GROWTH_MB);
    ratios.push(percentile(beside.times, 0.99) / percentile(alone.times, 0.99));
  }
  expect(Math.min(...ratios)).toBeLessThanOrEqual(WITHIN);
  expect(lab.hostLog()).not.toContain("was cut");
}

async function besideBusyProcess(lab: LoudLab, wanted: { readonly runs: number; readonly forMs: number }) {
  await using _busy = startBusyProcess();
  const fared = await lab.runInQuiet(wanted);
  expect(fared.failed).toEqual([]);
  return fared;
}
