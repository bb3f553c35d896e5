import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { EventLoopWatch, type Stall } from "../../../../main/system/event-loop-watch.ts";
import { readStalls, stallFile, takeLastStall } from "../../../../main/system/stall-file.ts";
import { until } from "../../../support/until.ts";

let data: string;
let stalls: Stall[];

beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), "patchbay-stalls-"));
  stalls = [];
});

afterEach(() => rmSync(data, { recursive: true, force: true }));

const watch = () => new EventLoopWatch({ file: stallFile(data), onStall: (stall) => stalls.push(stall) });

/** Works without a turn of the event loop until the thread has noticed it. */
function busyUntilNoticed(): void {
  const end = performance.now() + 20_000;
  while ((readStalls(data)?.ongoing?.stack ?? []).length === 0 && performance.now() < end);
}

test("a stall is told with its length and the main thread's stack, and the file has it while it lasts", async () => {
  using loop = watch();
  busyUntilNoticed();
  expect(readStalls(data)).toMatchObject({ pid: process.pid, count: 0 });
  await until("the end of the stall", () => stalls[0]);
  const [stall] = stalls;
  expect(stall?.ms).toBeGreaterThan(1000);
  expect(stall?.stack.join("\n")).toContain("busyUntilNoticed (system/event-loop-watch.test.ts");
  expect(loop.stalls).toEqual({ count: 1, longestMs: stall?.ms });
  expect(readStalls(data)).toEqual({ pid: process.pid, count: 1, longestMs: stall?.ms });
});

test("a regular expression that hangs the main thread is named by what has called it", {
  tags: "slow",
  timeout: 70_000,
}, async () => {
  using _loop = watch();
  // Each turn takes twice as long as the one before, until one has taken longer than its stack is waited for.
  let length = 20;
  await until(
    "a long stall",
    () => {
      const isThere = stalls.some(({ ms }) => ms > 4000);
      if (!isThere) slowPattern("a".repeat(length++));
      return isThere;
    },
    60_000,
  );
  expect(stalls.at(-1)?.stack.join("\n")).toMatch(/^slowPattern /m);
});

test("short turns are no stall, and the watch ends with its owner", async () => {
  const loop = watch();
  for (let turn = 0; turn < 20; turn++) {
    const end = performance.now() + 100;
    while (performance.now() < end);
    await new Promise((resolve) => setImmediate(resolve));
  }
  loop[Symbol.dispose]();
  expect(loop.stalls).toEqual({ count: 0, longestMs: 0 });
  expect(existsSync(stallFile(data))).toBe(false);
});

test("a stall in which the process was ended is told to the next one, once", () => {
  const ongoing = { since: new Date().toISOString(), stack: ["work (main.js:1:1)"] };
  writeFileSync(stallFile(data), JSON.stringify({ pid: 1, count: 0, longestMs: 0, ongoing }));
  expect(takeLastStall(data)).toEqual(ongoing);
  expect(takeLastStall(data)).toBeUndefined();
  writeFileSync(stallFile(data), "{");
  expect(takeLastStall(data)).toBeUndefined();
});

function slowPattern(text: string): boolean {
  return /^(?:a+)+$/.test(`${text}!`);
}
