import { expect, test } from "vitest";
import { sessionMembers } from "../../../../../main/system/processes/terminal-session.ts";

/** Processor time of this process, in microseconds. */
async function costOf(act: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await act();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

test.runIf(process.platform === "linux")("hundreds that ask at once share one look at the processes", async () => {
  for (let warm = 0; warm < 5; warm += 1) await sessionMembers(process.pid);
  const one = await costOf(async () => {
    for (let asked = 0; asked < 20; asked += 1) await sessionMembers(process.pid);
  });
  const together = await costOf(() => Promise.all(Array.from({ length: 400 }, () => sessionMembers(process.pid))));
  expect(together).toBeLessThan(one);
});
