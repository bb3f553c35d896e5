import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { TerminalQuery } from "../../../../../core/protocol/terminal-signals.ts";
import { TerminalAnswers } from "../../../../../main/relay/session/terminal-answers.ts";
import { standInShellHost } from "../../../../support/stand-in-shell-host.ts";

const cursor = { text: "", cols: 80, rows: 24, cursor: { x: 4, y: 2 }, offset: 0 };

let drawMs: number;
let written: string[];
let offset: number;
let answers: TerminalAnswers;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "performance"] });
  [drawMs, written, offset] = [0, [], 0];
  const host = standInShellHost({
    async screen() {
      await new Promise((resolve) => setTimeout(resolve, drawMs));
      return cursor;
    },
    async write(_shell, data) {
      written.push(String(data));
      return { queued: 0 };
    },
  });
  answers = new TerminalAnswers({ host, answererOf: () => undefined });
});
afterEach(() => {
  vi.useRealTimers();
});

function ask(query: TerminalQuery): void {
  offset += 4;
  answers.heard({ kind: "signal", id: 1, signal: { kind: "query", query, offset, end: offset + 4 } });
}

test("queries are answered in their order", async () => {
  ask("cursor");
  ask("status");
  await vi.advanceTimersByTimeAsync(0);
  expect(written).toEqual(["\x1b[3;5R", "\x1b[0n"]);
});

test("queries of a program that waits for none of their answers are not answered beyond a number, later ones are", async () => {
  drawMs = 10;
  for (let turn = 0; turn < 1000; turn += 1) ask("cursor");
  await vi.advanceTimersByTimeAsync(60_000);
  expect(written).toHaveLength(64);
  const bytes = answers.withoutAnswered(1, 0, new Uint8Array(8000).fill(1));
  expect(bytes.filter((byte) => byte === 0)).toHaveLength(64 * 4);
  ask("status");
  await vi.advanceTimersByTimeAsync(0);
  expect(written.at(-1)).toBe("\x1b[0n");
});

test("after a cursor that took long to find, the shell waits four times as long for its next answer", async () => {
  drawMs = 100;
  ask("cursor");
  ask("cursor");
  await vi.advanceTimersByTimeAsync(100);
  expect(written).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(499);
  expect(written).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(written).toHaveLength(2);
});
