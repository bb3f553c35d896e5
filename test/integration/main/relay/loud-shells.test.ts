// @module-tag slow
import { expect, test } from "vitest";
import { percentile } from "../../../support/caller.ts";
import { type LoudLab, startBusyProcess, startLoudLab } from "../../../support/loud-lab.ts";
import { WAYS } from "../../../support/loud-program.mjs";

/** How much slower others may be than beside a process that only keeps a processor busy. */
const WITHIN = 2;
/** Other work on the machine makes single rounds slow, of either side; what starves others does so in each. */
const ROUNDS = 6;
/** What an engine's heap takes without a collection. What grew with the output would be hundreds. */
const MOST_GROWTH_MB = 120;

/** What another shell runs meanwhile, at least as often and as long. */
const CALLS = { runs: 100, forMs: 10_000 };

test.each<string>(WAYS)(
  "%s without end in a shell cost other shells no call, and the slowest of a hundred at most twice the time",
  starvesNobody,
  600_000,
);

async function starvesNobody(way: string): Promise<void> {
  await using lab = await startLoudLab();
  const ratios: number[] = [];
  let memory: number | undefined;
  while (ratios.length < ROUNDS && !(Math.min(...ratios) <= WITHIN)) {
    const alone = await besideBusyProcess(lab);
    memory ??= lab.memory();
    await using _loud = await lab.beLoud(way);
    const beside = await lab.runInQuiet(CALLS);
    expect(beside.failed).toEqual([]);
    expect(lab.memory() - memory).toBeLessThan(MOST_GROWTH_MB);
    ratios.push(percentile(beside.times, 0.99) / percentile(alone.times, 0.99));
  }
  expect(Math.min(...ratios)).toBeLessThanOrEqual(WITHIN);
  expect(lab.hostLog()).not.toContain("was cut");
}

async function besideBusyProcess(lab: LoudLab) {
  await using _busy = startBusyProcess();
  const fared = await lab.runInQuiet(CALLS);
  expect(fared.failed).toEqual([]);
  return fared;
}
