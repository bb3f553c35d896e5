import { expect, test } from "vitest";
import { allAdapters } from "../../../../main/agents/adapters/all.ts";
import { qwenAdapter } from "../../../../main/agents/adapters/qwen.ts";
import { findAgents, Recogniser } from "../../../../main/agents/find-agents.ts";
import type { ProcessInfo } from "../../../../main/system/processes/process-source.ts";
import { parseLine } from "../../../../main/system/processes/ps-processes.ts";

interface Look {
  readonly pid: number;
  readonly ppid?: number;
  readonly pgrp?: number;
  readonly comm: string;
  readonly exe: string;
  readonly argv?: readonly string[];
  readonly size?: number;
}

function look({ pid, ppid = 1, pgrp = pid, comm, exe, argv = [comm], size = 200_000_000 }: Look): ProcessInfo {
  return {
    pid,
    ppid,
    pgrp,
    comm,
    tty: "34816",
    startKey: String(pid),
    startedAt: 1000 + pid,
    stopped: false,
    argv: () => argv,
    exe: () => exe,
    exeSize: () => size,
    cwd: () => "/work",
    env: () => undefined,
    openFiles: () => [],
  };
}

function found(...processes: readonly Look[]) {
  const agents = findAgents(processes.map(look), new Recogniser(allAdapters()).recognise);
  return agents.map(({ adapter, process, recognition, launchedAt }) => [
    adapter.kind,
    process.pid,
    recognition,
    launchedAt,
  ]);
}

const node = "/usr/bin/node";

test.each<[string, Look, string | undefined]>([
  [
    "claude from npm",
    { pid: 5, comm: "claude", exe: "/x/node_modules/@anthropic-ai/claude-code/bin/claude.exe" },
    "certain",
  ],
  [
    "claude, installed natively",
    { pid: 5, comm: "claude", exe: "/home/u/.local/share/claude/versions/2.1.329" },
    "certain",
  ],
  ["claude updated while it runs", { pid: 5, comm: "claude", exe: "/opt/bin/claude (deleted)" }, "certain"],
  ["claude 2.0 in Node", { pid: 5, comm: "claude", exe: node, argv: ["claude", "", ""] }, "certain"],
  ["a small program called claude", { pid: 5, comm: "claude", exe: "/tmp/claude", size: 40_000 }, "likely"],
  [
    "a shell script called claude",
    { pid: 5, comm: "claude", exe: "/usr/bin/bash", argv: ["/bin/bash", "./claude"] },
    undefined,
  ],
  ["an editor with a file claude", { pid: 5, comm: "vim", exe: "/usr/bin/vim", argv: ["vim", "claude"] }, undefined],
  [
    "codex",
    { pid: 5, comm: "codex", exe: "/x/@openai/codex-linux-x64/vendor/t/bin/codex", argv: ["codex"] },
    "certain",
  ],
  ["codex's launcher", { pid: 5, comm: "node", exe: node, argv: ["node", "/x/bin/codex"] }, undefined],
  [
    "codex's server",
    { pid: 5, comm: "codex", exe: "/x/@openai/codex/bin/codex", argv: ["codex", "app-server"] },
    undefined,
  ],
  [
    "gemini",
    {
      pid: 5,
      comm: "node",
      exe: node,
      argv: ["node", "--max-old-space-size=9", "/x/@google/gemini-cli/dist/index.js"],
    },
    "certain",
  ],
  [
    "gemini under Node 24",
    { pid: 5, comm: "MainThread", exe: node, argv: ["node", "/x/@google/gemini-cli/bundle/gemini.js"] },
    "certain",
  ],
  ["a script called gemini", { pid: 5, comm: "node", exe: node, argv: ["node", "gemini"] }, "likely"],
  ["a file called gemini", { pid: 5, comm: "cat", exe: "/usr/bin/cat", argv: ["cat", "gemini"] }, undefined],
])("%s", (_, process, recognition) => {
  expect(found(process).map((one) => one[2])).toEqual(recognition === undefined ? [] : [recognition]);
});

test("gemini's two processes are one agent: the inner one, launched with the outer", () => {
  const argv = ["node", "/x/@google/gemini-cli/bundle/gemini.js"];
  const outer = { pid: 5, pgrp: 5, comm: "node", exe: node, argv };
  expect(found(outer, { ...outer, pid: 6, ppid: 5 })).toEqual([["gemini", 6, "certain", 1005]]);
});

test("two agents side by side are two, and those that an agent has started are its own", () => {
  const claude = { comm: "claude", exe: "/x/@anthropic-ai/claude-code/bin/claude.exe" };
  const codex = { comm: "codex", exe: "/x/@openai/codex/bin/codex" };
  const all = [
    { ...claude, pid: 5 },
    { ...codex, pid: 6, ppid: 5 },
    { ...claude, pid: 7, ppid: 6 },
    { ...codex, pid: 8 },
  ];
  const agents = findAgents(all.map(look), new Recogniser(allAdapters()).recognise);
  expect(agents.map(({ adapter, process, startedBy }) => [adapter.kind, process.pid, startedBy])).toEqual([
    ["claude", 5, undefined],
    ["codex", 6, "5/5"],
    ["claude", 7, "6/6"],
    ["codex", 8, undefined],
  ]);
});

test("the agent that `patchbay acp` starts is not another one, nor is what that starts: it counts for all of them", () => {
  const acp = { pid: 5, comm: "node", exe: node, argv: ["node", "/x/dist/cli/main.js", "acp", "claude"] };
  const claude = { comm: "claude", exe: "/x/@anthropic-ai/claude-code/bin/claude.exe", argv: ["claude"] };
  const all = [acp, { ...claude, pid: 6, ppid: 5 }, { ...claude, pid: 7, ppid: 6 }, { ...claude, pid: 8 }];
  expect(found(...all).map(([, pid]) => pid)).toEqual([5, 8]);
});

test("an agent's own program under another name is a tool, not an agent", () => {
  const claude = { comm: "claude", exe: "/home/u/.local/share/claude/versions/2.1.330" };
  const codex = { comm: "codex", exe: "/x/@openai/codex/bin/codex" };
  const all = [
    { ...claude, pid: 5, argv: ["claude"] },
    { ...claude, pid: 6, ppid: 5, argv: ["rg", "--files"] },
    { ...claude, pid: 7, ppid: 5, argv: ["/home/u/.local/bin/claude", "-p", "x"] },
    { ...codex, pid: 8, argv: ["/x/@openai/codex/bin/codex"] },
    { ...codex, pid: 9, ppid: 8, argv: ["codex-linux-sandbox", "--", "ls"] },
  ];
  expect(found(...all).map(([, pid]) => pid)).toEqual([5, 7, 8]);
});

test.each([
  [["codex", "exec", "x"], 1],
  [["codex", "--model", "gpt-5.5", "exec", "x"], 1],
  [["codex"], 0],
  [["codex", "app-server"], 0],
])("codex without a terminal is an agent where it needs none: %j", (argv, agents) => {
  const one = { ...look({ pid: 5, comm: "codex", exe: "/x/@openai/codex/bin/codex", argv }), tty: "" };
  expect(findAgents([one], new Recogniser(allAdapters()).recognise)).toHaveLength(agents);
});

test("a line of ps has what the adapters ask for", () => {
  const line = "  812   801   812 ttys003  S+   Sat Nov 21 03:39:51 2026 /opt/homebrew/bin/codex resume 01a1";
  const process = parseLine(line);
  expect(process).toMatchObject({ pid: 812, ppid: 801, pgrp: 812, tty: "ttys003", comm: "codex", stopped: false });
  expect(process?.argv()).toEqual(["/opt/homebrew/bin/codex", "resume", "01a1"]);
  expect(new Date(process?.startedAt ?? 0).getSeconds()).toBe(51);
  expect(parseLine("nonsense")).toBeUndefined();
});

test("a program that starts itself again is known by its inner process, and by how the outer one was started", () => {
  const script = "/x/node_modules/@qwen-code/qwen-code/cli.js";
  const outer = look({ pid: 5, comm: "node", exe: node, argv: ["node", "/x/node_modules/.bin/qwen", "--yolo"] });
  const inner = look({ pid: 6, ppid: 5, pgrp: 5, comm: "node", exe: node, argv: ["node", "--expose-gc", script] });
  const adapter = qwenAdapter();
  const recognise = () => ({ adapter, recognition: "certain" as const });
  expect(findAgents([outer, inner], recognise)).toEqual([
    expect.objectContaining({ process: inner, launched: outer, launchedAt: outer.startedAt }),
  ]);
});

test("a program that begins is told once its arguments are there", () => {
  const { recognise } = new Recogniser(allAdapters());
  const server = { pid: 7, comm: "codex", exe: "/opt/codex" };
  const now = { startedAt: Date.now() };
  expect(findAgents([{ ...look({ ...server, argv: [] }), ...now }], recognise)).toEqual([]);
  expect(findAgents([{ ...look({ ...server, argv: ["codex", "app-server"] }), ...now }], recognise)).toEqual([]);
  expect(findAgents([{ ...look({ ...server, argv: ["codex"] }), ...now }], recognise)).toHaveLength(1);
});
