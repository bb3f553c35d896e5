import { readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import Database from "libsql";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import type { ConversationMessage } from "../../../../../core/protocol/conversations.ts";
import type { CommandQuery, SearchQuery } from "../../../../../core/protocol/history-search.ts";
import { isSearchable } from "../../../../../core/protocol/searchable.ts";
import { exportHistory } from "../../../../../main/shells/history/export-history.ts";
import { masterKey } from "../../../../../main/shells/history/segment.ts";
import { listSegments, removeSegment } from "../../../../../main/shells/history/trim.ts";
import { HistoryIndex } from "../../../../../main/shells/history-index/history-index.ts";
import { redactSecrets, setOwnRules } from "../../../../../main/system/redact-secrets.ts";
import { plantedSecrets } from "../../../../support/planted-secrets.ts";
import { until } from "../../../../support/until.ts";
import { historyLab, owner, PrintingShell, SECRET } from "../history/history-lab.ts";

const everything: CommandQuery = { failed: false, regex: false, limit: 100 };

function query(text: string, more: Partial<SearchQuery> = {}): SearchQuery {
  return { query: text, regex: false, in: "output", limit: 1000, ...more };
}

/** A recorded history with an index beside it. */
function indexLab() {
  const lab = historyLab();
  lab.recorder.configure(lab.options);
  const open = () =>
    new HistoryIndex({
      file: join(lab.folder, "index.db"),
      key: masterKey(SECRET),
      reader: lab.reader,
      segments: () => listSegments(lab.folder),
    });
  const index = open();
  return {
    ...lab,
    index,
    open,
    async add(shell: number = owner.shell) {
      await lab.recorder.flush();
      await index.add({ ...owner, shell });
    },
    async find(text: string, more?: Partial<SearchQuery>) {
      return (await index.search(owner.session, query(text, more))).map(({ line }) => line);
    },
    async [Symbol.asyncDispose]() {
      index[Symbol.dispose]();
      await lab[Symbol.asyncDispose]();
    },
  };
}

function run(shell: PrintingShell, line: string, output: string, exitCode: number, at = Date.now()) {
  const from = shell.log.end;
  shell.recorder.noteEvent({ kind: "command-start", offset: from, at, line, cwd: "/work", branch: "main" });
  shell.print(output);
  shell.recorder.noteEvent({ kind: "command-end", offset: shell.log.end, at: at + 1500, exitCode });
  return from;
}

describe("a search", () => {
  test("finds each text that is long enough wherever a line holds it, at its offset, however output is cut", async () => {
    const words = fc.stringMatching(/^[a-zäß世界 .*"%]{1,30}$/);
    const lines = fc.array(fc.tuple(words, fc.boolean()), { minLength: 1, maxLength: 400 });
    await fc.assert(
      fc.asyncProperty(lines, fc.integer({ min: 20, max: 5000 }), fc.nat(), async (all, size, pick) => {
        await using lab = indexLab();
        const shell = new PrintingShell(lab.recorder);
        const plain = all.map(([text]) => text).join("\n");
        const bytes = Buffer.from(all.map(([text, isRed]) => (isRed ? `\u001b[31m${text}\u001b[m` : text)).join("\n"));
        for (let at = 0; at < bytes.length; at += size) {
          shell.print(bytes.subarray(at, at + size));
          if (at % 3 === 0) await lab.add();
        }
        await lab.add();
        const [text] = all[pick % all.length] ?? [""];
        if (!isSearchable(text)) return;
        const hits = await lab.index.search(owner.session, query(text));
        const expected = plain.split("\n").filter((line) => new RegExp(text.replace(/[.*]/g, "\\$&"), "iu").test(line));
        expect(hits).toHaveLength(expected.length);
        for (const { offset = 0, line, from, length } of hits) {
          expect(line.slice(from, from + length).toLowerCase()).toBe(text.toLowerCase());
          const found = bytes.subarray(offset, offset + Buffer.byteLength(text)).toString();
          expect(found.toLowerCase()).toBe(text.toLowerCase());
        }
      }),
      { numRuns: 15 },
    );
  });

  test("finds words of two characters, with a pattern too", async () => {
    await using lab = indexLab();
    new PrintingShell(lab.recorder).print("接続に失敗しました\r\nfailed\r\n接 続\r\n");
    await lab.add();
    expect(await lab.find("失敗")).toEqual(["接続に失敗しました"]);
    expect(await lab.find("接続.*失敗", { regex: true })).toEqual(["接続に失敗しました"]);
    expect(await lab.find("敗失")).toEqual([]);
  });

  test("finds what stands in lines of megabytes, across the places where they are cut", async () => {
    await using lab = indexLab();
    const shell = new PrintingShell(lab.recorder);
    const parts = Array.from({ length: 3000 }, (_, index) => `<needle ${index}>${"x".repeat(700)}`);
    shell.print(parts.join(""));
    await lab.add();
    for (const index of [0, 7, 1234, 2999]) expect(await lab.find(`<needle ${index}>`)).toHaveLength(1);
    expect(await lab.find("<needle 3000>")).toEqual([]);
  });

  test("finds once what stands where two parts of a long line overlap", async () => {
    await using lab = indexLab();
    const shell = new PrintingShell(lab.recorder);
    for (let before = 7600; before < 8400; before += 100) {
      shell.print(`${"x".repeat(before)}<needle ${before}>${"y".repeat(3000)}\r\n`);
    }
    await lab.add();
    for (let before = 7600; before < 8400; before += 100) {
      expect(await lab.find(`<needle ${before}>`)).toHaveLength(1);
    }
  });

  test("knows when output came, also of a compressed segment that is read again", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, 0, 1) });
    onTestFinished(() => void vi.useRealTimers());
    await using lab = indexLab();
    const shell = new PrintingShell(lab.recorder);
    for (let hour = 0; hour < 5; hour++) {
      vi.setSystemTime(Date.UTC(2026, 0, 1, hour));
      shell.print(`at ${hour} o'clock\r\n${"filler\r\n".repeat(1300)}`);
    }
    await lab.recorder.flush({ rotate: true });
    await until("the segment to be compressed", async () =>
      (await listSegments(lab.folder)).every(({ file }) => file.endsWith("z")),
    );
    await lab.add();
    for (let hour = 0; hour < 5; hour++) {
      const since = new Date(Date.UTC(2026, 0, 1, hour)).toISOString();
      expect(await lab.find("o'clock", { since })).toHaveLength(5 - hour);
    }
  });

  test("knows when output came while the clock was set back", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, 0, 1) });
    onTestFinished(() => void vi.useRealTimers());
    await using lab = indexLab();
    const shell = new PrintingShell(lab.recorder);
    for (const hour of [4, 2, 0]) {
      vi.setSystemTime(Date.UTC(2026, 0, 1, hour));
      shell.print(`at ${hour} o'clock\r\n${"filler\r\n".repeat(1300)}`);
    }
    await lab.add();
    const time = (hour: number) => new Date(Date.UTC(2026, 0, 1, hour)).toISOString();
    expect(await lab.find("o'clock", { since: time(3) })).toEqual(["at 4 o'clock"]);
    expect(await lab.find("o'clock", { until: time(1) })).toEqual(["at 0 o'clock"]);
  });

  test("by a regular expression goes on when the clock is set", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    onTestFinished(() => void vi.useRealTimers());
    await using lab = indexLab();
    new PrintingShell(lab.recorder).print("error 1\r\nerror 2\r\n");
    await lab.add();
    const lookUp = lab.reader.lookUp.bind(lab.reader);
    vi.spyOn(lab.reader, "lookUp").mockImplementation(() => {
      vi.setSystemTime(Date.now() + 3_600_000);
      return lookUp();
    });
    expect(await lab.find("error \\d", { regex: true })).toEqual(["error 2", "error 1"]);
  });

  test("finds the end of output at once, and once, also when it grows", async () => {
    await using lab = indexLab();
    const shell = new PrintingShell(lab.recorder);
    for (let count = 1; count < 40; count++) {
      shell.print(`grow${count} `);
      await lab.add();
      expect(await lab.find(`grow${count} `)).toHaveLength(1);
    }
    expect(await lab.find("grow")).toHaveLength(1);
  });

  test("shows two lines around, without control characters, the latest first, within a time, a shell and a limit", async () => {
    await using lab = indexLab();
    const shell = new PrintingShell(lab.recorder);
    const other = new PrintingShell(lab.recorder, undefined, { ...owner, shell: 2 });
    shell.print("one\r\ntwo\r\n\u001b[31mfatal\u001b[m: broken\u0007\r\nfour\r\nfive\r\nsix\r\n");
    other.print("fatal: other\r\n");
    await lab.add();
    await lab.add(2);
    const [latest, first] = await lab.index.search(owner.session, query("FATAL:"));
    expect(latest).toMatchObject({ shellId: 2, line: "fatal: other", before: [] });
    expect(first).toMatchObject({
      shellId: 1,
      offset: 15,
      line: "fatal: broken",
      from: 0,
      length: 6,
      before: ["one", "two"],
      after: ["four", "five"],
    });
    expect(await lab.find("fatal", { shell: owner.shell as never })).toEqual(["fatal: broken"]);
    expect(await lab.find("fatal", { limit: 1 })).toEqual(["fatal: other"]);
    expect(await lab.find("fatal", { until: "2020-01-01T00:00:00Z" })).toEqual([]);
    expect(await lab.index.search("s_another", query("fatal"))).toEqual([]);
  });

  test("shows two lines before also where a document begins with the line", async () => {
    await using lab = indexLab();
    const shell = new PrintingShell(lab.recorder);
    const lines = Array.from({ length: 60 }, (_, at) => `line ${at} ${"x".repeat(600)}.`);
    const all = `${lines.join("\r\n")}\r\n`;
    shell.print(all);
    await lab.add();
    for (const [at, line] of lines.entries()) {
      const hits = await lab.index.search(owner.session, query(`line ${at} `));
      const before = lines.slice(Math.max(0, at - 2), at).map((text) => text.slice(0, 500));
      expect(hits).toMatchObject([{ offset: all.indexOf(`line ${at} `), line: line.slice(0, 500), before }]);
    }
    // Of each document those of its own only.
    expect(await lab.index.search(owner.session, query("xxx."))).toHaveLength(60);
  });

  test("shows nothing of a secret that is broken over lines of two documents", async () => {
    await using lab = indexLab();
    const shell = new PrintingShell(lab.recorder);
    const token = `eyJhbGciOiJIUzI1NiJ9.eyJ${"a1B2".repeat(20)}.${"c3D4".repeat(10)}`;
    const [first = "", ...rest] = Array.from({ length: 5 }, (_, at) => token.slice(at * 30, (at + 1) * 30));
    // A document ends with the first line end after 4,096 characters.
    shell.print(`${`${"x".repeat(62)}\r\n`.repeat(63)}${"y".repeat(40)} ${first}\r\n`);
    shell.print(`${rest.join("\r\n")}\r\nafter it\r\n`);
    await lab.add();
    expect(await lab.find(rest.at(-1) ?? "")).toEqual([]);
    const hits = await lab.index.search(owner.session, query("after it"));
    expect(hits).toHaveLength(1);
    expect(JSON.stringify(hits)).not.toContain("c3D4");
  });

  test("treats every character literally", async () => {
    await using lab = indexLab();
    const shell = new PrintingShell(lab.recorder);
    const odd = ['"a" AND "b"', "100% [x](y) $& \\d+", "a'; DROP TABLE docs; --", "(NEAR/2*)^"];
    for (const text of odd) shell.print(`${text}\r\n`);
    await lab.add();
    for (const text of odd) expect(await lab.find(text)).toEqual([text]);
  });
});

describe("the index", () => {
  test("goes on where it was after a kill, and indexes nothing twice", async () => {
    await using lab = indexLab();
    const shell = new PrintingShell(lab.recorder);
    run(shell, "make", "first output\r\n", 0);
    await lab.add();
    const next = lab.open();
    run(shell, "make again", "second output\r\n", 0);
    await lab.recorder.flush();
    await next.catchUp();
    await next.catchUp();
    expect((await next.search(owner.session, query("output"))).map(({ line }) => line)).toEqual([
      "second output",
      "first output",
    ]);
    expect(next.commands(owner.session, everything)).toHaveLength(2);
    next[Symbol.dispose]();
  });

  test("reads nothing again of a shell whose segments are those of the last time, until one grows or is removed", async () => {
    await using lab = indexLab();
    const reads = vi.spyOn(lab.reader, "frames");
    const read = () => reads.mock.calls.splice(0).map(([{ shell }]) => shell);
    const shells = [1, 2, 3].map((shell) => new PrintingShell(lab.recorder, undefined, { ...owner, shell }));
    for (const [number, shell] of shells.entries()) run(shell, `make ${number}`, `output ${number}\r\n`, 0);
    await lab.recorder.flush();
    await lab.index.catchUp();
    expect(read()).toEqual([1, 2, 3]);
    await lab.index.catchUp();
    expect(read()).toEqual([]);

    using next = lab.open();
    await next.catchUp();
    expect(read()).toEqual([]);
    shells[1]?.print("one more output\r\n");
    await lab.recorder.flush();
    await next.catchUp();
    expect(read()).toEqual([2]);
    const [first] = await listSegments(lab.folder, { ...owner, shell: 1 });
    if (first === undefined) throw new Error("no segment");
    await removeSegment(lab.folder, first);
    await next.catchUp();
    await next.catchUp();
    expect(read()).toEqual([]);
    const found = (await next.search(owner.session, query("output"))).map(({ line }) => line);
    expect(found.sort()).toEqual(["one more output", "output 1", "output 2"]);
  });

  test("that is made anew finds first what the shell has that printed last", async () => {
    await using lab = indexLab();
    for (const shell of [1, 2, 3]) {
      new PrintingShell(lab.recorder, undefined, { ...owner, shell }).print(`found in ${shell}\r\n`);
    }
    await lab.recorder.flush();
    const ages = new Map([
      [1, 20],
      [2, 10],
      [3, 30],
    ]);
    for (const segment of await listSegments(lab.folder)) {
      const at = (Date.now() - (ages.get(segment.owner.shell) ?? 0) * 60_000) / 1000;
      utimesSync(segment.file, at, at);
    }
    await lab.index.catchUp();
    expect(await lab.find("found in")).toEqual(["found in 2", "found in 1", "found in 3"]);
    expect(await lab.find("found in", { limit: 1 })).toEqual(["found in 2"]);
  });

  test("tries a segment that could not be read again, and names it again", async () => {
    await using lab = indexLab();
    const shell = new PrintingShell(lab.recorder);
    run(shell, "make", "some output\r\n", 0);
    await lab.recorder.flush();
    const [segment] = await listSegments(lab.folder);
    const file = segment?.file ?? "";
    const content = readFileSync(file);
    writeFileSync(file, Buffer.concat([content.subarray(0, -1), Buffer.from([(content.at(-1) ?? 0) ^ 1])]));
    await lab.index.catchUp();
    expect([...lab.reader.damage.keys()]).toEqual([file]);
    lab.reader.damage.clear();
    using next = lab.open();
    await next.catchUp();
    expect([...lab.reader.damage.keys()]).toEqual([file]);
    writeFileSync(file, content);
    await next.catchUp();
    expect((await next.search(owner.session, query("output"))).map(({ line }) => line)).toEqual(["some output"]);
  });

  test("holds no text in clear", async () => {
    await using lab = indexLab();
    const shell = new PrintingShell(lab.recorder);
    run(shell, "export TOKEN=hunter2hunter2", "hunter2hunter2 is the secret\r\n", 0);
    await lab.add();
    expect(await lab.find("hunter2hunter2")).toHaveLength(1);
    for (const name of readdirSync(lab.folder).filter((file) => file.startsWith("index.db"))) {
      expect(readFileSync(join(lab.folder, name)).includes("hunter2h")).toBe(false);
    }
  });

  test("forgets what is recorded no longer", async () => {
    await using lab = indexLab();
    const shell = new PrintingShell(lab.recorder);
    run(shell, "make", "to be forgotten\r\n", 0);
    await lab.add();
    await lab.recorder.flush({ rotate: true });
    for (const segment of await listSegments(lab.folder)) await removeSegment(lab.folder, segment);
    await lab.index.catchUp();
    expect(lab.index.commands(owner.session, everything)).toEqual([]);
    run(shell, "make", "to be kept\r\n", 0);
    await lab.recorder.flush();
    await lab.index.catchUp();
    expect(await lab.find("to be")).toEqual(["to be kept"]);
  });

  test("of the form before filters is made anew from what is recorded; who entered a command stays", async () => {
    await using lab = indexLab();
    const shell = new PrintingShell(lab.recorder);
    const from = run(shell, "make", "still found\r\n", 0);
    lab.index.typed(owner, from, { kind: "person", name: "ann" });
    await lab.add();
    const database = new Database(join(lab.folder, "index.db"));
    for (const table of ["open_filters", "filter_blocks", "filter_slices", "message_parts"]) {
      database.exec(`DROP TABLE ${table}`);
    }
    for (const table of ["text_1", "message_text"]) {
      database.exec(
        `CREATE VIRTUAL TABLE ${table} USING
         fts5(content, content='', contentless_delete=1, detail=none, tokenize='trigram')`,
      );
      database.exec(`INSERT INTO ${table} (rowid, content) VALUES (1, 'still found')`);
    }
    database.pragma("application_id = 1234567");
    database.close();
    using index = lab.open();
    await index.catchUp();
    expect(await index.search(owner.session, query("STILL found"))).toMatchObject([{ line: "still found" }]);
    expect(index.commands(owner.session, everything)).toMatchObject([{ command: "make", by: { name: "ann" } }]);
    const again = new Database(join(lab.folder, "index.db"));
    const left = again.prepare("SELECT name FROM sqlite_schema WHERE name LIKE '%text%'").all([]);
    again.close();
    expect(left).toEqual([]);
  });

  test("that is damaged is made anew", async () => {
    await using lab = indexLab();
    const shell = new PrintingShell(lab.recorder);
    shell.print("still found\r\n");
    await lab.recorder.flush();
    const file = join(lab.folder, "other.db");
    writeFileSync(file, "not a database, but long enough to be taken for one at first sight".repeat(100));
    const index = new HistoryIndex({
      file,
      key: masterKey(SECRET),
      reader: lab.reader,
      segments: () => listSegments(lab.folder),
    });
    await index.catchUp();
    expect(await index.search(owner.session, query("still"))).toHaveLength(1);
    index[Symbol.dispose]();
  });
});

describe("commands", () => {
  test("are listed with line, folder, times, exit code and who entered them, the latest first", async () => {
    await using lab = indexLab();
    const shell = new PrintingShell(lab.recorder);
    const first = run(shell, "make test", "ok\r\n", 0, 1_000_000);
    const second = run(shell, "make deploy", "no\r\n", 2, 2_000_000);
    lab.index.typed(owner, second, { kind: "program", name: "shell 1", byAgent: true });
    await lab.add();
    expect(lab.index.commands(owner.session, everything)).toEqual([
      {
        id: `1.${second}`,
        shellId: 1,
        command: "make deploy",
        cwd: "/work",
        startedAt: new Date(2_000_000).toISOString(),
        durationMs: 1500,
        exitCode: 2,
        signal: null,
        outputFrom: second,
        outputTo: second + 4,
        branch: "main",
        by: { kind: "program", name: "shell 1", byAgent: true },
      },
      expect.objectContaining({ id: `1.${first}`, exitCode: 0, by: null }),
    ]);
    const listed = (wish: Partial<CommandQuery>) =>
      lab.index.commands(owner.session, { ...everything, ...wish }).map(({ command }) => command);
    expect(listed({ text: "TEST" })).toEqual(["make test"]);
    expect(listed({ failed: true })).toEqual(["make deploy"]);
    expect(listed({ exit: 0 })).toEqual(["make test"]);
    expect(listed({ by: "agent" })).toEqual(["make deploy"]);
    expect(listed({ folder: "/work" })).toHaveLength(2);
    expect(listed({ folder: "/wor" })).toEqual([]);
    expect(listed({ limit: 1 })).toEqual(["make deploy"]);
    expect(listed({ until: new Date(1_500_000).toISOString() })).toEqual(["make test"]);
    expect(lab.index.command(owner.session, { shell: 1, from: second })?.command).toBe("make deploy");
    expect(lab.index.command("s_another", { shell: 1, from: second })).toBeUndefined();
  });

  test("are all found among many that do not fit, each once, also those that started at one time", async () => {
    await using lab = indexLab();
    const [one, two] = [1, 2].map((shell) => new PrintingShell(lab.recorder, undefined, { ...owner, shell }));
    const count = 450;
    for (let at = 0; at < count; at++) {
      const shell = at % 2 === 0 ? one : two;
      if (shell !== undefined) run(shell, at % 5 === 0 ? `fifth ${at}` : `make ${at}`, ".\r\n", 0, 1000 + (at >> 2));
    }
    await lab.add(1);
    await lab.add(2);
    const listed = (wish: Partial<CommandQuery>) =>
      lab.index.commands(owner.session, { ...everything, limit: 1000, ...wish }).map(({ command }) => command);
    const all = listed({});
    expect(all).toHaveLength(count);
    expect(new Set(all).size).toBe(count);
    expect(listed({ text: "fifth" })).toHaveLength(count / 5);
    expect(listed({ text: "fifth 0" })).toEqual(["fifth 0"]);
    expect(listed({ text: "fifth", limit: 3 })).toEqual(listed({ text: "fifth" }).slice(0, 3));
    expect(listed({ shell: 2 as never })).toHaveLength(count / 2);
    expect(lab.index.commands("s_another", everything)).toEqual([]);
  });

  test("are listed once their start is indexed, and not when only who typed them is known", async () => {
    await using lab = indexLab();
    const shell = new PrintingShell(lab.recorder);
    shell.print("$ ");
    const by = { kind: "person", name: "ann" } as const;
    lab.index.typed(owner, shell.log.end, by);
    expect(lab.index.commands(owner.session, everything)).toEqual([]);
    run(shell, "make", "built\n", 0);
    await lab.add();
    expect(lab.index.commands(owner.session, everything)).toMatchObject([{ command: "make", by }]);
  });

  test("knows a command of which the start is the last of a segment, and all before was indexed", async () => {
    await using lab = indexLab();
    const shell = new PrintingShell(lab.recorder);
    // A whole document: the index goes on behind it, where the next segment begins.
    shell.print(`${"x".repeat(4095)}\n`);
    await lab.add();
    const at = Date.now();
    shell.recorder.noteEvent({ kind: "command-start", offset: shell.log.end, at, line: "make", cwd: "/work" });
    await lab.recorder.flush();
    await lab.recorder.flush({ rotate: true });
    shell.print("built\n");
    shell.recorder.noteEvent({ kind: "command-end", offset: shell.log.end, at, exitCode: 0 });
    await lab.add();
    expect((await listSegments(lab.folder)).map(({ start }) => start)).toEqual([0, 4096]);
    expect(lab.index.commands(owner.session, everything)).toMatchObject([{ command: "make", exitCode: 0 }]);
  });

  test("of which no end was seen have no output of the next one", async () => {
    await using lab = indexLab();
    const shell = new PrintingShell(lab.recorder);
    shell.recorder.noteEvent({ kind: "command-start", offset: 0, at: 1000, line: "server" });
    shell.print("listening\r\n$ ");
    await lab.add();
    expect(lab.index.commands(owner.session, everything)).toMatchObject([{ command: "server", outputTo: null }]);
    const next = run(shell, "make", "built\r\n", 0, 2000);
    await lab.add();
    expect(lab.index.commands(owner.session, everything)).toMatchObject([
      { command: "make", outputFrom: next, outputTo: shell.log.end, durationMs: 1500 },
      { command: "server", outputTo: next, durationMs: null, exitCode: null },
    ]);
  });

  test("have the signal that their exit code stands for, and end with their shell", async () => {
    await using lab = indexLab();
    const shell = new PrintingShell(lab.recorder);
    run(shell, "sleep 9", "^C\r\n", 130, 1000);
    run(shell, "odd", "\r\n", 255, 2000);
    const from = shell.log.end;
    shell.recorder.noteEvent({ kind: "command-start", offset: from, at: 3000, line: "server" });
    shell.print("listening\r\n");
    shell.recorder.noteEvent({ kind: "exit", offset: shell.log.end, at: 5000, exitCode: 137, signal: 9 });
    await lab.add();
    expect(lab.index.commands(owner.session, everything)).toMatchObject([
      { command: "server", exitCode: 137, signal: "SIGKILL", durationMs: 2000, outputTo: shell.log.end, branch: null },
      { command: "odd", exitCode: 255, signal: null },
      { command: "sleep 9", exitCode: 130, signal: "SIGINT" },
    ]);
  });
});

describe("redactions", () => {
  afterEach(() => setOwnRules({}));

  test("are listed by rule and place, without what was hidden, and forgotten with their text", async () => {
    await using lab = indexLab();
    const shell = new PrintingShell(lab.recorder);
    const from = run(
      shell,
      "curl -u me password=Tr0ub4dor3xyz",
      "key ghp_abcdefghijklmnopqrstuvwxyz0123456789\r\n",
      0,
      9000,
    );
    await lab.add();
    await lab.add();
    const all = { limit: 10 };
    expect(lab.index.redactions.list(all)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          rule: "GitHub",
          in: "output",
          session: owner.session,
          shellId: 1,
          offset: 0,
          length: 36,
        }),
        expect.objectContaining({ rule: "assignment", in: "commands", shellId: 1, offset: from, length: 13 }),
      ]),
    );
    expect(lab.index.redactions.count()).toBe(2);
    expect(lab.index.redactions.list({ ...all, rule: "GitHub" })).toHaveLength(1);
    expect(lab.index.redactions.list({ ...all, since: new Date(Date.now() + 1000).toISOString() })).toEqual([]);
    await lab.recorder.flush({ rotate: true });
    for (const segment of await listSegments(lab.folder)) await removeSegment(lab.folder, segment);
    await lab.index.catchUp();
    expect(lab.index.redactions.list(all)).toEqual([]);
  });

  test("by other rules are made anew; who entered a command stays", async () => {
    await using lab = indexLab();
    const shell = new PrintingShell(lab.recorder);
    const from = run(shell, "bill ACME-123456", "billed ACME-123456\r\n", 0);
    lab.index.typed(owner, from, { kind: "person", name: "ann" });
    await lab.add();
    expect(await lab.find("ACME-123456")).toHaveLength(1);
    setOwnRules({ customer: "ACME-[0-9]{6}" });
    using again = lab.open();
    expect(again.commands(owner.session, everything)).toEqual([]);
    await again.catchUp();
    expect(await again.search(owner.session, query("ACME-123456"))).toEqual([]);
    expect(await again.search(owner.session, query("billed"))).toMatchObject([{ line: "billed •••••••••••" }]);
    expect(again.commands(owner.session, everything)).toMatchObject([
      { command: "bill •••••••••••", exitCode: 0, by: { name: "ann" } },
    ]);
    expect(again.redactions.list({ limit: 10 }).map(({ rule }) => rule)).toEqual(["customer", "customer"]);
    // The same rules find everything as it is.
    using third = lab.open();
    expect(third.redactions.count()).toBe(2);
  });
});

test("of 200 planted secrets none is in a file, a record, a hit or an export, and none is found", async () => {
  await using lab = indexLab();
  const shell = new PrintingShell(lab.recorder);
  const planted = Array.from({ length: 8 }, (_, seed) => plantedSecrets(seed)).flat();
  expect(planted.length).toBeGreaterThan(200);
  const said: ConversationMessage[] = [];
  for (const [index, [name, text]] of planted.entries()) {
    const printed = text.replaceAll("\n", "\r\n");
    run(shell, `echo ${text.split("\n")[0]}`, `planted ${name}: \x1b[32m${printed}\x1b[0m\r\nafter it\r\n`, 0);
    const at = new Date(index).toISOString();
    said.push({
      id: `m${index}`,
      cursor: `c${index}`,
      role: "user",
      kind: "prompt",
      at,
      turn: 0,
      text: `planted ${text}`,
    });
  }
  await lab.add();
  await lab.index.conversations.update({
    stored: async () => [{ agentType: "claude", agentSessionId: "a", changedAt: 1 }],
    page: async () => ({ messages: said, hasMore: false }),
  });
  const hits = await lab.index.search(owner.session, query("planted"));
  expect(hits).toHaveLength(planted.length);
  const messages = lab.index.conversations.search(query("planted", { in: "conversations" }));
  expect(messages).toHaveLength(planted.length);
  const wish = { owner, since: 0, until: Number.MAX_SAFE_INTEGER, redacts: true } as const;
  const exported = await Promise.all(
    (["asciicast", "asciicast3", "text"] as const).map((format) => exportHistory(lab.reader, { ...wish, format }, "")),
  );
  for (const one of exported) expect(one?.redacted).toBeGreaterThanOrEqual(200);
  const kept = {
    records: JSON.stringify(lab.index.commands(owner.session, { ...everything, limit: 1000 })),
    hits: JSON.stringify([hits, messages]),
    exports: exported.map((one) => one?.content).join("\n"),
    redactions: JSON.stringify(lab.index.redactions.list({ limit: 1000 })),
    // The index and the segments, which are encrypted.
    files: readdirSync(lab.folder, { recursive: true, encoding: "utf8", withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"))
      .join("\n"),
  };
  expect(lab.index.redactions.count()).toBeGreaterThanOrEqual(400);
  const leaks = planted.flatMap(([name, , secret]) =>
    secret
      .split("\n")
      .flatMap((line) =>
        Object.entries(kept).flatMap(([where, text]) => (text.includes(line) ? [`${name} in ${where}`] : [])),
      ),
  );
  expect(leaks).toEqual([]);
  for (const [name, , secret] of planted) {
    for (const line of secret.split("\n")) expect(await lab.find(line), name).toEqual([]);
  }
});

test("of a build log's lines fewer than one in a thousand are taken for one with a secret", () => {
  const lines = buildLog(40_000);
  const hidden = lines.filter((line) => redactSecrets(line) !== line);
  expect(hidden.slice(0, 5)).toEqual([]);
  expect(hidden.length).toBeLessThan(lines.length / 1000);
});

/** Made-up lines as compilers, package managers, test runners and servers print them. */
function buildLog(count: number): string[] {
  let state = 1;
  const next = (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state % below;
  };
  const pick = (from: string, length: number) => Array.from({ length }, () => from[next(from.length)]).join("");
  const hex = (length: number) => pick("0123456789abcdef", length);
  const base64 = (length: number) => pick("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", length);
  const word = () => pick("abcdefghijklmnoprstuvw", 3 + next(8));
  const kinds = [
    () =>
      `npm http fetch GET 200 https://registry.example.org/${word()}/-/${word()}-${next(9)}.${next(30)}.${next(9)}.tgz ${next(900)}ms`,
    () => `    "integrity": "sha512-${base64(86)}=="`,
    () => ` ---> ${hex(12)}`,
    () => `sha256:${hex(64)}: Pull complete`,
    () => `[${next(99)}/${next(99)}] Building CXX object src/CMakeFiles/${word()}.dir/${word()}_${word()}.cpp.o`,
    () => `gcc -O2 -Wall -I/usr/include/${word()} -DVERSION=\\"${next(9)}.${next(9)}\\" -c ${word()}.c -o ${word()}.o`,
    () =>
      `   Compiling ${word()}-${word()} v${next(9)}.${next(40)}.${next(9)} (https://git.example.org/${word()}?rev=${hex(8)}#${hex(40)})`,
    () => `ok  \tgithub.com/${word()}/${word()}/internal/${word()}\t${next(9)}.${next(999)}s`,
    () => `tests/test_${word()}.py::test_${word()}_token_${next(99)} PASSED [ ${next(99)}%]`,
    () =>
      `dist/assets/${word()}-${base64(8).replace(/[+/]/g, "x")}.js   ${next(900)}.${next(99)} kB │ gzip: ${next(90)}.${next(99)} kB`,
    () =>
      `2026-01-${10 + next(19)}T0${next(9)}:11:${10 + next(49)}.${100 + next(899)}Z INFO request id=${hex(8)}-${hex(4)}-${hex(4)}-${hex(4)}-${hex(12)} status=200`,
    () => `commit ${hex(40)}`,
    () => `  password: z.string().min(${next(12)}), apiKey: string | undefined, secret = getSecret(${word()})`,
    () => `PASS src/${word()}/basic-auth.test.ts (${next(99)}.${next(9)} s)`,
    () =>
      `${word()}.${word()}.${word()}:${next(65_000)} -> 10.${next(255)}.${next(255)}.${next(255)}:${next(65_000)} bearer network up`,
    () => `Step ${next(30)}/30 : ENV ${word().toUpperCase()}_KEY_FILE=/run/secrets/${word()}`,
  ];
  return Array.from({ length: count }, () => (kinds[next(kinds.length)] ?? kinds[0])?.() ?? "");
}
