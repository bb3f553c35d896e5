import { existsSync } from "node:fs";
import { join } from "node:path";
import Database from "libsql";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { SearchQuery } from "../../../../../core/protocol/history-search.ts";
import { exportHistory } from "../../../../../main/shells/history/export-history.ts";
import { masterKey } from "../../../../../main/shells/history/segment.ts";
import { listSegments } from "../../../../../main/shells/history/trim.ts";
import { historyLab, owner, PrintingShell, SECRET } from "../history/history-lab.ts";

const MEBIBYTE = 1024 * 1024;

/** Pages that an index may have, as on a disk that is full beyond them. */
const room = { pages: 0 };

const DATABASE = "../../../../../main/shells/history-index/database.ts";
let HistoryIndex: typeof import("../../../../../main/shells/history-index/history-index.ts").HistoryIndex;

beforeAll(async () => {
  // Other files of the worker may have loaded it already.
  vi.resetModules();
  vi.doMock(DATABASE, async (original) => {
    const real = await original<typeof import("../../../../../main/shells/history-index/database.ts")>();
    return {
      ...real,
      openIndex(file: string) {
        const database = real.openIndex(file);
        if (room.pages > 0) database.pragma(`max_page_count = ${room.pages}`);
        return database;
      },
    };
  });
  ({ HistoryIndex } = await import("../../../../../main/shells/history-index/history-index.ts"));
});
afterAll(() => {
  vi.doUnmock(DATABASE);
  vi.resetModules();
});

function indexLab() {
  const lab = historyLab();
  lab.recorder.configure(lab.options);
  const file = join(lab.folder, "index.db");
  const open = () =>
    new HistoryIndex({
      file,
      key: masterKey(SECRET),
      reader: lab.reader,
      segments: () => listSegments(lab.folder),
    });
  return { ...lab, file, open, shell: new PrintingShell(lab.recorder) };
}

const query = (text: string) => SearchQuery.parse({ query: text, in: "output" });

/** Numbers that look random, always the same ones. */
function* noise(): Generator<number, never> {
  for (let seed = 1; ; ) {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    yield seed >> 16;
  }
}

test("what stands in binary output is found at its byte", async () => {
  await using lab = indexLab();
  const random = noise();
  const bytes = Array.from({ length: 300 }, (_, index) => {
    const garbage = Buffer.alloc(1000 + (random.next().value % 1000));
    for (const at of garbage.keys()) garbage[at] = random.next().value & 0xff;
    // A sequence without an end would hide all that follows.
    return Buffer.concat([
      garbage.map((byte) => (byte === 0x1b ? 0 : byte)),
      Buffer.from(`\r\nmarker-${index}-end\r\n`),
    ]);
  });
  const whole = Buffer.concat(bytes);
  for (let at = 0; at < whole.length; at += 7001) lab.shell.print(whole.subarray(at, at + 7001));
  await lab.recorder.flush();
  using index = lab.open();
  await index.add(owner);
  for (const number of bytes.keys()) {
    const text = `marker-${number}-end`;
    const hits = await index.search(owner.session, query(text));
    expect(hits.map(({ offset, line, from, length }) => [offset, line.slice(from, from + length)])).toEqual([
      [whole.indexOf(text), text],
    ]);
  }
});

test("a line of 20 MB is recorded whole, found in at its byte, and exported as far as an export goes", {
  tags: "slow",
}, async () => {
  await using lab = indexLab();
  const line = Buffer.alloc(20_000_000, "long é ");
  const places = [0, 9_999_991, 19_999_980];
  for (const [index, at] of places.entries()) line.write(`marker-${index}-end `, at);
  for (let at = 0; at < line.length; at += MEBIBYTE) {
    lab.shell.print(line.subarray(at, at + MEBIBYTE));
    await lab.recorder.flush();
  }
  let read = 0;
  for await (const frame of lab.reader.frames(owner)) {
    if (frame.kind === "event") continue;
    expect(frame.offset).toBe(read);
    expect(frame.bytes.equals(line.subarray(read, read + frame.bytes.length))).toBe(true);
    read += frame.bytes.length;
  }
  expect(read).toBe(line.length);
  using index = lab.open();
  await index.add(owner);
  for (const [number, at] of places.entries()) {
    const hits = await index.search(owner.session, query(`marker-${number}-end`));
    expect(hits.map(({ offset }) => offset)).toEqual([at]);
    expect(hits[0]?.line.length).toBeLessThanOrEqual(500);
  }
  const all = { since: 0, until: Number.MAX_SAFE_INTEGER };
  const exported = await exportHistory(lab.reader, { owner, ...all, format: "text", redacts: true }, "");
  expect(exported?.isCut).toBe(true);
  expect(exported?.bytes).toBeLessThanOrEqual(17 * MEBIBYTE);
});

test("an index on a disk that is full at any page keeps what it has, and goes on when there is room", {
  tags: "slow",
}, async () => {
  await using lab = indexLab();
  using _ = {
    [Symbol.dispose]() {
      room.pages = 0;
    },
  };
  const random = noise();
  const words = () => Array.from({ length: 3000 }, () => random.next().value.toString(36)).join(" ");
  const by = { kind: "person", name: "Mara" } as const;
  let [printed, failed, typed] = [0, 0, 0];
  for (let pages = 50; pages < 300; pages += 25) {
    room.pages = pages;
    try {
      using index = lab.open();
      for (let row = 0; row < 30; row++) {
        const from = lab.shell.log.end;
        lab.shell.recorder.noteEvent({ kind: "command-start", offset: from, at: from, line: `run ${printed}` });
        lab.shell.print(`row-${printed}-end ${words()}\r\n`);
        printed += 1;
        index.typed(owner, from, by);
        typed += 1;
        await lab.recorder.flush();
        await index.add(owner);
      }
    } catch (error) {
      expect(String(error)).toMatch(/full/);
      failed += 1;
    }
  }
  expect(failed).toBeGreaterThan(3);
  room.pages = 0;
  using index = lab.open();
  await index.add(owner);
  const commands = index.commands(owner.session, { failed: false, regex: false, limit: 10_000 });
  expect(commands.map(({ command }) => command)).toEqual(
    Array.from({ length: printed }, (_, row) => `run ${printed - 1 - row}`),
  );
  expect(commands.filter((command) => command.by?.name === "Mara")).toHaveLength(typed);
  for (let row = 0; row < printed; row += 7) {
    expect(await index.search(owner.session, query(`row-${row}-end`)), `row ${row}`).toHaveLength(1);
  }
});

test("an index that cannot be opened at the moment is not made anew", async () => {
  await using lab = indexLab();
  const from = lab.shell.log.end;
  lab.shell.recorder.noteEvent({ kind: "command-start", offset: from, at: 1, line: "make" });
  lab.shell.print("made\r\n");
  await lab.recorder.flush();
  {
    using index = lab.open();
    index.typed(owner, from, { kind: "person", name: "Mara" });
    await index.add(owner);
  }
  const other = new Database(lab.file);
  other.exec("BEGIN EXCLUSIVE");
  expect(lab.open).toThrow(/locked/);
  other.exec("COMMIT");
  other.close();
  expect(existsSync(lab.file)).toBe(true);
  using index = lab.open();
  const [command] = index.commands(owner.session, { failed: false, regex: false, limit: 1 });
  expect(command).toMatchObject({ command: "make", by: { name: "Mara" } });
});

test.each([
  ["a text that is no UTF-8", "state = CAST(x'7b22a5' AS TEXT)"],
  ["a text that is no state", "state = 'none'"],
  ["a state of another form", "state = '{}'"],
])("%s is damage of the file, and ends no process", async (_name, change) => {
  await using lab = indexLab();
  lab.shell.print("printed\r\n");
  await lab.recorder.flush();
  using index = lab.open();
  await index.add(owner);
  const other = new Database(lab.file);
  other.exec(`UPDATE shells SET ${change}`);
  other.close();
  await expect(index.add(owner)).rejects.toMatchObject({ code: "SQLITE_CORRUPT" });
});
