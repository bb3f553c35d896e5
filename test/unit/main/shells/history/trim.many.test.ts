import { afterAll, expect, test, vi } from "vitest";

/** More than a call takes as arguments. */
const SEGMENTS = 200_000;

vi.mock("node:fs/promises", async (original) => {
  const real = await original<typeof import("node:fs/promises")>();
  const names = Array.from({ length: SEGMENTS }, (_, index) => `${String(index).padStart(15, "0")}.segz`);
  return {
    ...real,
    readdir: async () => names,
    stat: async (file: string) => ({ isFile: () => true, size: 1, mtimeMs: Number(file.slice(-20, -5)) + 7 }),
  };
});

// Test files share their modules: those that read the disk are loaded anew, on this one, and again for the files that follow.
vi.resetModules();
const { latestBefore, listSegments, oldestOf } = await import("../../../../../main/shells/history/trim.ts");
afterAll(() => {
  vi.doUnmock("node:fs/promises");
  vi.resetModules();
});

test("a history of any number of segments is listed, and its oldest output is known", async () => {
  const segments = await listSegments("history", { session: "one", shell: 1 });
  expect(segments).toHaveLength(SEGMENTS);
  expect(oldestOf(segments)).toBe(7);
  expect(oldestOf([])).toBeUndefined();
  expect(latestBefore(segments, 1007)).toBe(1006);
  expect(latestBefore(segments, 7)).toBeUndefined();
});
