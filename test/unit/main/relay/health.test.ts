import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { HealthMonitor } from "../../../../main/relay/health.ts";

let clock = 0;
beforeEach(() => {
  clock = 0;
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "Date"] });
  vi.spyOn(performance, "now").mockImplementation(() => clock);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** Time goes by, and the event loop turns `late` milliseconds after that. */
function goBy(ms: number, late = 0): void {
  clock += ms + late;
  vi.advanceTimersByTime(ms);
}

test("an error in the log is an issue for ten minutes, other lines are not; each change is published once", () => {
  using health = new HealthMonitor();
  const [lines, told]: [string[], (string | undefined)[]] = [[], []];
  const write = (message: string) => void lines.push(message);
  const log = health.watchErrors({ debug: write, info: write, warn: write, error: write });
  health.onChange(() => told.push(health.issue));
  log.warn("a client was slow");
  expect(health.issue).toBeUndefined();
  log.error("the audit log could not be written");
  log.error("the audit log could not be written");
  expect(health.issue).toBe("the audit log could not be written");
  for (let second = 0; second < 599; second += 5) goBy(5_000);
  expect(health.issue).toBeUndefined();
  expect(told).toEqual(["the audit log could not be written", undefined]);
  expect(lines).toHaveLength(3);
});

test("an event loop that stood still is trouble; a little lateness and a sleeping machine are not", () => {
  using health = new HealthMonitor();
  goBy(5_000, 300);
  expect(health.issue).toBeUndefined();
  vi.setSystemTime(Date.now() + 3_600_000);
  goBy(5_000, 60_000);
  expect(health.issue).toBeUndefined();
  goBy(5_000, 3_000);
  expect(health.issue).toBe("The relay stood still for 3 s.");
});

test("disposing of it leaves no timer", () => {
  const health = new HealthMonitor();
  health.report("x");
  health[Symbol.dispose]();
  expect(vi.getTimerCount()).toBe(0);
});

test("what stands is told for as long as it stands, also beyond what is noted, and is over with it", () => {
  using health = new HealthMonitor();
  const told: (string | undefined)[] = [];
  health.onChange(() => told.push(health.issue));
  health.report("the shells do not answer");
  health.setOngoing("the shells do not answer");
  health.report("something else");
  goBy(20 * 60_000);
  expect(health.issue).toBe("the shells do not answer");
  health.report("the shells do not answer");
  health.setOngoing(undefined);
  expect(health.issue).toBeUndefined();
  expect(told).toEqual(["the shells do not answer", undefined]);
});
