import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CommandQuery, SearchQuery } from "../../../../../core/protocol/history-search.ts";
import { masterKey } from "../../../../../main/shells/history/segment.ts";
import { listSegments, removeSegment } from "../../../../../main/shells/history/trim.ts";
import { HistoryIndex } from "../../../../../main/shells/history-index/history-index.ts";
import { plantedSecrets } from "../../../../support/planted-secrets.ts";
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
  test("finds each text of three characters or more wherever a line holds it, at its offset, however output is cut", async () => {
    const words = fc.stringMatching(/^[a-zäß世 .*"%]{1,30}$/);
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
        if (text.length < 3) return;
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

  test("finds what stands in lines of megabytes, across the places where they are cut", async () => {
    await using lab = indexLab();
    const shell = new PrintingShell(lab.recorder);
    const parts = Array.from({ length: 3000 }, (_, index) => `<needle ${index}>${"x".repeat(700)}`);
    shell.print(parts.join(""));
    await lab.add();
    for (const index of [0, 7, 1234, 2999]) expect(await lab.find(`<needle ${index}>`)).toHaveLength(1);
    expect(await lab.find("<needle 3000>")).toEqual([]);
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

test("planted secrets are in no file of the index in clear, in no record and in no hit, and are not found", async () => {
  await using lab = indexLab();
  const shell = new PrintingShell(lab.recorder);
  const planted = plantedSecrets();
  for (const [name, text] of planted) {
    const printed = text.replaceAll("\n", "\r\n");
    run(shell, `echo ${text.split("\n")[0]}`, `planted ${name}: \x1b[32m${printed}\x1b[0m\r\nafter it\r\n`, 0);
  }
  await lab.add();
  const records = JSON.stringify(lab.index.commands(owner.session, everything));
  const hits = JSON.stringify(await lab.index.search(owner.session, query("planted")));
  expect(JSON.parse(hits)).toHaveLength(planted.length);
  const files = readdirSync(lab.folder).filter((name) => name.startsWith("index.db"));
  const content = Buffer.concat(files.map((name) => readFileSync(join(lab.folder, name)))).toString("latin1");
  for (const [name, , secret] of planted) {
    for (const line of secret.split("\n")) {
      expect(records, name).not.toContain(line);
      expect(hits, name).not.toContain(line);
      expect(content, name).not.toContain(line);
      expect(await lab.find(line), name).toEqual([]);
    }
  }
});
