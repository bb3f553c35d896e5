import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { historyLimits } from "../../../../core/protocol/history.ts";
import { bytesForSegments, HistoryBound, indexBytes } from "../../../../main/entry/history-bound.ts";

const BOUND = 64 * 1024 ** 2;

function boundLab() {
  const folder = mkdtempSync(join(tmpdir(), "bound-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "index.db");
  let now = 0;
  vi.spyOn(performance, "now").mockImplementation(() => now);
  onTestFinished(() => void vi.restoreAllMocks());
  const done: string[] = [];
  const bound: HistoryBound = new HistoryBound({
    file,
    maxBytes: () => BOUND,
    tell: async () => done.push(`told ${bound.told(BOUND, await indexBytes(file))}`),
    forgetRemoved: async () => done.push("forgotten"),
  });
  return {
    file,
    bound,
    done: () => done.splice(0),
    later(seconds: number) {
      now += seconds * 1000;
      return bound.indexed();
    },
  };
}

test("segments get what the index leaves of the bound, and half of it in any case", () => {
  expect(bytesForSegments(1000, 0)).toBe(1000);
  expect(bytesForSegments(1000, 300)).toBe(700);
  expect(bytesForSegments(1000, 5000)).toBe(500);
  expect(bytesForSegments(0, 300)).toBe(0);
});

test("the size of an index is that of all of its files", async () => {
  const { file } = boundLab();
  expect(await indexBytes(file)).toBe(0);
  for (const name of [file, `${file}-wal`, `${file}-shm`]) writeFileSync(name, Buffer.alloc(100));
  expect(await indexBytes(file)).toBe(300);
});

test("the shell host is told again when the index has changed by a sixteenth of the bound, once a minute at most", async () => {
  const { file, bound, done, later } = boundLab();
  await later(0);
  expect(done()).toEqual([]);
  expect(bound.told(BOUND, await indexBytes(file))).toBe(BOUND);
  writeFileSync(file, Buffer.alloc(BOUND / 16));
  await later(61);
  expect(done()).toEqual([]);
  writeFileSync(file, Buffer.alloc(BOUND / 16 + 1));
  await later(30);
  expect(done()).toEqual([]);
  await later(31);
  expect(done()).toEqual([`told ${BOUND - BOUND / 16 - 1}`]);
  await later(61);
  expect(done()).toEqual([]);
  writeFileSync(file, Buffer.alloc(BOUND));
  await later(61);
  expect(done()).toEqual([`told ${BOUND / 2}`]);
});

test("the index forgets what the shell host has removed, every ten minutes of output at most", async () => {
  const { done, later } = boundLab();
  await later(500);
  expect(done()).toEqual([]);
  await later(101);
  expect(done()).toEqual(["forgotten"]);
  await later(500);
  expect(done()).toEqual([]);
});

test("no bound is narrower than a shell host takes, also where old output is removed now", () => {
  const { leastBytes } = historyLimits;
  expect(bytesForSegments(leastBytes, leastBytes)).toBe(leastBytes);
  expect(bytesForSegments(leastBytes + 2, leastBytes)).toBe(leastBytes);
  expect(bytesForSegments(leastBytes * 4, leastBytes * 4)).toBe(leastBytes * 2);
  expect(bytesForSegments(leastBytes - 2, leastBytes)).toBe(leastBytes / 2 - 1);
  const { bound } = boundLab();
  expect(bound.told(historyLimits.leastBytes, historyLimits.leastBytes)).toBe(historyLimits.leastBytes);
});
