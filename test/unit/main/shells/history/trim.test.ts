import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { daysAgo, listSegments, removeSegment, trimSegments } from "../../../../../main/shells/history/trim.ts";

const DAY_MS = 24 * 3600_000;
let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "trim-"));
});

afterEach(() => rmSync(folder, { recursive: true }));

function segment(place: string, bytes: number, ageDays: number): string {
  const file = join(folder, place);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, Buffer.alloc(bytes));
  const at = (Date.now() - ageDays * DAY_MS) / 1000;
  utimesSync(file, at, at);
  return file;
}

const left = async () =>
  (await listSegments(folder)).map(({ owner, start }) => `${owner.session} ${owner.shell} ${start}`);
const none = () => false;

describe("trimming", () => {
  test("removes what is older than the bound, with empty folders, and nothing else", async () => {
    segment("one/1/000000000000000.seg", 10, 40);
    segment("one/1/000000000000010.segz", 10, 10);
    segment("two/3/000000000000000.seg", 10, 31);
    segment("one/1/notes.txt", 10, 400);
    segment("one/other/000000000000000.seg", 10, 400);
    const removed = await trimSegments(folder, { before: daysAgo(30) }, none);
    expect(removed.map(({ start }) => start)).toEqual([0, 0]);
    expect(await left()).toEqual(["one 1 10"]);
    expect(readdirSync(folder)).toEqual(["one"]);
  });

  test("removes the oldest beyond the size, whichever shell they are of", async () => {
    segment("one/1/000000000000000.seg", 100, 3);
    segment("one/1/000000000000100.seg", 100, 1);
    segment("two/2/000000000000000.seg", 100, 2);
    await trimSegments(folder, { maxBytes: 200 }, none);
    expect(await left()).toEqual(["one 1 100", "two 2 0"]);
    await trimSegments(folder, { maxBytes: 0 }, none);
    expect(await left()).toEqual([]);
  });

  test("takes what was printed with the clock set back for as new as what was printed before it", async () => {
    segment("one/1/000000000000000.seg", 100, 3);
    segment("one/1/000000000000100.seg", 100, 20_000);
    segment("one/1/000000000000200.seg", 100, 1);
    segment("one/2/000000000000000.seg", 100, 40);
    await trimSegments(folder, { before: daysAgo(30) }, none);
    expect(await left()).toEqual(["one 1 0", "one 1 100", "one 1 200"]);
    // Nothing is removed between two that stay.
    await trimSegments(folder, { maxBytes: 250 }, none);
    expect(await left()).toEqual(["one 1 100", "one 1 200"]);
    await trimSegments(folder, { before: daysAgo(2) }, none);
    expect(await left()).toEqual(["one 1 200"]);
  });

  test("keeps what is being written", async () => {
    const open = segment("one/1/000000000000000.seg", 100, 3);
    segment("one/2/000000000000000.seg", 100, 1);
    await trimSegments(folder, { maxBytes: 100 }, (file) => file === open);
    expect(await left()).toEqual(["one 1 0"]);
  });
});

test("with a segment goes what a kill has left of it: its beginning, and its compressed form in part", async () => {
  const file = segment("s/1/000000000000000.seg", 100, 0);
  for (const end of [".new", ".draft"]) writeFileSync(`${file}${end}`, "text");
  const [found] = await listSegments(folder);
  if (found !== undefined) await removeSegment(folder, found);
  expect(readdirSync(folder)).toEqual([]);
});

test("only what is asked for is listed, in the order of offsets", async () => {
  segment("one/1/000000000000020.seg", 1, 0);
  segment("one/1/000000000000003.seg", 1, 0);
  segment("one/2/000000000000000.seg", 1, 0);
  segment("two/1/000000000000000.seg", 1, 0);
  expect((await listSegments(folder, { session: "one", shell: 1 })).map(({ start }) => start)).toEqual([3, 20]);
  expect(await listSegments(folder, { session: "one" })).toHaveLength(3);
  expect(await listSegments(join(folder, "none"))).toEqual([]);
});
