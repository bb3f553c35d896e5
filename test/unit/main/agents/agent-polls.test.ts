import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { AgentPolls } from "../../../../main/agents/agent-polls.ts";
import { systemClock } from "../../../../main/agents/clock.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date", "performance"] }));
afterEach(() => void vi.useRealTimers());

/** Polls that note when they were, in ms after the start. `tookMs`: by the clock; `usedMs`: of the processor. */
function lab({ tookMs = 0, usedMs = 0, fails = false }: { tookMs?: number; usedMs?: number; fails?: boolean } = {}) {
  let used = 0;
  vi.spyOn(process, "cpuUsage").mockImplementation(() => ({ user: used * 1000, system: 0 }));
  const began = Date.now();
  const at: number[] = [];
  const logged: string[] = [];
  const machine = { newest: "1", unjoined: false, paceMs: undefined as number | undefined };
  const polls = new AgentPolls({
    clock: systemClock,
    log: (message) => logged.push(message),
    source: { newest: () => machine.newest },
    live: {
      async poll() {
        at.push(Date.now() - began);
        vi.setSystemTime(Date.now() + tookMs);
        used += usedMs;
        if (fails) throw new Error("the process table is gone");
      },
      hasUnjoinedAgents: () => machine.unjoined,
      nextCheckMs: () => machine.paceMs,
    },
  });
  onTestFinished(() => polls[Symbol.dispose]());
  return { polls, at, logged, machine, pass: (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds) };
}

test("agents are looked for at the start and each second, and after the end no more", async () => {
  const { polls, at, pass } = lab();
  polls.start();
  polls.start();
  await pass(2500);
  expect(at).toEqual([0, 1000, 2000]);
  polls[Symbol.dispose]();
  polls.soon();
  polls.ended(true);
  await pass(5000);
  expect(at).toHaveLength(3);
});

test("nothing is looked for before the start", async () => {
  const { polls, at, pass } = lab();
  polls.soon();
  polls.watch();
  await pass(5000);
  expect(at).toEqual([]);
});

test("a sign of a new agent has them looked for soon, the end of one at once, that of another program in its time", async () => {
  const { polls, at, pass } = lab();
  polls.start();
  await pass(100);
  polls.soon();
  polls.ended(false);
  await pass(500);
  expect(at).toEqual([0, 350]);
  polls.ended(true);
  await pass(100);
  expect(at).toEqual([0, 350, 600]);
});

test("an agent whose session is not known has them looked for four times a second", async () => {
  const { polls, at, machine, pass } = lab();
  machine.unjoined = true;
  polls.start();
  await pass(1100);
  expect(at).toEqual([0, 250, 500, 750, 1000]);
});

test("a program that starts has them looked for at the next check", async () => {
  const { polls, at, machine, pass } = lab();
  machine.paceMs = 100;
  polls.start();
  await pass(150);
  machine.newest = "2";
  await pass(100);
  expect(at).toEqual([0, expect.closeTo(200, -1)]);
  // The same one is no news.
  await pass(700);
  expect(at).toHaveLength(2);
});

test("programs that start all the time take a fifth of the time", async () => {
  const { polls, at, machine, pass } = lab({ tookMs: 50, usedMs: 50 });
  machine.paceMs = 10;
  polls.start();
  for (let count = 0; count < 100; count++) {
    machine.newest = String(count);
    await pass(10);
  }
  expect(at.length).toBeGreaterThan(2);
  for (const [index, time] of at.slice(1).entries()) expect(time - (at[index] ?? 0)).toBeGreaterThanOrEqual(250);
});

test("on a machine whose processors are busy elsewhere, a look that waited for them makes the next one no rarer", async () => {
  const { polls, at, machine, pass } = lab({ tookMs: 300, usedMs: 5 });
  machine.paceMs = 10;
  polls.start();
  await pass(0);
  machine.newest = "2";
  await pass(50);
  expect(at).toHaveLength(2);
});

test("a look that fails is logged, and the next one comes", async () => {
  const { polls, at, logged, pass } = lab({ fails: true });
  polls.start();
  await pass(1500);
  expect(at).toEqual([0, 1000]);
  expect(logged).toEqual(["looking for agents failed", "looking for agents failed"]);
});
