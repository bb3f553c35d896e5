import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as turnOver } from "node:timers/promises";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { LineReader, type ReadProblem } from "../../../../main/agents/line-reader.ts";

let folder: string;
let path: string;
let problems: ReadProblem[];
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "patchbay-lines-")));
  path = join(folder, "a.jsonl");
  problems = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function reader(file = path, root = folder) {
  const lines: string[] = [];
  const tails: string[] = [];
  const take = (into: string[]) => (bytes: Buffer, start: number, end: number) => {
    into.push(bytes.toString("utf8", start, end));
  };
  const reading = new LineReader(file, root, (problem) => problems.push(problem));
  const read = async () => {
    lines.length = 0;
    tails.length = 0;
    const news = await reading.read(take(lines), take(tails));
    return { news, lines: [...lines], tails: [...tails] };
  };
  return { read, hasFailed: () => reading.hasFailed };
}

test("reads each line once, and an unfinished one when it is finished", async () => {
  const { read } = reader();
  expect(await read()).toEqual({ news: false, lines: [], tails: [] });
  writeFileSync(path, "one\ntw");
  expect(await read()).toEqual({ news: true, lines: ["one"], tails: ["tw"] });
  expect(await read()).toEqual({ news: false, lines: [], tails: [] });
  appendFileSync(path, "o\nthree\n");
  expect(await read()).toEqual({ news: true, lines: ["two", "three"], tails: [] });
  expect(problems).toEqual([]);
});

test("starts over when the file is truncated, replaced or written anew", async () => {
  const { read } = reader();
  writeFileSync(path, "a long first line\nsecond\n");
  await read();
  truncateSync(path, 0);
  appendFileSync(path, "new\n");
  expect((await read()).lines).toEqual(["new"]);
  writeFileSync(join(folder, "b"), "rotated\nin\n");
  renameSync(join(folder, "b"), path);
  expect((await read()).lines).toEqual(["rotated", "in"]);
  writeFileSync(path, "changed in place and longer than before\n");
  expect((await read()).lines).toEqual(["changed in place and longer than before"]);
});

test("skips a line over 50 MB with one problem that names it, whether it comes at once or in parts", async () => {
  const { read } = reader();
  const huge = Buffer.alloc(51 * 1024 * 1024, "x");
  writeFileSync(path, "before\n");
  appendFileSync(path, huge);
  appendFileSync(path, "\nafter\n");
  expect((await read()).lines).toEqual(["before", "after"]);
  expect(problems).toEqual([{ reason: "line over 50 MB skipped", path, offset: 7 }]);
  appendFileSync(path, huge);
  expect(await read()).toMatchObject({ lines: [], tails: [] });
  appendFileSync(path, "the rest\nlast\n");
  expect((await read()).lines).toEqual(["last"]);
  expect(problems).toHaveLength(2);
});

test("does not follow a link out of the folder, nor hang on a pipe or folder", async () => {
  const root = join(folder, "home");
  mkdirSync(root);
  writeFileSync(join(folder, "secret"), "secret\n");
  symlinkSync(join(folder, "secret"), join(root, "link.jsonl"));
  mkdirSync(join(root, "folder.jsonl"));
  expect(await reader(join(root, "link.jsonl"), root).read()).toMatchObject({ news: false, lines: [] });
  const irregular = reader(join(root, "folder.jsonl"), root);
  expect(await irregular.read()).toMatchObject({ news: false, lines: [] });
  expect(irregular.hasFailed()).toBe(false);
  expect(problems).toEqual([
    { reason: "leads out of the agent's folder", path: join(root, "link.jsonl") },
    { reason: "is not a regular file", path: join(root, "folder.jsonl") },
  ]);
});

test("a folder that was resolved already is not read once it is a link", async () => {
  const [root, other] = [join(folder, "root"), join(folder, "other")];
  for (const place of [root, other]) {
    mkdirSync(place);
    writeFileSync(join(place, "a.jsonl"), `{"in":"${place}"}\n`);
  }
  const within = reader(join(root, "a.jsonl"), `${root}/`);
  expect((await within.read()).lines).toHaveLength(1);
  renameSync(root, join(folder, "moved"));
  symlinkSync(other, root);
  expect((await within.read()).news).toBe(false);
  expect(problems).toHaveLength(1);
  // The user's own links are followed.
  expect((await reader(join(root, "a.jsonl"), root).read()).lines).toHaveLength(1);
});

test("reports an unreadable file once, and follows a link that stays in the folder", async () => {
  writeFileSync(join(folder, "real"), "line\n");
  symlinkSync(join(folder, "real"), path);
  expect((await reader().read()).lines).toEqual(["line"]);
  const loop = join(folder, "loop");
  symlinkSync(loop, loop);
  const looping = reader(loop);
  await looping.read();
  await looping.read();
  expect(looping.hasFailed()).toBe(true);
  rmSync(loop);
  await looping.read();
  expect(looping.hasFailed()).toBe(false);
  expect(problems).toEqual([{ reason: "cannot be read (ELOOP)", path: loop }]);
});

test("keeps going when the file is deleted while it is read, and takes its successor", async () => {
  const { read } = reader();
  writeFileSync(path, `${"line\n".repeat(3_000_000)}`);
  const reading = read();
  unlinkSync(path);
  expect((await reading).lines).toHaveLength(3_000_000);
  expect((await read()).news).toBe(false);
  writeFileSync(path, "successor\n");
  expect((await read()).lines).toEqual(["successor"]);
  expect(problems).toEqual([]);
});

test("any bytes written in any pieces come out as the same lines", async () => {
  const piece = fc.oneof(
    fc.constant("\n"),
    fc.string(),
    fc.constant("é€😀"),
    fc.string({ minLength: 200, maxLength: 400 }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(piece)), async (writes) => {
      const file = join(folder, `${Math.random()}.jsonl`);
      const { read } = reader(file);
      const seen: string[] = [];
      for (const pieces of writes) {
        appendFileSync(file, pieces.join(""));
        seen.push(...(await read()).lines);
      }
      appendFileSync(file, "\n");
      seen.push(...(await read()).lines);
      const all = `${writes.flat().join("")}\n`.split("\n").slice(0, -1);
      expect(seen).toEqual(all.filter((line) => line !== ""));
    }),
    { numRuns: 60 },
  );
});

test.each([false, true])(
  "what is read again with each byte that it grows has the file's allowance too, document: %s",
  async (document) => {
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    try {
      writeFileSync(path, "{}");
      let processorMs = 0;
      const reading = new LineReader(path, folder, (problem) => problems.push(problem), {
        ...{ document, clock: () => processorMs },
      });
      let isRead = false;
      const done = reading
        .read(
          () => undefined,
          () => {
            processorMs += 6000;
          },
        )
        .then(() => {
          isRead = true;
        });
      while (vi.getTimerCount() === 0) await turnOver();
      await vi.advanceTimersByTimeAsync(2000);
      await turnOver();
      expect(isRead).toBe(false);
      await vi.advanceTimersByTimeAsync(500);
      await done;
    } finally {
      vi.useRealTimers();
    }
  },
);

test("a file that takes longer than its allowance is read on later, and loses nothing", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  try {
    writeFileSync(path, "one\ntwo\n");
    let processorMs = 0;
    const lines: string[] = [];
    const reading = new LineReader(path, folder, (problem) => problems.push(problem), {
      // Each piece takes 6 s.
      clock: () => (processorMs += 6000),
    });
    let read: boolean | undefined;
    const done = reading
      .read(
        (bytes, start, end) => void lines.push(bytes.toString("utf8", start, end)),
        () => undefined,
      )
      .then((news) => {
        read = news;
      });
    while (vi.getTimerCount() === 0) await turnOver();
    await vi.advanceTimersByTimeAsync(2000);
    await turnOver();
    expect([lines, read]).toEqual([["one", "two"], undefined]);
    await vi.advanceTimersByTimeAsync(500);
    await done;
    expect([lines, read]).toEqual([["one", "two"], true]);
  } finally {
    vi.useRealTimers();
  }
});

test("a file whose lines take long is read in small pieces from the first one on", async () => {
  writeFileSync(path, `${"x".repeat(1023)}\n`.repeat(2000));
  let lines = 0;
  const seen: number[] = [];
  const reading = new LineReader(path, folder, (problem) => problems.push(problem), {
    // A tenth of a millisecond for each line.
    clock: () => {
      seen.push(lines);
      return lines / 10;
    },
  });
  await reading.read(
    () => {
      lines += 1;
    },
    () => undefined,
  );
  expect(lines).toBe(2000);
  const pieces = seen.map((count, index) => count - (seen[index - 1] ?? 0));
  expect(Math.max(...pieces)).toBeLessThanOrEqual(64);
});
