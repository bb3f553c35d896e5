import { expect, test } from "vitest";
import { startLoudLab } from "../support/loud-lab.ts";

test("a program keeps no other shell from working by what it prints", async () => {
  await using lab = await startLoudLab();
  for (const way of ["bells", "notifications", "device queries"]) {
    await using _loud = await lab.beLoud(way);
    const { failed } = await lab.runInQuiet({ runs: 10, forMs: 1000 });
    expect([way, failed]).toEqual([way, []]);
  }
  expect(lab.hostLog()).not.toContain("was cut");
});
