import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { threadHolder } from "../../../../../main/agents/adapters/codex-holder.ts";

const THREAD = "01990000-0000-7000-8000-000000000001";
const OTHER = "01990000-0000-7000-8000-000000000002";
const rollout = (thread: string) => `/home/me/.codex/sessions/2026/11/21/rollout-2026-11-21T10-00-00-${thread}.jsonl`;
const lock = (thread: string) => `/home/me/.codex/thread-writer-locks/${thread}.lock`;

let proc: string;
beforeEach(() => {
  proc = mkdtempSync(join(tmpdir(), "patchbay-proc-"));
  writeFileSync(join(proc, "uptime"), "1 1\n");
});
afterEach(() => rmSync(proc, { recursive: true, force: true }));

/** A process as Linux shows it, with these files open. */
function running(pid: number, name: string, ...files: readonly string[]): void {
  const folder = join(proc, String(pid), "fd");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(proc, String(pid), "comm"), `${name}\n`);
  for (const [number, file] of files.entries()) symlinkSync(file, join(folder, String(number)));
}

const holder = (thread: string, daemon?: number) => threadHolder(thread, daemon, proc);

test("the process that keeps a thread's rollout or lock open holds it", () => {
  running(10, "bash", rollout(THREAD));
  running(11, "codex", "/dev/null", rollout(OTHER));
  running(12, "codex-x86_64-un", "/dev/null", lock(THREAD));
  expect(holder(THREAD)).toBe(12);
  expect(holder(OTHER)).toBe(11);
  expect(holder("01990000-0000-7000-8000-000000000003")).toBeUndefined();
});

test("the daemon that keeps threads for all terminals is in nobody's way", () => {
  running(11, "codex", lock(THREAD));
  expect(holder(THREAD, 11)).toBeUndefined();
  running(12, "codex", rollout(THREAD));
  expect(holder(THREAD, 11)).toBe(12);
});

test("where the system shows no processes, nothing holds a thread", () => {
  expect(threadHolder(THREAD, undefined, join(proc, "none"))).toBeUndefined();
});
