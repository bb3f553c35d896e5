import { mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import fc from "fast-check";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { masterKey, readHeader } from "../../../../../main/shells/history/segment.ts";
import { compressSegment, replaceSegment } from "../../../../../main/shells/history/segment-file.ts";
import { listSegments } from "../../../../../main/shells/history/trim.ts";
import { until } from "../../../../support/until.ts";
import { chunked } from "../terminal-bytes.ts";
import { historyLab, owner, PrintingShell, SECRET } from "./history-lab.ts";

const MEBIBYTE = 1024 * 1024;
const splitTail = Buffer.from("\u001b]\u0800");

/** Lines that are numbered, so that a gap or a repetition shows. */
function lines(from: number, to: number): string {
  return Array.from({ length: to - from }, (_, index) => `line ${from + index} \u001b[31mred\u001b[m é 世\r\n`).join(
    "",
  );
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.segz?$/.test(name))
    .map((name) => join(folder, name))
    .sort();
}

describe("a recorded shell", () => {
  test("is read byte for byte after it left memory, at any size of pieces and pages", async () => {
    await fc.assert(
      fc.asyncProperty(chunked, fc.integer({ min: 4, max: 256 }), async (chunks, maxBytes) => {
        await using lab = historyLab();
        lab.recorder.configure(lab.options);
        const shell = new PrintingShell(lab.recorder, 1);
        for (const [index, chunk] of chunks.entries()) {
          shell.print(chunk);
          if (index % 3 === 0) await lab.recorder.flush();
        }
        shell.recorder.noteEvent({ kind: "exit", offset: shell.log.end, at: 0, exitCode: 0, signal: null });
        shell.recorder.end();
        await lab.recorder.flush();
        const pages = await lab.readAll(0, maxBytes);
        expect(pages.map(({ missed }) => missed).filter((missed) => missed > 0)).toEqual([]);
        expect(pages.map(({ output }) => output).join("")).toBe(Buffer.concat(chunks).toString());
      }),
      // A shell may end within a character within a string: pages are not cut there.
      { numRuns: 10, examples: [[[...splitTail].map((byte) => Buffer.of(byte)), 4]] },
    );
  });

  test("is read whole while its segments are compressed", async () => {
    await using lab = historyLab();
    // Nothing is compressed but by the test.
    const recorder = lab.newRecorder(3_600_000);
    recorder.configure(lab.options);
    const shell = new PrintingShell(recorder);
    for (const text of ["one ", "two ", "three"]) {
      shell.print(text);
      await recorder.flush({ rotate: true });
    }
    const found: string[] = [];
    for await (const frame of lab.reader.frames(owner)) {
      if (frame.kind === "output") found.push(frame.bytes.toString());
      // Those that were listed a moment ago have another name now.
      for (const file of filesIn(lab.folder)) await compressSegment(file, masterKey(SECRET), owner);
    }
    expect(found).toEqual(["one ", "two ", "three"]);
    expect(filesIn(lab.folder).every((file) => file.endsWith("z"))).toBe(true);
  });

  test("has segments that are compressed when they no longer grow, and read as before", async () => {
    await using lab = historyLab();
    lab.recorder.configure(lab.options);
    const shell = new PrintingShell(lab.recorder);
    const text = lines(0, 250_000);
    for (let at = 0; at < text.length; at += 100_000) shell.print(text.slice(at, at + 100_000));
    await lab.recorder.flush();
    await until("compression", () => filesIn(lab.folder).filter((file) => file.endsWith(".seg")).length === 1);
    const [first = "", ...others] = filesIn(lab.folder);
    expect(others.length).toBeGreaterThan(0);
    expect(statSync(first).size).toBeLessThan(MEBIBYTE);
    const pages = await lab.readAll();
    expect(pages.map(({ output }) => output).join("")).toBe(text);
    expect(pages.every(({ output }) => Buffer.byteLength(output) <= 4 * MEBIBYTE)).toBe(true);
  });

  describe("that prints much", () => {
    const text = lines(0, 100_000);

    function muchLab() {
      const lab = historyLab();
      vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
      onTestFinished(() => void vi.useRealTimers());
      const recorder = lab.newRecorder(1000);
      recorder.configure(lab.options);
      const shell = new PrintingShell(recorder);
      const print = async () => {
        for (let at = 0; at < text.length; at += 100_000) shell.print(text.slice(at, at + 100_000));
        await recorder.flush();
      };
      /** Segments besides the last one that are not compressed. */
      const waiting = () => filesIn(lab.folder).filter((file) => file.endsWith(".seg")).length - 1;
      return { lab, recorder, print, waiting };
    }

    test("has no segment compressed meanwhile: the processor is for what prints", async () => {
      const { lab, recorder, print, waiting } = muchLab();
      await using _ = lab;
      for (let round = 0; round < 4; round += 1) {
        await print();
        await vi.advanceTimersByTimeAsync(1000);
      }
      // After what is being compressed.
      await recorder.dispose();
      expect(waiting()).toBeGreaterThan(0);
      expect(filesIn(lab.folder).filter((file) => file.endsWith(".segz"))).toEqual([]);
    });

    test("has its segments compressed once little is printed, or more than 32 wait for it", async () => {
      const { lab, print, waiting } = muchLab();
      await using _ = lab;
      while (waiting() <= 32) await print();
      await vi.advanceTimersByTimeAsync(1000);
      await until("compression of what is too much", () => waiting() === 32);
      await vi.advanceTimersByTimeAsync(2000);
      await until("compression of the rest", () => waiting() === 0);
    });
  });

  test("has segments as old as their latest output, also where little was printed in many hours", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, 0, 1) });
    onTestFinished(() => void vi.useRealTimers());
    await using lab = historyLab();
    lab.recorder.configure(lab.options);
    const shell = new PrintingShell(lab.recorder);
    for (const hour of [0, 5, 10]) {
      vi.setSystemTime(Date.UTC(2026, 0, 1, hour));
      shell.print(`at ${hour}\r\n`);
      await lab.recorder.flush();
    }
    await lab.recorder.flush({ rotate: true });
    await until("compression", () => filesIn(lab.folder).every((file) => file.endsWith(".segz")));
    const [segment] = await listSegments(lab.folder);
    expect(segment?.at).toBe(Date.UTC(2026, 0, 1, 10));
  });

  test("is encrypted: no file holds its text, its title or its folder in clear", async () => {
    await using lab = historyLab();
    lab.recorder.configure(lab.options);
    const shell = new PrintingShell(lab.recorder);
    shell.print("the planted secret hunter2hunter2\r\n");
    shell.recorder.noteEvent({ kind: "command-start", offset: 0, at: 0, line: "export K=hunter2hunter2" });
    shell.recorder.end();
    await lab.recorder.flush();
    await until("compression", () =>
      filesIn(lab.folder).every((file) => readHeader(readFileSync(file))?.isClosed === true),
    );
    for (const file of filesIn(lab.folder)) expect(readFileSync(file).includes("hunter2")).toBe(false);
  });

  test("is not written while recording is off or its session is left out, nor afterwards", async () => {
    await using lab = historyLab();
    const shell = new PrintingShell(lab.recorder);
    shell.print("before\r\n");
    lab.recorder.configure({ ...lab.options, except: [owner.session] });
    shell.print("left out\r\n");
    await lab.recorder.flush();
    expect(filesIn(lab.folder)).toEqual([]);
    lab.recorder.configure(lab.options);
    await lab.recorder.flush();
    lab.recorder.configure({ ...lab.options, folder: null });
    shell.print("off again\r\n");
    await lab.recorder.flush();
    // What memory holds when it is turned on is the beginning.
    expect((await lab.readAll()).map(({ output }) => output).join("")).toBe("before\r\nleft out\r\n");
  });

  test("goes on in another folder of the same name after its segments were forgotten", async () => {
    await using lab = historyLab();
    lab.recorder.configure(lab.options);
    const shell = new PrintingShell(lab.recorder);
    shell.print("forgotten\r\n");
    await lab.recorder.flush({ rotate: true });
    for (const file of filesIn(lab.folder)) rmSync(file);
    shell.print("kept\r\n");
    await lab.recorder.flush();
    expect(await lab.readAll()).toMatchObject([{ output: "kept\r\n", offset: 11, missed: 11 }]);
  });
});

describe("after a kill", () => {
  test("at any byte of the file, everything before the last whole frame is read, and nothing else", async () => {
    await using lab = historyLab();
    lab.recorder.configure(lab.options);
    const shell = new PrintingShell(lab.recorder);
    const text = lines(0, 40);
    for (let at = 0; at < text.length; at += 97) {
      shell.print(text.slice(at, at + 97));
      await lab.recorder.flush();
    }
    const [file = ""] = filesIn(lab.folder);
    const whole = readFileSync(file);
    let longest = 0;
    for (let length = 0; length < whole.length; length += 61) {
      writeFileSync(file, whole.subarray(0, length));
      const read = (await lab.readAll()).map(({ output }) => output).join("");
      expect(text.startsWith(read)).toBe(true);
      expect(read.length).toBeGreaterThanOrEqual(longest);
      longest = read.length;
    }
    expect(longest).toBeGreaterThan(text.length - 300);
  });

  test("a segment that is removed while it is compressed does not come back", async () => {
    await using lab = historyLab();
    const file = join(lab.folder, "000000000000000.seg");
    writeFileSync(`${file}.draft`, "");
    await replaceSegment(file, `${file}.draft`);
    expect(readdirSync(lab.folder)).toEqual([]);
    // Not even for a moment: nothing is put where a folder stands.
    mkdirSync(`${file}z`);
    writeFileSync(`${file}.draft`, "");
    await replaceSegment(file, `${file}.draft`);
    rmdirSync(`${file}z`);
    for (const name of [file, `${file}.draft`]) writeFileSync(name, "");
    await replaceSegment(file, `${file}.draft`);
    expect(filesIn(lab.folder)).toEqual([`${file}z`]);
  });

  test("a damaged segment is not replaced by what is left of it, so that it stays named", async () => {
    await using lab = historyLab();
    // Nothing is compressed but by the test.
    const recorder = lab.newRecorder(3600_000);
    recorder.configure(lab.options);
    const shell = new PrintingShell(recorder);
    for (let row = 0; row < 3; row++) {
      shell.print(lines(row * 100, row * 100 + 100));
      await recorder.flush();
    }
    const [file = ""] = filesIn(lab.folder);
    const content = readFileSync(file);
    content[content.length >> 1] = (content[content.length >> 1] ?? 0) ^ 1;
    writeFileSync(file, content);
    await compressSegment(file, masterKey(SECRET), owner);
    expect(readdirSync(dirname(file))).toEqual([basename(file)]);
    await lab.readAll();
    expect([...lab.reader.damage]).toEqual([[file, "damaged"]]);
  });

  test("the next shell host compresses what the last one left open", async () => {
    await using lab = historyLab();
    lab.recorder.configure(lab.options);
    const shell = new PrintingShell(lab.recorder);
    shell.print(lines(0, 1000));
    await lab.recorder.flush();
    const next = lab.newRecorder();
    next.configure(lab.options);
    await until("compression", () =>
      filesIn(lab.folder).every((file) => readHeader(readFileSync(file))?.isClosed === true),
    );
    expect((await lab.readAll()).map(({ output }) => output).join("")).toBe(lines(0, 1000));
  });
});

describe("a disk that takes nothing", () => {
  test("is told, costs the newest output nothing, and the gap is counted when it works again", async () => {
    await using lab = historyLab();
    // A file in the place of the folder.
    const blocked = join(lab.folder, owner.session);
    writeFileSync(blocked, "");
    lab.recorder.configure(lab.options);
    const shell = new PrintingShell(lab.recorder);
    const piece = Buffer.from("0123456789abcde\n".repeat(MEBIBYTE / 16));
    for (let count = 0; count < 64; count++) shell.print(piece);
    await until("the trouble", () => lab.troubles.length > 0);
    expect(lab.troubles[0]).toMatch(/history cannot be written .*free some space/);
    const { waiting, lost } = lab.recorder.state();
    expect(waiting).toBeLessThan(21 * MEBIBYTE);
    expect(lost).toBeGreaterThan(0);
    expect(shell.log.read({ lines: 1 }).bytes.toString()).toBe("0123456789abcde\n");
    rmSync(blocked);
    await until("the end of the trouble", () => lab.troubles.at(-1) === undefined);
    await lab.recorder.flush();
    const pages = await lab.readAll();
    const missed = pages.reduce((sum, page) => sum + page.missed, 0);
    expect(missed).toBe(lab.recorder.state().lost);
    expect(pages.at(-1)?.end).toBe(64 * MEBIBYTE);
    expect(pages.reduce((sum, { output }) => sum + output.length, 0) + missed).toBe(64 * MEBIBYTE);
  });
});

describe("old output", () => {
  /** A history with a segment of each age in days, of a shell of that number, and the next shell host over it. */
  async function agedLab(ages: readonly number[]) {
    const lab = historyLab();
    const recorder = lab.newRecorder(3_600_000);
    recorder.configure(lab.options);
    for (const age of ages) new PrintingShell(recorder, undefined, { ...owner, shell: age }).print(`${age} days\r\n`);
    await recorder.flush();
    await recorder.dispose();
    const segments = await listSegments(lab.folder);
    for (const { file, owner: shell } of segments) {
      const at = Date.now() / 1000 - shell.shell * 24 * 3600;
      utimesSync(file, at, at);
    }
    return {
      ...lab,
      bytes: segments.reduce((sum, { bytes }) => sum + bytes, 0),
      next: lab.newRecorder(3_600_000),
      async left() {
        const shells = (await listSegments(lab.folder)).map(({ owner: shell }) => shell.shell);
        return shells.sort((one, other) => one - other).join(" ");
      },
    };
  }

  test("is removed when a shell host starts", async () => {
    await using lab = await agedLab([40, 2]);
    lab.next.configure(lab.options);
    await until("its removal", async () => (await lab.left()) === "2");
  });

  test("stays at first where the clock has gone on by weeks since the latest output, but for what the size removes", async () => {
    await using lab = await agedLab([40, 50, 60]);
    lab.next.configure({ ...lab.options, maxBytes: lab.bytes - 1 });
    await until("the first look", async () => (await lab.left()) === "40 50");
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await lab.left()).toBe("40 50");
  });
});
