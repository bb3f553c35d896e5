import { expect, test } from "vitest";
import { processStart, processStartedAt } from "../../../../../main/system/processes/process-start.ts";

/** Above all that systems give by default. */
const NO_PID = 2 ** 30;

test.skipIf(process.platform === "win32")("a process's start is a time that lies as far back as it has run", () => {
  const startedAt = processStartedAt(process.pid) ?? expect.unreachable("this process runs");
  expect(Math.abs(Date.now() - process.uptime() * 1000 - startedAt)).toBeLessThan(3000);
});

test("a process that is not there has no start", () => {
  expect([processStart(NO_PID), processStartedAt(NO_PID)]).toEqual([undefined, undefined]);
});
