import { statSync } from "node:fs";
import { join } from "node:path";
import Database from "libsql";
import { expect, test } from "vitest";
import { SearchQuery } from "../../../../../core/protocol/history-search.ts";
import { masterKey } from "../../../../../main/shells/history/segment.ts";
import { listSegments, removeSegment } from "../../../../../main/shells/history/trim.ts";
import { HistoryIndex } from "../../../../../main/shells/history-index/history-index.ts";
import { Queue } from "../../../../../main/system/in-turns.ts";
import { historyLab, owner, PrintingShell, SECRET } from "../history/history-lab.ts";

const MEBIBYTE = 1024 * 1024;

function boundLab() {
  const lab = historyLab();
  lab.recorder.configure(lab.options);
  const shell = new PrintingShell(lab.recorder);
  const fileOf = (name: string) => join(lab.folder, `${name}.db`);
  return {
    ...lab,
    shell,
    fileOf,
    open: (name: string, maxBytes?: number) =>
      new HistoryIndex({
        file: fileOf(name),
        key: masterKey(SECRET),
        reader: lab.reader,
        segments: () => listSegments(lab.folder),
        ...(maxBytes !== undefined && { maxBytes }),
      }),
    /** Prints ten megabytes, of which each line is another one. */
    async printMuch() {
      for (let row = 0, printed = 0; printed < 10; printed++) {
        const lines: string[] = [];
        for (let length = 0; length < MEBIBYTE; row++) {
          const line = `row-${row}-end of ten megabytes that nobody reads again\r\n`;
          lines.push(line);
          length += line.length;
        }
        shell.print(lines.join(""));
        await lab.recorder.flush();
      }
      shell.print("the latest line\r\n");
      await lab.recorder.flush();
    },
  };
}

async function found(index: HistoryIndex, text: string): Promise<number> {
  return (await index.search(owner.session, SearchQuery.parse({ query: text, in: "output" }))).length;
}

test("an index that takes more than half of the bound forgets what was printed first, and nothing else", async () => {
  await using lab = boundLab();
  await lab.printMuch();
  {
    using whole = lab.open("whole");
    await whole.catchUp();
    expect(await found(whole, "row-0-end")).toBe(1);
  }
  using bound = lab.open("bound", 6 * MEBIBYTE);
  await bound.catchUp();
  expect(await found(bound, "row-0-end")).toBe(0);
  expect(await found(bound, "the latest line")).toBe(1);
  // It is not indexed again, and what was forgotten is still there to be read.
  await bound.catchUp();
  expect(await found(bound, "row-0-end")).toBe(0);
  expect((await lab.reader.read(owner, { since: 0, maxBytes: 100 }))?.output).toContain("row-0-end");

  // A bound that is made narrower holds from the next start on.
  using narrower = lab.open("whole", 6 * MEBIBYTE);
  await narrower.catchUp();
  await narrower.tidy();
  expect(await found(narrower, "row-0-end")).toBe(0);
  expect(await found(narrower, "the latest line")).toBe(1);
});

test("the file gets shorter when what it was made of is removed", async () => {
  await using lab = boundLab();
  await lab.printMuch();
  using index = lab.open("index");
  await index.catchUp();
  const before = statSync(lab.fileOf("index")).size;
  await lab.recorder.flush({ rotate: true });
  for (const segment of await listSegments(lab.folder)) await removeSegment(lab.folder, segment);
  await index.catchUp();
  expect(await found(index, "row-")).toBe(0);
  await index.tidy();
  expect(statSync(lab.fileOf("index")).size).toBeLessThan(before / 4);
  expect(statSync(`${lab.fileOf("index")}-wal`).size).toBe(0);
});

test("a file that never gets shorter is made one that does; who entered a command stays", async () => {
  await using lab = boundLab();
  lab.shell.recorder.noteEvent({ kind: "command-start", offset: 0, at: 1, line: "make" });
  lab.shell.print("made\r\n");
  await lab.recorder.flush();
  {
    using index = lab.open("index");
    index.typed(owner, 0, { kind: "person", name: "Mara" });
    await index.add(owner);
  }
  const file = lab.fileOf("index");
  const form = (): unknown => {
    const database = new Database(file);
    const [row] = database.prepare("PRAGMA auto_vacuum").all([]);
    database.close();
    return row;
  };
  const old = new Database(file);
  old.pragma("auto_vacuum = NONE");
  old.exec("VACUUM");
  old.pragma("application_id = 1234567");
  old.close();
  expect(form()).toMatchObject({ auto_vacuum: 0 });
  using index = lab.open("index");
  await index.add(owner);
  expect(form()).toMatchObject({ auto_vacuum: 2 });
  expect(await found(index, "made")).toBe(1);
  const [command] = index.commands(owner.session, { failed: false, regex: false, limit: 1 });
  expect(command).toMatchObject({ command: "make", by: { name: "Mara" } });
});

test("a shell that is begun and indexed while the segments are listed is found", async () => {
  await using lab = boundLab();
  const turns = new Queue();
  const added: Promise<void>[] = [];
  using index: HistoryIndex = new HistoryIndex({
    file: lab.fileOf("index"),
    key: masterKey(SECRET),
    reader: lab.reader,
    segments: async () => {
      const before = await listSegments(lab.folder);
      lab.shell.print("printed meanwhile\r\n");
      await lab.recorder.flush();
      added.push(turns.run(() => index.add(owner)));
      return before;
    },
  });
  await index.catchUp(turns);
  await Promise.all(added);
  expect(await found(index, "printed meanwhile")).toBe(1);
});
