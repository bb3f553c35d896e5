import { setImmediate as turn } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { listSegments } from "../../../../../main/shells/history/trim.ts";
import { until } from "../../../../support/until.ts";
import { historyLab, owner, PrintingShell } from "./history-lab.ts";

const START = Date.UTC(2026, 0, 1);

function lab() {
  vi.useFakeTimers({ toFake: ["Date"], now: START });
  onTestFinished(() => void vi.useRealTimers());
  const made = historyLab();
  return { made, shell: new PrintingShell(made.recorder) };
}

const all = (shell: PrintingShell, offset = 0) => ({ from: 0, offset, to: shell.log.end });

test("times and sizes are told by characters of the text, also where a character came in two pieces", async () => {
  const { made, shell } = lab();
  await using _ = made;
  made.recorder.configure(made.options);
  shell.recorder.noteEvent({ kind: "size", offset: 0, at: START, cols: 80, rows: 24 });
  const bytes = Buffer.from("aé世b");
  shell.print(bytes.subarray(0, 2));
  vi.setSystemTime(START + 100);
  shell.print(bytes.subarray(2));
  shell.recorder.noteEvent({ kind: "size", offset: shell.log.end, at: START + 100, cols: 100, rows: 30 });
  vi.setSystemTime(START - 5000);
  shell.print("after");
  expect(await made.reader.timeline(owner, all(shell))).toEqual({
    size: expect.objectContaining({ cols: 80, rows: 24 }),
    times: [
      [0, START],
      [1, START + 100],
      [4, START - 5000],
    ],
    sizes: [
      [0, 80, 24],
      [4, 100, 30],
    ],
  });
  const later = await made.reader.timeline(owner, { from: bytes.length, offset: bytes.length, to: shell.log.end });
  expect(later).toMatchObject({ size: { cols: 100 }, times: [[0, START - 5000]], sizes: [[0, 100, 30]] });
});

test("a size is known however long ago it was set, in later segments, and where recording began after it", async () => {
  const { made, shell } = lab();
  await using _ = made;
  shell.recorder.noteEvent({ kind: "size", offset: 0, at: START, cols: 132, rows: 40 });
  made.recorder.configure(made.options);
  for (let printed = 0; printed < 40; printed++) {
    shell.print(`${"x".repeat(255 * 1024)}\r\n`);
    await made.recorder.flush();
  }
  const segments = await listSegments(made.folder);
  expect(segments.length).toBeGreaterThan(1);
  for (const offset of [200_000, shell.log.end - 10]) {
    const { size } = await made.reader.timeline(owner, { from: offset, offset, to: shell.log.end });
    expect(size, `at ${offset}`).toMatchObject({ cols: 132, rows: 40 });
  }
});

test("a compressed segment has its sizes where they were set", async () => {
  const { made, shell } = lab();
  await using _ = made;
  made.recorder.configure(made.options);
  shell.recorder.noteEvent({ kind: "size", offset: 0, at: START, cols: 80, rows: 24 });
  shell.print("before");
  shell.recorder.noteEvent({ kind: "size", offset: shell.log.end, at: START, cols: 60, rows: 20 });
  shell.print("after");
  await made.recorder.flush({ rotate: true });
  await until("the compressed segment", async () => {
    await turn();
    return (await listSegments(made.folder))[0]?.file.endsWith(".segz") === true;
  });
  expect(await made.reader.timeline(owner, all(shell, shell.log.end))).toMatchObject({
    size: { cols: 60, rows: 20 },
    sizes: [
      [0, 80, 24],
      [6, 60, 20],
    ],
  });
});

test("no times are told where a part of what is asked for is not recorded", async () => {
  const { made, shell } = lab();
  await using _ = made;
  made.recorder.configure(made.options);
  shell.print("recorded");
  const { times } = await made.reader.timeline(owner, { from: 0, offset: 0, to: shell.log.end + 1 });
  expect(times).toEqual([]);
});

test("of very many times some are left out, and those that remain are right", async () => {
  const { made, shell } = lab();
  await using _ = made;
  made.recorder.configure(made.options);
  for (let index = 0; index < 10_000; index++) {
    vi.setSystemTime(START + index * 20);
    shell.print("x");
    if (index % 10 === 9) await made.recorder.flush();
  }
  const { times } = await made.reader.timeline(owner, all(shell));
  expect(times.length).toBeGreaterThan(1000);
  expect(times.length).toBeLessThanOrEqual(4097);
  for (const [characters, at] of times) expect(at).toBe(START + characters * 20);
});
