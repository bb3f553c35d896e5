import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { parseUsage, UsageSampler } from "../../../../../main/system/processes/usage.ts";
import { until } from "../../../../support/until.ts";

test("a line of ps is read, and anything else is none", () => {
  expect(parseUsage("  12   1  3.5  2048")).toEqual([[12, { ppid: 1, cpuPercent: 3.5, memoryBytes: 2048 * 1024 }]]);
  expect(parseUsage("12 1 0,5 8")).toEqual([[12, { ppid: 1, cpuPercent: 0.5, memoryBytes: 8192 }]]);
  for (const line of ["", "PID PPID %CPU RSS", "12 1 x 8", "12 1 -1 8", "12 1 0 8 more", "1e9 1 0 8", "12 1 0 -8"])
    expect(parseUsage(line)).toEqual([]);
});

test("a process that works and one that sleeps are told apart, with memory, and one that has ended is not shown", async () => {
  const busy = spawn(process.execPath, ["-e", "for(;;);"]);
  const calm = spawn("sleep", ["1000"]);
  const gone = spawn("true");
  try {
    await once(gone, "exit");
    const sampler = new UsageSampler();
    // On a busy machine its turn may not have come yet.
    const { works, others } = await until("the one that works", async () => {
      const { below, others } = await sampler.measure([busy.pid ?? 0], [calm.pid ?? 0, gone.pid ?? 0]);
      const [works] = below.get(busy.pid ?? 0) ?? [];
      return works !== undefined && works.cpuPercent > 10 ? { works, others } : undefined;
    });
    expect(works).toMatchObject({ pid: busy.pid, ppid: process.pid, name: "node" });
    expect(works.memoryBytes).toBeGreaterThan(10 * 1024 * 1024);
    expect(others).toMatchObject([{ pid: calm.pid, name: "sleep", cpuPercent: 0 }]);
    // The second time it is measured since the first.
    const again = await sampler.measure([busy.pid ?? 0], []);
    expect(again.below.get(busy.pid ?? 0)?.[0]?.cpuPercent).toBeLessThan(200);
  } finally {
    for (const child of [busy, calm]) child.kill("SIGKILL");
  }
});

test("two callers at once measure over the same time, and neither shows many processors", async () => {
  const busy = spawn(process.execPath, ["-e", "for(;;);"]);
  try {
    const sampler = new UsageSampler();
    const pid = busy.pid ?? 0;
    await sampler.measure([pid], []);
    const both = await Promise.all([sampler.measure([pid], []), sampler.measure([pid], [])]);
    for (const { below } of both) {
      const [{ cpuPercent } = { cpuPercent: 0 }] = below.get(pid) ?? [];
      expect(cpuPercent).toBeGreaterThan(10);
      expect(cpuPercent).toBeLessThan(200);
    }
  } finally {
    busy.kill("SIGKILL");
  }
});
