import { mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { claudeAdapter } from "../../../../../main/agents/adapters/claude.ts";
import { processInfo } from "../../../../support/process-info.ts";

let home: string;
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "patchbay-claude-")));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const launchedAt = Date.now() - 60_000;

/** Writes a transcript that began and was last written so many milliseconds after the process began. */
function transcript(sessionId: string, began: number, changed: number): void {
  const folder = join(home, "projects", "-work");
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${sessionId}.jsonl`);
  const timestamp = new Date(launchedAt + began).toISOString();
  writeFileSync(path, `${JSON.stringify({ type: "user", uuid: sessionId, sessionId, cwd: "/work", timestamp })}\n`);
  utimesSync(path, new Date(), new Date(launchedAt + changed));
}

/** Returns the session that a process is joined to which names none and has no file of its own. */
function joined(): string | undefined {
  const process = processInfo({
    startedAt: launchedAt,
    comm: "claude",
    argv: () => ["claude", "-p", "hi"],
    exe: () => "/bin/claude",
    cwd: () => "/work",
    env: (name) => (name === "CLAUDE_CONFIG_DIR" ? home : undefined),
  });
  const known = { known: undefined, aloneAt: () => true, shownIn: () => undefined, taken: () => false };
  const answer = claudeAdapter().join({ process, launchedAt, cwd: "/work", ...known });
  return typeof answer === "object" ? answer.sessionId : undefined;
}

test("a run has not the transcript that the run before it has written a moment before", () => {
  transcript("before", -1_500, -300);
  expect(joined()).toBeUndefined();
  transcript("own", 200, 400);
  expect(joined()).toBe("own");
});

test("a transcript that is written on has been resumed, unless there is one of the run itself", () => {
  transcript("older", -60_000, 300);
  expect(joined()).toBe("older");
  transcript("own", 200, 250);
  expect(joined()).toBe("own");
});
