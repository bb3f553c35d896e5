import { expect, test } from "vitest";
import { describeAgent, describeExit, programName, shortPath } from "../../../../../renderer/session/view/tile-info.ts";
import { formatDuration } from "../../../../../renderer/ui/format-duration.ts";

test.each([
  ["/home/mara/src", "~/src"],
  ["/home/mara", "~"],
  ["/Users/kai/x", "~/x"],
  ["/rooted", "/rooted"],
  ["/root", "~"],
  ["/srv/home/mara", "/srv/home/mara"],
])("the path %s reads %s", (path, short) => expect(shortPath(path)).toBe(short));

test("a program is shown by its name", () => {
  expect([programName("/usr/bin/zsh -l"), programName("vim"), programName("C:\\bin\\pwsh.exe")]).toEqual([
    "zsh",
    "vim",
    "pwsh.exe",
  ]);
});

test.each([
  [900, ""],
  [40_000, "40 s"],
  [130_000, "2 min"],
  [7_300_000, "2 h"],
  [200_000_000, "2 d"],
  [-5_000, ""],
  [Number.NaN, ""],
])("%d ms last %j", (ms, words) => expect(formatDuration(ms)).toBe(words));

test("only agents that wait for the user are amber", () => {
  const since = "2026-01-01T00:00:00.000Z";
  const now = Date.parse(since) + 41_000;
  expect(describeAgent({ agentType: "codex", state: "waiting", since }, now)).toEqual({
    label: "waits for you · 41 s",
    dot: "wait",
  });
  expect(describeAgent({ agentType: "claude", state: "working", since }, now)).toEqual({
    label: "claude · working 41 s",
    dot: "good",
  });
  expect(describeAgent({ agentType: "claude", state: "error", since }, now)).toMatchObject({
    label: expect.stringContaining("claude · failed"),
    dot: "bad",
  });
  expect(describeAgent({ agentType: "claude", state: "waiting", since, paused: true }, now).dot).toBe("");
});

test.each([
  [{ exitCode: 137, signal: "SIGKILL" }, "ended by SIGKILL"],
  [{ exitCode: 137, signal: null }, "ended, exit code 137"],
  [{ exitCode: 0, signal: null }, "ended, exit code 0"],
  [{ exitCode: 1 }, "ended, exit code 1"],
  [{ exitCode: null, signal: null }, "ended"],
])("how a shell with %j ended", (shell, text) => {
  expect(describeExit(shell)).toBe(text);
});
