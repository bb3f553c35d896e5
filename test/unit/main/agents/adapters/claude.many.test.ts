import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import type * as AdapterFiles from "../../../../../main/agents/adapters/adapter-files.ts";
import { claudeAdapter } from "../../../../../main/agents/adapters/claude.ts";

const looks = vi.hoisted(() => ({ count: 0 }));
vi.mock("../../../../../main/agents/adapters/adapter-files.ts", async (importOriginal) => {
  const original = await importOriginal<typeof AdapterFiles>();
  return {
    ...original,
    fileFacts: (path: string) => {
      looks.count += 1;
      return original.fileFacts(path);
    },
  };
});

test("of many transcripts each is looked at once to list them by age", () => {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "patchbay-many-")));
  try {
    const folder = join(home, "projects", "-work");
    mkdirSync(folder, { recursive: true });
    const ids = Array.from({ length: 300 }, (_, number) => `s${(number * 7) % 300}`);
    for (const [number, id] of ids.entries()) {
      const timestamp = new Date(1_700_000_000_000 + number * 1000).toISOString();
      writeFileSync(join(folder, `${id}.jsonl`), `${JSON.stringify({ uuid: id, timestamp, sessionId: id })}\n`);
    }
    const adapter = claudeAdapter();
    expect(adapter.sessions(home)).toEqual(ids);
    expect(looks.count).toBe(300);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
});
