import { expect, test } from "vitest";
import { serveVictim, surviveKills } from "../../../chaos/kill-loop.ts";

/** The short form of test/chaos/kills.test.ts, always the same. */
test("a few kills under load lose nothing that was acknowledged, and execute nothing twice", async () => {
  await using victim = await serveVictim();
  const { wrong, acknowledged, outputBytes } = await surviveKills(victim, { kills: 3, seed: 7 });
  expect(wrong).toEqual([]);
  expect(Math.min(...Object.values(acknowledged))).toBeGreaterThan(0);
  expect(outputBytes).toBeGreaterThan(10_000);
}, 120_000);
