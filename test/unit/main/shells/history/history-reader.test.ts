import { readFileSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { listSegments, removeSegment } from "../../../../../main/shells/history/trim.ts";
import { historyLab, owner, PrintingShell } from "./history-lab.ts";

const PIECE = 50_000;

/** Prints pieces, each of which begins a segment of its own. */
async function printed(lab: ReturnType<typeof historyLab>, pieces: number): Promise<Buffer> {
  lab.recorder.configure(lab.options);
  const shell = new PrintingShell(lab.recorder);
  const all = Array.from({ length: pieces }, (_, at) => Buffer.alloc(PIECE, 0x61 + at));
  for (const piece of all) {
    shell.print(piece);
    await lab.recorder.flush({ rotate: true });
  }
  return Buffer.concat(all);
}

test("places of a shell are read whole, together with those beside them, and without what lies between", async () => {
  await using lab = historyLab();
  const all = await printed(lab, 6);
  const place = fc.tuple(fc.nat(all.length - 1), fc.integer({ min: 1, max: 1000 }));
  await fc.assert(
    fc.asyncProperty(fc.array(place, { minLength: 1, maxLength: 4 }), async (chosen) => {
      const places = chosen.map(([from, length]) => ({ from, to: Math.min(from + length, all.length) }));
      const runs = await lab.reader.lookUp()(owner, places);
      for (const { from, to } of places) {
        const run = runs.find(({ start, bytes }) => start <= from && start + bytes.length >= to);
        expect(run?.bytes.subarray(from - run.start, to - run.start).equals(all.subarray(from, to))).toBe(true);
      }
      const read = runs.reduce((sum, { bytes }) => sum + bytes.length, 0);
      expect(read).toBeLessThanOrEqual(chosen.length * 2 * PIECE);
    }),
    { numRuns: 50 },
  );
});

test("what is gone between two places divides what is read", async () => {
  await using lab = historyLab();
  await printed(lab, 3);
  const [, middle] = await listSegments(lab.folder, owner);
  if (middle !== undefined) await removeSegment(lab.folder, middle);
  const runs = await lab.reader.lookUp()(owner, [{ from: PIECE - 10, to: 2 * PIECE + 10 }]);
  const [before, after, ...more] = runs;
  expect((before?.start ?? 0) + (before?.bytes.length ?? 0)).toBe(PIECE);
  expect(after?.start).toBe(2 * PIECE);
  expect(more).toEqual([]);
});

test("the end of what was printed is read after the last gap, not before it", async () => {
  await using lab = historyLab();
  const all = await printed(lab, 3);
  const [, middle] = await listSegments(lab.folder, owner);
  if (middle !== undefined) await removeSegment(lab.folder, middle);
  expect(await lab.reader.read(owner, {})).toMatchObject({
    output: all.subarray(2 * PIECE).toString(),
    offset: 2 * PIECE,
    end: 3 * PIECE,
  });
});

test("a segment stays named as damaged when a sound part of it is read afterwards", async () => {
  await using lab = historyLab();
  lab.recorder.configure(lab.options);
  const shell = new PrintingShell(lab.recorder);
  for (let at = 0; at < 3; at++) {
    shell.print(Buffer.alloc(PIECE, 0x61 + at));
    await lab.recorder.flush();
  }
  const [{ file } = { file: "" }] = await listSegments(lab.folder, owner);
  const content = readFileSync(file);
  content[content.length - 100] = (content[content.length - 100] ?? 0) ^ 1;
  writeFileSync(file, content);
  for await (const _ of lab.reader.frames(owner));
  expect(await lab.reader.lookUp()(owner, [{ from: 10, to: 20 }])).toHaveLength(1);
  expect([...lab.reader.damage]).toEqual([[file, "damaged"]]);
});

test("a segment that the disk does not give is named, and read once the disk does", async () => {
  await using lab = historyLab();
  lab.recorder.configure(lab.options);
  new PrintingShell(lab.recorder).print("some output");
  await lab.recorder.flush();
  const [segment] = await listSegments(lab.folder);
  const file = segment?.file ?? "";
  const content = readFileSync(file);
  unlinkSync(file);
  // A file of which each read at its beginning fails with EIO.
  symlinkSync("/proc/self/mem", file);
  expect(await lab.reader.read(owner, { since: 0 })).toBeUndefined();
  expect([...lab.reader.damage]).toEqual([[file, "damaged"]]);
  unlinkSync(file);
  writeFileSync(file, content);
  expect((await lab.reader.read(owner, { since: 0 }))?.output).toBe("some output");
  expect([...lab.reader.damage]).toEqual([]);
});
