import { describe, expect, test } from "vitest";
import { questionLimits } from "../../../../../core/protocol/questions.ts";
import { readAcpHook } from "../../../../../main/agents/hooks/acp-hooks.ts";
import { readClaudeHook } from "../../../../../main/agents/hooks/claude-hooks.ts";
import { readGeminiHook } from "../../../../../main/agents/hooks/gemini-hooks.ts";
import { readOpencodeHook } from "../../../../../main/agents/hooks/opencode-hooks.ts";
import { assessRisk } from "../../../../../main/agents/hooks/risk.ts";
import { readCodexRequest } from "../../../../../main/agents/protocols/codex-requests.ts";

/** Worst cases of patterns that would try a rest anew at each word, each as long as wanted. */
const worst: readonly (readonly [string, (length: number) => string])[] = [
  ["downloads and pipes", (length) => "curl ".repeat(length / 10) + "|".repeat(length / 2)],
  ["downloads and pipes in one word", (length) => "curl|".repeat(length / 5)],
  ["pipes with spaces", (length) => `curl ${"| ".repeat(length / 2)}`],
  ["git", (length) => "git ".repeat(length / 4)],
  ["git push", (length) => "git push ".repeat(length / 9)],
  ["git checkout", (length) => "git checkout ".repeat(length / 13)],
  ["a package manager", (length) => "go x ".repeat(length / 5)],
  ["shells", (length) => "sh ".repeat(length / 3)],
  ["names of programs", (length) => "mkfs.".repeat(length / 5)],
  ["separators", (length) => "/".repeat(length)],
  ["spaces", (length) => `cat${" ".repeat(length)}x`],
  ["lines", (length) => "curl\n".repeat(length / 5)],
  ["folders above", (length) => "../".repeat(length / 3)],
  ["many paths", (length) => "/a /b ".repeat(length / 6)],
  ["hidden characters", (length) => "\u200b".repeat(length)],
  ["characters that act", (length) => "\u001b".repeat(length)],
];

/** Returns the least processor time of several runs, in milliseconds: other programs' work does not count. */
function fastest(run: () => unknown): number {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 3; round++) {
    const before = process.cpuUsage();
    run();
    least = Math.min(least, process.cpuUsage(before).user / 1000);
  }
  return least;
}

/** Eight times the length takes eight times as long where the time is linear, and 64 times where it is quadratic. */
const GROWTH = 8;
const MOST_GROWTH = 30;
/** Less than this holds nobody up, and is too little to be measured. */
const SMALL_MS = 60;

function expectLinear(run: (length: number) => unknown, most: number): void {
  run(most);
  const [short, long] = [fastest(() => run(most / GROWTH)), fastest(() => run(most))];
  expect(long).toBeLessThan(Math.max(SMALL_MS, short * MOST_GROWTH));
}

describe("takes time linear in what an agent asks", () => {
  test.each(worst)("the estimate of its risk: %s", (_, textOf) => {
    expectLinear((length) => assessRisk({ command: textOf(length), cwd: "/project" }), questionLimits.command);
    expectLinear((length) => assessRisk({ files: [textOf(length)], cwd: textOf(length) }), 240_000);
  });

  test.each(worst)("the reading of an event: %s", (_, textOf) => {
    expectLinear((length) => {
      for (const read of readers) read(textOf(length));
    }, 32_000);
  });

  test("the reading of many entries, and of deep ones", () => {
    expectLinear((length) => claude("mcp__x__y", { list: Array.from({ length: length / 4 }, () => 1) }), 64_000);
    expectLinear(
      (length) => claude("x", Object.fromEntries([...Array(length / 8).keys()].map((at) => [at, 1]))),
      80_000,
    );
    expectLinear((length) => claude("x", { deep: deep(500), list: Array(length).fill("") }), 80_000);
  });
});

test("the estimate reads no more of a command than a question shows, which is a high risk itself", () => {
  const command = `${"cat a; ".repeat(questionLimits.command / 7 + 1)}rm -rf b`;
  expect(assessRisk({ command, cwd: "/project" })).toEqual({ level: "high", reasons: ["longer than what is shown"] });
});

function claude(tool_name: string, tool_input: object) {
  const event = { session_id: "a", cwd: "/project", hook_event_name: "PermissionRequest" };
  return readClaudeHook({ ...event, tool_name, tool_input });
}

function deep(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level++) value = [value];
  return value;
}

const readers: readonly ((text: string) => unknown)[] = [
  (text) => claude("Bash", { command: text, description: text }),
  (text) => claude("Edit", { file_path: text, old_string: text, new_string: text }),
  (text) => claude("mcp__x__y", { [text]: text }),
  (text) =>
    readGeminiHook({
      ...{ session_id: "a", cwd: "/project", hook_event_name: "Notification", notification_type: "ToolPermission" },
      details: { type: "edit", title: text, command: text, filePath: text, fileDiff: text },
    }),
  (text) =>
    readOpencodeHook({
      ...{ type: "permission.asked", root: "r", cwd: "/project" },
      properties: {
        ...{ id: "i", sessionID: "s", permission: "bash", patterns: [text], always: [text] },
        metadata: { command: text, filepath: text, diff: text },
      },
    }),
  (text) =>
    readAcpHook({
      ...{ type: "permission", session: "s", call: "1", cwd: "/project", options: [] },
      toolCall: { title: text, kind: "execute", rawInput: { command: [text] }, locations: [{ path: text }] },
    }),
  (text) =>
    readCodexRequest(
      {
        method: "item/commandExecution/requestApproval",
        params: { threadId: "t", itemId: "i", command: text, cwd: text },
      },
      { root: "t", cwd: "/project", changes: undefined },
    ),
];
