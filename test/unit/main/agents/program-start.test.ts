import { expect, test } from "vitest";
import { SessionId } from "../../../../core/protocol/ids.ts";
import type { AgentAdapter } from "../../../../main/agents/adapters/adapter.ts";
import { claudeAdapter } from "../../../../main/agents/adapters/claude.ts";
import { codexAdapter } from "../../../../main/agents/adapters/codex.ts";
import { copilotAdapter } from "../../../../main/agents/adapters/copilot.ts";
import { geminiAdapter } from "../../../../main/agents/adapters/gemini.ts";
import { opencodeAdapter } from "../../../../main/agents/adapters/opencode.ts";
import { qwenAdapter } from "../../../../main/agents/adapters/qwen.ts";
import { programStart, resumeCommand, shellLine } from "../../../../main/agents/program-start.ts";
import type { ProcessInfo } from "../../../../main/system/processes/process-source.ts";
import { paperAgent } from "../../../support/paper-agent.ts";

const ID = "11111111-1111-4111-8111-111111111111";

function processOf(
  argv: readonly string[],
  env: Readonly<Record<string, string>> = {},
  exe = argv[0] ?? "",
): ProcessInfo {
  return {
    ...{ pid: 1, ppid: 0, pgrp: 1, tty: "1", startKey: "1", startedAt: 0, stopped: false, comm: "x" },
    argv: () => argv,
    exe: () => exe,
    exeSize: () => 0,
    cwd: () => "/work",
    env: (name) => env[name],
    openFiles: () => [],
  };
}

const startOf = (adapter: AgentAdapter, process: ProcessInfo) =>
  programStart(adapter, process) ?? expect.unreachable("it has arguments");

test.each([
  [claudeAdapter(), ["--resume", ID]],
  [codexAdapter(), ["resume", ID]],
  [geminiAdapter(), ["--resume", ID]],
  [qwenAdapter(), ["--resume", ID]],
  [opencodeAdapter(), ["-s", ID]],
  [copilotAdapter(), [`--resume=${ID}`]],
])("$kind resumes by its id, with its model", ({ kind, resume }, words) => {
  const form = resume ?? expect.unreachable(`${kind} resumes`);
  expect(resumeCommand(form, { name: kind, args: ["--model", "big"] }, ID)).toEqual({
    words: [kind, ...words, "--model", "big"],
    leftOut: [],
  });
});

test("neither prompts nor the choice of another conversation are repeated, and unknown options are named", () => {
  const { resume = expect.unreachable("claude resumes") } = claudeAdapter();
  const again = (...args: string[]) => {
    const { words, leftOut } = resumeCommand(resume, { name: "claude", args }, ID);
    return [words.slice(3), leftOut];
  };
  expect(again("delete everything")).toEqual([[], []]);
  expect(again("--verbose", "delete everything")).toEqual([["--verbose"], []]);
  expect(again("--", "--model", "big")).toEqual([[], []]);
  expect(again("-c", "go on")).toEqual([[], []]);
  expect(again("--resume", "other", "--model=big")).toEqual([["--model=big"], []]);
  expect(again("--session-id=other", "--fork-session")).toEqual([[], []]);
  expect(again("--add-dir", "/a", "/b", "--mcp-config", "x.json", "-p", "prompt")).toEqual([
    ["--add-dir", "/a", "/b", "--mcp-config", "x.json"],
    ["-p"],
  ]);
  expect(again("--settings", "/data/agent-launchers/claude.json")).toEqual([[], []]);
  expect(again("--append-system-prompt", "two\nlines")).toEqual([[], ["--append-system-prompt"]]);
  expect(again("--model")).toEqual([[], ["--model"]]);
});

test("no value is taken for an option, and no option or prompt for a value", () => {
  const { resume = expect.unreachable("claude resumes") } = claudeAdapter();
  const again = (...words: string[]) => {
    const { args } = startOf(claudeAdapter(), processOf(["claude", ...words]));
    const { words: typed, leftOut } = resumeCommand(resume, { name: "claude", args }, ID);
    return [typed.slice(3), leftOut];
  };
  const mode = ["--permission-mode", "plan"];
  expect(again("--append-system-prompt", "- Never push.", ...mode)).toEqual([
    ["--append-system-prompt", "- Never push.", ...mode],
    [],
  ]);
  const long = "x".repeat(9000);
  expect(again("--append-system-prompt", long, ...mode)).toEqual([mode, ["--append-system-prompt"]]);
  expect(again("--append-system-prompt", long, "fix the bug")).toEqual([[], ["--append-system-prompt"]]);
  expect(again("--unknown", "--dangerously-skip-permissions", ...mode)).toEqual([
    mode,
    ["--unknown", "--dangerously-skip-permissions"],
  ]);
});

test("an agent in which nothing was said starts anew", () => {
  const { resume = expect.unreachable("codex resumes") } = codexAdapter();
  const start = { name: "codex", args: ["resume", "other", "-m", "big", "-c", "a=b"] };
  expect(resumeCommand(resume, start, undefined).words).toEqual(["codex", "-m", "big", "-c", "a=b"]);
});

test("a program in PATH is typed by its name, another one by its path, with the variables of its account", () => {
  const claude = claudeAdapter();
  const env = { PATH: "/usr/bin:/home/ann/.local/bin", CLAUDE_CONFIG_DIR: "/home/ann/other" };
  expect(startOf(claude, processOf(["claude", "--model", "x"], env))).toEqual({
    name: "claude",
    args: ["--model", "x"],
    env: { CLAUDE_CONFIG_DIR: "/home/ann/other" },
  });
  expect(startOf(claude, processOf(["/home/ann/.local/bin/claude"], env)).name).toBe("claude");
  expect(startOf(claude, processOf(["/opt/claude"], env)).name).toBe("/opt/claude");
  expect(startOf(claude, processOf(["./claude"], env)).name).toBe("/work/claude");
  // What acts in a terminal is typed from no name of a folder.
  for (const path of ["./claude", "bin/claude"]) {
    expect(startOf(claude, { ...processOf([path], env), cwd: () => "/work\u0003/x" }).name).toBe("claude");
  }
  const script = ["node", "--no-warnings", "/home/ann/.local/bin/claude", "--verbose"];
  expect(startOf(claude, processOf(script, env, "/usr/bin/node"))).toMatchObject({
    name: "claude",
    args: ["--verbose"],
  });
  const npx = "/home/ann/.npm/_npx/1/node_modules/.bin";
  expect(startOf(claude, processOf([`${npx}/claude`], { PATH: npx })).name).toBe(`${npx}/claude`);
});

test("the home folder is a part of the account where it is another one", () => {
  const start = (home: string | undefined) =>
    startOf(codexAdapter(), processOf(["codex"], home === undefined ? {} : { HOME: home })).env;
  expect(start(process.env.HOME)).toEqual({});
  expect(start("/home/other")).toEqual({ HOME: "/home/other" });
});

test("words are quoted for bash, zsh and fish", () => {
  expect(shellLine(["claude", "--resume", ID], {})).toBe(`claude --resume ${ID}`);
  expect(shellLine(["A=1", "=ls", "%1"], {})).toBe("'A=1' '=ls' '%1'");
  expect(shellLine(["it's", "a\\b", "$HOME", ""], { A: "x y" })).toBe(`env 'A=x y' 'it'"'"'s' 'a'\\\\'b' '$HOME' ''`);
});

test("how a program was started is told once its arguments are there, not while it begins", () => {
  const agent = paperAgent(SessionId.parse("abcdefgh"), 1);
  const { process } = agent.found;
  const show = (argv: readonly string[]) => {
    const seen = { ...process, exe: () => "/opt/qwen", argv: () => argv };
    agent.found = { ...agent.found, process: seen, launched: seen };
    agent.observe();
    return agent.program?.name;
  };
  expect(show([])).toBeUndefined();
  expect(show(["/opt/qwen"])).toBe("/opt/qwen");
  // Later it may call itself something else.
  expect(show(["qwen: idle"])).toBe("/opt/qwen");
});
