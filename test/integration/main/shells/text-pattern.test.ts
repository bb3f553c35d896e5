// @module-tag slow
import { spawn } from "node:child_process";
import { once } from "node:events";
import { availableParallelism, setPriority } from "node:os";
import { expect, test } from "vitest";
import { compilePattern } from "../../../../main/shells/text-pattern.ts";

/** Between that of the shells and that of the searches' thread, so that other tests are not slowed down as much. */
const NICENESS = 5;
const BUSY = "process.stdout.write('.'); for (;;);";

test("on a busy machine a search may take longer by the clock, but no longer by the processor", async () => {
  const heavy = heavySearch();
  await using _load = await busyMachine();
  expect(await compilePattern(heavy.pattern, { caller: "honest" }).find(heavy.text)).toBeNull();
  await expect(compilePattern("(a+)+$", { caller: "hostile" }).find(`${"a".repeat(60)}b`)).rejects.toMatchObject({
    code: "invalid_params",
    message: expect.stringContaining("takes too long; make it simpler"),
  });
  expect(await compilePattern("^h[e]re$", { caller: "honest" }).find("is it\nhere\nor not")).toMatchObject({
    index: 6,
  });
});

test("patterns that take too long cost their caller the time, and not the next one its answer", async () => {
  const hostile = Array.from({ length: 5 }, () =>
    compilePattern("(a|aa)+=$", { caller: "hostile" }).find("a".repeat(80)),
  );
  const ended = Promise.allSettled(hostile);
  const others = ["one", "two", "three"].map((caller) => compilePattern("b[c]d", { caller }).find("abcd"));
  expect(await Promise.all(others)).toEqual(others.map(() => ({ index: 1, text: "bcd" })));
  expect((await ended).map(({ status }) => status)).toEqual(hostile.map(() => "rejected"));
});

/** Returns a search without a match that takes 15 to 40 ms of this machine's processor. */
function heavySearch(): { pattern: string; text: string } {
  for (let length = 10; ; length++) {
    // Each its own, so that none is faster than in a thread where it is new.
    const pattern = `^(?:a+)+$|${length}[x]`;
    const text = `${"a".repeat(length)}b`;
    const regex = new RegExp(pattern, "m");
    const before = process.cpuUsage();
    regex.exec(text);
    const { user, system } = process.cpuUsage(before);
    if (user + system > 15_000) return { pattern, text };
  }
}

/** Keeps every processor busy with several processes. */
async function busyMachine(): Promise<AsyncDisposable> {
  const processes = Array.from({ length: 4 * availableParallelism() }, () =>
    spawn(process.execPath, ["-e", BUSY], { stdio: ["ignore", "pipe", "ignore"] }),
  );
  const ends = processes.map((one) => once(one, "exit"));
  for (const { pid } of processes) if (pid !== undefined) setPriority(pid, NICENESS);
  await Promise.all(processes.map(({ stdout }) => once(stdout, "data")));
  return {
    async [Symbol.asyncDispose]() {
      for (const one of processes) one.kill("SIGKILL");
      await Promise.all(ends);
    },
  };
}
