import type { FileHandle } from "node:fs/promises";
import { afterAll, expect, test, vi } from "vitest";
import type { RecordedEvent } from "../../../../../main/shells/shell-recorder.ts";
import { until } from "../../../../support/until.ts";

/** A disk that is full once: at which of its writes, and how many there were. */
interface Disk {
  fullAt: number;
  writes: number;
  /** Resolves when the disk goes on with output. */
  hangs?: Promise<void>;
}

/** By folder, so that all tests run at the same time. */
const disks = vi.hoisted(() => new Map<string, Disk>());

vi.mock("node:fs/promises", async (original) => {
  const real = await original<typeof import("node:fs/promises")>();
  const full = () => Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" });
  const diskOf = (place: unknown) => [...disks].find(([folder]) => String(place).startsWith(folder))?.[1];
  /** Counts a write. Returns whether the disk is full at it. */
  const isFull = (place: unknown) => {
    const disk = diskOf(place);
    return disk !== undefined && disk.writes++ === disk.fullAt;
  };
  const guarded = (handle: FileHandle, file: unknown): FileHandle => {
    const { writev, writeFile, sync } = handle;
    return Object.assign(handle, {
      async writev(parts: readonly Buffer[], position: number) {
        await diskOf(file)?.hangs;
        if (!isFull(file)) return writev.call(handle, parts, position);
        // A part of it is written, which ends within a frame.
        const all = Buffer.concat(parts);
        const half = all.subarray(0, all.length >> 1);
        const { bytesWritten } = await handle.write(half, 0, half.length, position);
        return { bytesWritten, buffers: parts };
      },
      async writeFile(data: Buffer) {
        if (!isFull(file)) return writeFile.call(handle, data);
        await writeFile.call(handle, data.subarray(0, data.length >> 1));
        throw full();
      },
      async sync() {
        if (isFull(file)) throw full();
        return sync.call(handle);
      },
    });
  };
  return {
    ...real,
    async open(...args: Parameters<typeof real.open>) {
      if (args[1] !== "r" && isFull(args[0])) throw full();
      return guarded(await real.open(...args), args[0]);
    },
    async mkdir(...args: Parameters<typeof real.mkdir>) {
      if (isFull(args[0])) throw full();
      return real.mkdir(...args);
    },
    async rename(...args: Parameters<typeof real.rename>) {
      if (isFull(args[0])) throw full();
      return real.rename(...args);
    },
  };
});

// Test files share their modules: those that write are loaded anew, on this disk, and again for the files that follow.
vi.resetModules();
const { historyLab, owner, PrintingShell } = await import("./history-lab.ts");
const { HistoryRecorder } = await import("../../../../../main/shells/history/recorder.ts");
const { listSegments } = await import("../../../../../main/shells/history/trim.ts");
afterAll(() => {
  vi.doUnmock("node:fs/promises");
  vi.resetModules();
});

const size = { kind: "size", offset: 0, at: 1, cols: 100, rows: 30 } as const;

/** Records two segments, of which the first is compressed, on a disk that is full at a write. Returns the number of writes. */
async function recordOn(fullAt: number): Promise<number> {
  await using lab = historyLab();
  const disk = { fullAt, writes: 0 };
  disks.set(lab.folder, disk);
  lab.recorder.configure(lab.options);
  const shell = new PrintingShell(lab.recorder);
  const printed: string[] = [];
  const events: RecordedEvent[] = [];
  const note = (event: RecordedEvent) => {
    events.push(event);
    shell.recorder.noteEvent(event);
  };
  const print = async (text: string) => {
    printed.push(text);
    shell.print(text);
    await lab.recorder.flush();
  };
  const written = async () => {
    await until("everything is written", async () => {
      await lab.recorder.flush();
      return lab.recorder.state().waiting === 0;
    });
  };
  shell.recorder.noteEvent(size);
  note({ kind: "command-start", offset: 0, at: 2, line: "make" });
  // A segment without output.
  await lab.recorder.flush();
  for (let row = 0; row < 5; row++) await print(`${row} ${"x".repeat(50_000)}\r\n`);
  note({ kind: "command-end", offset: shell.log.end, at: 3, exitCode: 0 });
  await lab.recorder.flush();
  await written();
  await lab.recorder.flush({ rotate: true });
  await print("after\r\n");
  await written();
  // The compression of the first one.
  await lab.recorder.dispose();
  const { writes } = disk;
  disks.delete(lab.folder);

  const about = `full at write ${fullAt}`;
  const pages = await lab.readAll();
  expect(pages.map(({ output }) => output).join(""), about).toBe(printed.join(""));
  expect(
    pages.every(({ missed }) => missed === 0),
    about,
  ).toBe(true);
  expect(lab.recorder.state(), about).toMatchObject({ lost: 0, waiting: 0, trouble: null });
  const read: RecordedEvent[] = [];
  for await (const frame of lab.reader.frames(owner)) {
    if (frame.kind === "event" && frame.event.kind !== "size") read.push(frame.event);
  }
  expect(read, about).toEqual(events);
  const { size: known } = await lab.reader.timeline(owner, { from: 0, offset: shell.log.end, to: shell.log.end });
  expect(known, about).toMatchObject({ cols: 100, rows: 30 });
  expect([...lab.reader.damage], about).toEqual([]);
  return writes;
}

test("of a disk that is full at any one write no byte, offset, size or command is lost", async () => {
  const writes = await recordOn(-1);
  expect(writes).toBeGreaterThan(15);
  await Promise.all(Array.from({ length: writes }, (_, index) => recordOn(index)));
});

test("who asks for what waits is answered in time while a disk hangs, and told that something waits", async () => {
  await using lab = historyLab();
  let goOn: () => void = () => undefined;
  const hangs = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  disks.set(lab.folder, { fullAt: -1, writes: 0, hangs });
  lab.recorder.configure(lab.options);
  const shell = new PrintingShell(lab.recorder);
  shell.print("some output\r\n");
  expect(await lab.recorder.flush({}, 100)).toMatchObject({ trouble: null, waiting: 13, lost: 0 });
  expect(await lab.reader.read(owner, { since: 0 })).toBeUndefined();
  goOn();
  expect(await lab.recorder.flush()).toMatchObject({ waiting: 0 });
  expect((await lab.reader.read(owner, { since: 0 }))?.output).toBe("some output\r\n");
  disks.delete(lab.folder);
});

test("a segment that could not be compressed is tried again by the same host", async () => {
  await using lab = historyLab();
  const disk = { fullAt: -1, writes: 0 };
  disks.set(lab.folder, disk);
  const logged: string[] = [];
  const recorder = new HistoryRecorder({ log: (message) => logged.push(message), quietMs: 0, againMs: 50 });
  recorder.configure(lab.options);
  const shell = new PrintingShell(recorder);
  shell.print("some output\r\n");
  await recorder.flush();
  disk.fullAt = disk.writes;
  await recorder.flush({ rotate: true });
  const files = async () => (await listSegments(lab.folder)).map(({ file }) => file.endsWith(".segz"));
  await until("the second try", async () => (await files()).every(Boolean));
  expect(await files()).toEqual([true]);
  expect(logged).toEqual([expect.stringContaining("not compressed: ENOSPC")]);
  await recorder.dispose();
  disks.delete(lab.folder);
});
