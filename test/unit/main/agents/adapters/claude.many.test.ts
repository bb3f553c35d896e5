import fs, { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { claudeAdapter } from "../../../../../main/agents/adapters/claude.ts";

test("of many transcripts each is looked at a few times only to list them by age", () => {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "patchbay-many-")));
  try {
    const folder = join(home, "projects", "-work");
    mkdirSync(folder, { recursive: true });
    const ids = Array.from({ length: 300 }, (_, number) => `s${(number * 7) % 300}`);
    for (const [number, id] of ids.entries()) {
      const timestamp = new Date(1_700_000_000_000 + number * 1000).toISOString();
      writeFileSync(join(folder, `${id}.jsonl`), `${JSON.stringify({ uuid: id, timestamp, sessionId: id })}\n`);
    }
    const stat = vi.spyOn(fs, "statSync");
    syncBuiltinESMExports();
    expect(claudeAdapter().sessions(home)).toEqual(ids);
    // Comparing them two by two took 4,000.
    expect(stat.mock.calls.filter(([path]) => String(path).endsWith(".jsonl")).length).toBeLessThan(1000);
  } finally {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
    rmSync(home, { recursive: true, force: true });
  }
});

test("of the files of processes no more is read than they need", () => {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "patchbay-many-")));
  try {
    const folder = join(home, "sessions");
    mkdirSync(folder);
    const held = (pid: number, more: object) =>
      writeFileSync(join(folder, `${pid}.json`), JSON.stringify({ sessionId: "held", ...more }));
    const adapter = claudeAdapter();
    held(process.pid, { filling: "x".repeat(17 * 1024) });
    expect(adapter.holder?.(home, "held")).toBeUndefined();
    held(process.pid, { cwd: "/work" });
    expect(adapter.holder?.(home, "held")).toBe(process.pid);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
});
