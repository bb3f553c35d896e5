import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { KnownMachines } from "../../../../../client/known-machines.ts";
import { SessionId } from "../../../../../core/protocol/ids.ts";
import type { MachineOverview } from "../../../../../core/protocol/machines.ts";
import { MachineWatch } from "../../../../../main/desktop/sessions/machine-watch.ts";
import { questionOf } from "../../../../support/asked-question.ts";
import { machineWith } from "../../../../support/machine-overview.ts";

const MINUTE_MS = 60_000;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
});
afterEach(() => {
  vi.useRealTimers();
});

const one = questionOf({ id: 1 });
const two = questionOf({ id: 2 });

/** A watch of machines that a test plays. */
function watching(list: () => Promise<readonly MachineOverview[]>) {
  const parts = { list: vi.fn(list), changed: vi.fn(), log: vi.fn() };
  const watch = new MachineWatch({ machines: { list: parts.list }, changed: parts.changed, log: parts.log });
  onTestFinished(() => watch[Symbol.dispose]());
  return { watch, ...parts };
}

/** Machines that answer when the test says so, the earliest request first. */
function slowMachines() {
  const requests: ((machines: readonly MachineOverview[]) => void)[] = [];
  const list = () => new Promise<readonly MachineOverview[]>((resolve) => requests.push(resolve));
  const answer = async (request: number, machines: readonly MachineOverview[]) => {
    requests[request]?.(machines);
    await vi.advanceTimersByTimeAsync(0);
  };
  return { list, answer };
}

test("open questions of machines that can be asked count once each, and not where this machine's sessions have them", async () => {
  const answered = questionOf({ id: 3, state: "answered" });
  const { watch } = watching(async () => [
    machineWith([one, two, answered]),
    machineWith([one, two], { via: "fleet" }),
    machineWith([questionOf({ id: 4 })], { machine: "pi", state: "away", key: "unknown" }),
    machineWith([questionOf({ id: 5 })], { machine: "nas", key: "rejected" }),
  ]);
  await vi.advanceTimersByTimeAsync(0);
  expect(watch.waiting([])).toBe(2);
  const here = { id: one.session, client: { mirror: { questions: [one] } } };
  const other = { id: SessionId.parse("session-0000000b"), client: { mirror: { questions: [two] } } };
  expect(watch.waiting([here, other, { id: "not-joined", client: { mirror: undefined } }])).toBe(1);
});

test("the machines are asked at once and every minute, and only other questions are a change", async () => {
  let questions = [one];
  const { watch, list, changed } = watching(async () => [machineWith(questions)]);
  await vi.advanceTimersByTimeAsync(2 * MINUTE_MS);
  expect(list).toHaveBeenCalledTimes(3);
  expect(changed).toHaveBeenCalledOnce();
  questions = [two];
  await vi.advanceTimersByTimeAsync(MINUTE_MS);
  expect(changed).toHaveBeenCalledTimes(2);
  questions = [];
  await vi.advanceTimersByTimeAsync(MINUTE_MS);
  expect(changed).toHaveBeenCalledTimes(3);
  expect(watch.waiting([])).toBe(0);
});

test("no look begins while a request is under way, of the panel neither", async () => {
  const { list: slow, answer } = slowMachines();
  const { watch, list } = watching(slow);
  await vi.advanceTimersByTimeAsync(3 * MINUTE_MS);
  expect(list).toHaveBeenCalledOnce();
  await answer(0, []);
  const asked = watch.list();
  await vi.advanceTimersByTimeAsync(2 * MINUTE_MS);
  expect(list).toHaveBeenCalledTimes(2);
  await answer(1, []);
  await asked;
  await vi.advanceTimersByTimeAsync(MINUTE_MS);
  expect(list).toHaveBeenCalledTimes(3);
});

test("a look that fails changes nothing, and the next one comes", async () => {
  let fails = false;
  const { watch, changed, log } = watching(async () => {
    if (fails) throw new Error("a defect");
    return [machineWith([one])];
  });
  await vi.advanceTimersByTimeAsync(0);
  fails = true;
  await vi.advanceTimersByTimeAsync(MINUTE_MS);
  expect(log).toHaveBeenCalledWith(expect.stringContaining("a defect"));
  await expect(watch.list()).rejects.toThrow("a defect");
  expect([watch.waiting([]), changed.mock.calls.length]).toEqual([1, 1]);
  fails = false;
  await vi.advanceTimersByTimeAsync(MINUTE_MS);
  expect([watch.waiting([]), log.mock.calls.length]).toEqual([1, 1]);
});

test("what the panel is answered counts at once, and no answer to an earlier look replaces it", async () => {
  const { list, answer } = slowMachines();
  const { watch, changed } = watching(list);
  const now = [machineWith([one, two])];
  const asked = watch.list();
  await answer(1, now);
  expect(await asked).toBe(now);
  expect([watch.waiting([]), changed.mock.calls.length]).toEqual([2, 1]);
  await answer(0, [machineWith([one])]);
  expect([watch.waiting([]), changed.mock.calls.length]).toEqual([2, 1]);
});

test("it ends with the app: no timer is left, and a late answer changes nothing", async () => {
  const { list: slow, answer } = slowMachines();
  const { watch, list, changed } = watching(slow);
  watch[Symbol.dispose]();
  expect(vi.getTimerCount()).toBe(0);
  await answer(0, [machineWith([one])]);
  await vi.advanceTimersByTimeAsync(2 * MINUTE_MS);
  expect(list).toHaveBeenCalledOnce();
  expect(changed).not.toHaveBeenCalled();
});

test("where no machine is known, neither a keychain nor a broker is asked", async () => {
  const data = mkdtempSync(join(tmpdir(), "patchbay-watch-"));
  onTestFinished(() => rmSync(data, { recursive: true }));
  const keychain = { get: vi.fn(), set: vi.fn(), delete: vi.fn() };
  const keptQuestions = vi.fn();
  const url = vi.fn(() => "http://127.0.0.1:1");
  const known = new KnownMachines({ data, env: {}, keychain, url, fleet: () => [], keptQuestions });
  const { watch, list, changed } = watching(() => known.list());
  await vi.advanceTimersByTimeAsync(MINUTE_MS);
  expect(list).toHaveBeenCalledTimes(2);
  for (const asked of [keychain.get, keptQuestions, url, changed]) expect(asked).not.toHaveBeenCalled();
  expect(watch.waiting([])).toBe(0);
});
