import { expect, test } from "vitest";
import { serveVictim, surviveKills } from "./kill-loop.ts";

/** `CHAOS_KILLS` makes it shorter or longer; `CHAOS_SEED` repeats one that failed. */
const kills = Number(process.env.CHAOS_KILLS ?? 200);
const seed = Number(process.env.CHAOS_SEED ?? Date.now() % 1_000_000);

// The seed is printed and not in the title: a failed test is run once more by its title.
test(`${kills} kills under load lose nothing that was acknowledged, and execute nothing twice`, async () => {
  process.stdout.write(`seed ${seed}\n`);
  await using victim = await serveVictim();
  const losses = await surviveKills(victim, { kills, seed });
  process.stdout.write(`${JSON.stringify(losses)}\n`);
  expect(losses.wrong).toEqual([]);
  expect(Math.min(...Object.values(losses.acknowledged))).toBeGreaterThan(0);
  expect(losses.outputBytes).toBeGreaterThan(10_000);
}, 1_800_000);
