import { expect, test, vi } from "vitest";
import { HistoryIndexing } from "../../../../main/entry/history-indexing.ts";
import type { IndexRequest } from "../../../../main/shells/history-index/index-calls.ts";

const LONG = 60_000;
const owner = { session: "a", shell: 1 };

/** An index whose calls end when the test says so. */
function indexLab() {
  const asked: { readonly request: IndexRequest; end(error?: Error): void }[] = [];
  const warned: string[] = [];
  const index = {
    call: (request: IndexRequest) =>
      new Promise<unknown>((resolve, reject) => {
        asked.push({ request, end: (error) => (error === undefined ? resolve(undefined) : reject(error)) });
      }),
  };
  const indexed = { count: 0 };
  const indexing = new HistoryIndexing(index, { warn: (line) => void warned.push(line) }, () => {
    indexed.count += 1;
  });
  void indexing.catchUp();
  const open = () => asked.map(({ request }) => request);
  return { indexing, indexed, asked, warned, open, add: { method: "add", owner } as const };
}

test("a search waits for everything that was recorded before, and no longer than it may", async () => {
  const { indexing, asked, open } = indexLab();
  expect(open()).toEqual([{ method: "catchUp" }]);
  expect(await indexing.settle("a", { noted: [], ms: 0 })).toBe(false);
  const settled = indexing.settle("a", { noted: [], ms: LONG });
  asked[0]?.end();
  expect(await settled).toBe(true);
  // What is done is not done again.
  expect(await indexing.settle("a", { noted: [], ms: LONG })).toBe(true);
  expect(open()).toHaveLength(1);
});

test("a shell is indexed by how much was noted of it, also before it has told that it printed", async () => {
  const { indexing, asked, open, add } = indexLab();
  asked[0]?.end();
  const settled = indexing.settle("a", { noted: [[1, 500]], ms: LONG });
  expect(open().slice(1)).toEqual([add]);
  asked[1]?.end();
  expect(await settled).toBe(true);
  expect(await indexing.settle("a", { noted: [[1, 500]], ms: LONG })).toBe(true);
  expect(open()).toHaveLength(2);
  expect(await indexing.settle("a", { noted: [[1, 501]], ms: 0 })).toBe(false);
  expect(open().slice(2)).toEqual([add]);
});

test("what was removed is forgotten before the file gets shorter, for which nobody waits", async () => {
  const { indexing, asked, open } = indexLab();
  asked[0]?.end();
  const forgotten = indexing.forgetRemoved();
  expect(open()).toEqual([{ method: "catchUp" }, { method: "catchUp" }]);
  asked[1]?.end();
  await forgotten;
  expect(open().slice(2)).toEqual([{ method: "tidy" }]);
  expect(await indexing.settle("a", { noted: [], ms: LONG })).toBe(true);
});

test("what was indexed is told, and what was not is not", async () => {
  const { indexing, asked, indexed } = indexLab();
  asked[0]?.end(new Error("full"));
  expect(await indexing.settle("a", { noted: [], ms: 0 })).toBe(false);
  expect(indexed.count).toBe(0);
  const settled = indexing.settle("a", { noted: [[1, 500]], ms: LONG });
  for (const { end } of asked.slice(1)) end();
  expect(await settled).toBe(true);
  expect(indexed.count).toBe(asked.length - 1);
});

test("a search waits for what is being indexed already, of its own session only", async () => {
  const { indexing, asked, add, open } = indexLab();
  asked[0]?.end();
  void indexing.settle("a", { noted: [[1, 500]], ms: LONG });
  expect(open().slice(1)).toEqual([add]);
  expect(await indexing.settle("a", { noted: [[1, 500]], ms: 0 })).toBe(false);
  expect(await indexing.settle("b", { noted: [], ms: LONG })).toBe(true);
  const settled = indexing.settle("a", { noted: [[1, 500]], ms: LONG });
  asked[1]?.end();
  expect(await settled).toBe(true);
});

test("what the disk has not taken makes an answer incomplete, and is read once the disk has it", async () => {
  const { indexing, asked, open, add } = indexLab();
  asked[0]?.end();
  const first = indexing.settle("a", { noted: [[1, 500]], waiting: 200, ms: LONG });
  asked[1]?.end();
  expect(await first).toBe(false);
  const next = indexing.settle("a", { noted: [[1, 500]], ms: LONG });
  expect(open().slice(1)).toEqual([add, add]);
  asked[2]?.end();
  expect(await next).toBe(true);
});

test("what a shell has told is indexed at once for a search of its session", () => {
  const { indexing, asked, open, add } = indexLab();
  asked[0]?.end();
  indexing.later(owner);
  indexing.later({ session: "b", shell: 1 });
  expect(open()).toHaveLength(1);
  void indexing.settle("a", { noted: [], ms: LONG });
  expect(open().slice(1)).toEqual([add]);
  indexing[Symbol.dispose]();
});

test("what is printed without a pause is indexed in the pause, and at the latest after ten seconds", () => {
  vi.useFakeTimers();
  try {
    const { indexing, asked, open, add } = indexLab();
    asked[0]?.end();
    indexing.later(owner);
    vi.advanceTimersByTime(5000);
    indexing.later(owner);
    vi.advanceTimersByTime(4900);
    expect(open().slice(1)).toEqual([]);
    vi.advanceTimersByTime(100);
    expect(open().slice(1)).toEqual([add]);
    indexing.later(owner);
    vi.advanceTimersByTime(5900);
    expect(open().slice(1)).toEqual([add]);
    vi.advanceTimersByTime(100);
    expect(open().slice(1)).toEqual([add, add]);
    indexing[Symbol.dispose]();
  } finally {
    vi.useRealTimers();
  }
});

test("an index that is replaced is asked for nothing more", async () => {
  vi.useFakeTimers();
  try {
    const { indexing, asked, open, add } = indexLab();
    asked[0]?.end();
    for (const shell of [1, 2]) indexing.later({ ...owner, shell });
    vi.advanceTimersByTime(6000);
    expect(open().slice(1)).toEqual([add]);
    indexing[Symbol.dispose]();
    asked[1]?.end(new Error("the thread of the index ended"));
    // After what goes on when the call has ended.
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
    expect(open().slice(1)).toEqual([add]);
    await indexing.forgetRemoved();
    expect(open().slice(1)).toEqual([add]);
  } finally {
    vi.useRealTimers();
  }
});

test("what was recorded before is indexed after the shells that start with the relay, or by the first search", async () => {
  vi.useFakeTimers();
  try {
    for (const isSearched of [false, true]) {
      const call = vi.fn(async () => undefined);
      const indexing = new HistoryIndexing({ call }, { warn: () => undefined });
      vi.advanceTimersByTime(5900);
      expect(call).not.toHaveBeenCalled();
      if (isSearched) expect(await indexing.settle("a", { noted: [], ms: LONG })).toBe(true);
      else vi.advanceTimersByTime(100);
      expect(call.mock.calls).toEqual([[{ method: "catchUp" }]]);
      indexing[Symbol.dispose]();
    }
  } finally {
    vi.useRealTimers();
  }
});

test("what could not be indexed is tried again by the next search, and said once", async () => {
  const { indexing, asked, open, add, warned } = indexLab();
  const first = indexing.settle("a", { noted: [[1, 500]], ms: LONG });
  for (const { end } of [...asked]) end(new Error("no room"));
  expect(await first).toBe(false);
  const next = indexing.settle("a", { noted: [[1, 500]], ms: LONG });
  expect(open().slice(2)).toEqual([add, { method: "catchUp" }]);
  for (const { end } of asked.slice(2)) end();
  expect(await next).toBe(true);
  expect(warned).toEqual(["The history could not be indexed: no room"]);
});

test("what the index had when its thread ended is looked at again by the next search", async () => {
  const { indexing, asked, open, add } = indexLab();
  const first = indexing.settle("a", { noted: [[1, 500]], ms: LONG });
  for (const { end } of [...asked]) end();
  expect(await first).toBe(true);
  indexing.indexEnded();
  const next = indexing.settle("a", { noted: [[1, 500]], ms: LONG });
  expect(open().slice(2)).toEqual([add, { method: "catchUp" }]);
  expect(await Promise.race([next, Promise.resolve("waits")])).toBe("waits");
});
