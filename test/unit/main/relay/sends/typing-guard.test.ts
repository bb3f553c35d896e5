import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Agent } from "../../../../../core/protocol/agent-records.ts";
import type { ShellId } from "../../../../../core/protocol/ids.ts";
import type { ShellCallResult } from "../../../../../core/protocol/shell-host.ts";
import { describeLease, Leases } from "../../../../../main/relay/sends/leases.ts";
import { erasesLine, guardingOf, TypingGuard } from "../../../../../main/relay/sends/typing-guard.ts";

const [SHELL, OTHER] = [1 as ShellId, 2 as ShellId];
const writer = (name: string, shell?: ShellId) => ({ account: name, name, isAutomated: true, ...(shell && { shell }) });

let leases: Leases;
let guard: TypingGuard;
let isQuestionOpen: boolean;
let agents: Agent[];
let info: Partial<ShellCallResult<"info">>;
let asked: unknown[];
beforeEach(() => {
  [isQuestionOpen, agents, info, asked] = [false, [], { command: "/bin/bash" }, []];
  leases = new Leases(() => undefined);
  guard = new TypingGuard({
    leases,
    isQuestionOpen: (shell) => isQuestionOpen && shell === SHELL,
    agents: () => agents,
    isAgentType: (name) => name === "claude" || name === "codex",
    info: async (...given) => {
      asked.push(given);
      return info as ShellCallResult<"info">;
    },
  });
});
afterEach(() => leases[Symbol.dispose]());

const agent = (parts: Partial<Agent> = {}): Agent => ({
  ...{ shellId: SHELL, agentType: "claude", model: "m", sessionId: "a", state: "idle" },
  tokenUsage: { input: 0, output: 0, cached: 0, cost: 0 },
  ...parts,
});
const input = { shell: SHELL, account: "bot" };

describe("how a write is guarded", () => {
  const bot = writer("bot");
  const person = { ...bot, isAutomated: false };
  test.each([
    ["as a program's, by default", undefined, undefined, bot, "default"],
    ["not in the program's own shell", undefined, undefined, writer("bot", SHELL), "none"],
    ["in another shell of a program's", undefined, undefined, writer("bot", OTHER), "default"],
    ["not for a person", undefined, undefined, person, "none"],
    ["with a program that is expected", undefined, "claude", person, "explicit"],
    ["as it is wished", true, undefined, writer("bot", SHELL), "explicit"],
    ["as it is wished, in any case", false, "claude", bot, "none"],
  ])("%s", (_how, wish, expected, by, guarding) => {
    expect(guardingOf(wish, { expect: expected, writer: by, shell: SHELL })).toBe(guarding);
  });
});

test.each([
  ["\u0015", true],
  ["\u0015\u0015", true],
  ["", false],
  ["\u0015x", false],
  ["x", false],
])("the input %j erases the line alone: %j", (text, erases) => {
  expect(erasesLine(text)).toBe(erases);
});

describe("what a person has typed", () => {
  test("is in the way until the line is sent, and ends the lease of a program", () => {
    leases.take(SHELL, writer("other"), 60);
    expect(guard.keys(SHELL)).toBe(0);
    expect(guard.personTyped(SHELL, "x")).toBe(true);
    expect([guard.keys(SHELL), leases.of(SHELL)]).toEqual([1, undefined]);
    expect(guard.obstacle(input)).toEqual({
      reason: "draft_unsent",
      why: "a text stands in the input of shell 1 that was not sent",
    });
    expect(guard.obstacle({ ...input, shell: OTHER })).toBeUndefined();
    guard.personTyped(SHELL, "\r");
    expect([guard.keys(SHELL), guard.obstacle(input)]).toEqual([2, undefined]);
  });

  test("is not erased by a program, nor with what a prompt has left", () => {
    guard.personTyped(SHELL, "x");
    guard.programErased(SHELL);
    expect(guard.obstacle({ ...input, erases: true })).toMatchObject({ reason: "draft_unsent" });
    guard.promptLeft(SHELL, 7);
    guard.personTyped(SHELL, "y");
    expect(guard.obstacle({ ...input, erases: true })).toMatchObject({ reason: "draft_unsent" });
  });

  test("is gone at the shell's next prompt; at a program's end only where the shell marks none", () => {
    guard.personTyped(SHELL, "x");
    guard.programEnded(SHELL);
    expect(guard.obstacle(input)).toBeUndefined();
    guard.personTyped(SHELL, "x");
    guard.promptShown(SHELL);
    expect(guard.obstacle(input)).toBeUndefined();
    guard.personTyped(SHELL, "x");
    guard.programEnded(SHELL);
    expect(guard.obstacle(input)).toBeDefined();
    guard.shellEnded(SHELL);
    expect([guard.obstacle(input), guard.keys(SHELL)]).toEqual([undefined, 0]);
    guard.personTyped(SHELL, "x");
    guard.programEnded(SHELL);
    expect(guard.obstacle(input)).toBeUndefined();
  });

  test("a client's input is known by its time, until the shell ends", () => {
    vi.useFakeTimers({ now: 5_000 });
    try {
      guard.clientTyped(SHELL);
      expect([guard.lastInputAt(SHELL), guard.lastInputAt(OTHER)]).toEqual([5_000, 0]);
      guard.shellEnded(SHELL);
      expect(guard.lastInputAt(SHELL)).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe("what a prompt has left in the input", () => {
  test("is in the way of other input, but not of its erasing", () => {
    guard.promptLeft(SHELL, 7);
    expect(guard.obstacle(input)).toMatchObject({ reason: "draft_unsent" });
    expect(guard.obstacle({ ...input, erases: true })).toBeUndefined();
    guard.programErased(SHELL);
    expect(guard.obstacle(input)).toBeUndefined();
  });

  test("is gone when the agent has taken that prompt", () => {
    guard.promptLeft(SHELL, 7);
    guard.promptTaken(SHELL, 6);
    expect(guard.obstacle(input)).toBeDefined();
    guard.promptTaken(SHELL, 7);
    expect(guard.obstacle(input)).toBeUndefined();
  });
});

describe("what is in the way", () => {
  test("is first an open question", () => {
    isQuestionOpen = true;
    guard.personTyped(SHELL, "x");
    expect(guard.obstacle(input)).toEqual({
      reason: "question_open",
      why: "a question of an agent is open in shell 1, and only a person may answer it",
    });
  });

  test("is a lease of another caller, and any lease for a caller that is no program", () => {
    leases.take(SHELL, writer("bot"), 60);
    const lease = leases.of(SHELL);
    if (lease === undefined) throw new Error("no lease");
    const held = { reason: "lease_held", why: describeLease(SHELL, lease) };
    expect(guard.obstacle(input)).toBeUndefined();
    expect(guard.obstacle({ ...input, account: "other" })).toEqual(held);
    expect(guard.obstacle({ ...input, account: undefined })).toEqual(held);
  });

  test("is another prompt that is being written, until that ends", () => {
    const end = guard.write(SHELL, 3);
    expect(guard.obstacle({ ...input, prompt: 3 })).toBeUndefined();
    expect(guard.obstacle(input)).toEqual({ reason: "lease_held", why: "prompt 3 is being written in shell 1" });
    const next = guard.write(SHELL, 4);
    end();
    expect(guard.obstacle({ ...input, prompt: 3 })).toMatchObject({ why: "prompt 4 is being written in shell 1" });
    next();
    expect(guard.obstacle(input)).toBeUndefined();
  });
});

describe("a look at the terminal", () => {
  const found = (more: object = {}) => guard.inspect({ ...input, ...more });

  test("finds an agent that waits for an answer, unless it is in the background", async () => {
    agents = [agent({ shellId: OTHER, state: "waiting" }), agent({ state: "waiting", paused: true })];
    expect(await found()).toBeUndefined();
    agents = [agent({ state: "waiting" })];
    expect(await found()).toEqual({ reason: "question_open", why: "claude waits for an answer in shell 1" });
  });

  test.each<[string, string, object, Partial<Agent> | undefined, string | undefined]>([
    ["the prompt", "shell", { atPrompt: true }, undefined, undefined],
    ["the shell itself, where it marks no prompts", "shell", { foreground: "bash" }, undefined, undefined],
    ["another program than the shell", "shell", { foreground: "vim" }, undefined, "vim"],
    [
      "a program, where the shell marks its prompts",
      "shell",
      { atPrompt: false, foreground: "bash" },
      undefined,
      "bash",
    ],
    ["an agent of that kind", "claude", { atPrompt: false }, {}, undefined],
    ["an agent of that kind, of a shell that marks no prompts", "claude", {}, {}, undefined],
    ["an agent of another kind", "codex", { foreground: "claude" }, {}, "claude"],
    ["an agent in a pane of tmux", "claude", { foreground: "tmux" }, { inPane: true }, "tmux"],
    ["an agent that has just ended", "claude", { atPrompt: true }, {}, "the shell's prompt"],
    ["no agent", "claude", {}, undefined, "no known program"],
    ["a program that fits", "vi.*", { matches: true }, undefined, undefined],
    ["a program that does not fit", "vi.*", { matches: false, foreground: "top" }, undefined, "top"],
    ["a program of which that is not known", "vi.*", {}, undefined, "no known program"],
  ])("finds %s where %j is expected with %j", async (_what, expected, shown, inFront, front) => {
    info = { ...info, ...shown };
    agents = inFront === undefined ? [] : [agent(inFront)];
    const obstacle = await found({ expect: expected });
    const why = `expected ${expected} in front in shell 1, found ${front}`;
    expect(obstacle).toEqual(front === undefined ? undefined : { reason: "unexpected_program", why });
  });

  test("asks the shell host for a pattern only, under the caller's account", async () => {
    info = { ...info, matches: true, atPrompt: true };
    for (const expected of ["vi.*", "shell", "claude", null, undefined]) await found({ expect: expected });
    await guard.inspect({ shell: SHELL, account: undefined, expect: "vi.*" });
    expect(asked).toEqual([
      [SHELL, { pattern: "vi.*", caller: "expect bot" }],
      ...Array.from({ length: 4 }, () => [SHELL, undefined]),
      [SHELL, { pattern: "vi.*", caller: "expect " }],
    ]);
  });

  test("finds a program on the alternate screen, which would take a line that is meant for a shell", async () => {
    info = { ...info, alternateScreen: true, atPrompt: true, foreground: "less" };
    const obstacle = (program: string) => ({
      reason: "terminal_mode",
      why: `${program} draws on the alternate screen in shell 1, so a line would not reach a shell`,
    });
    expect(await found({ isLine: true })).toEqual(obstacle("less"));
    expect(await found({ isLine: true, expect: null })).toEqual(obstacle("less"));
    expect(await found({ expect: "shell" })).toEqual(obstacle("less"));
    expect(await found()).toBeUndefined();
    info = { ...info, matches: true };
    expect(await found({ isLine: true, expect: "less" })).toBeUndefined();
    agents = [agent()];
    expect(await found({ isLine: true })).toBeUndefined();
    agents = [];
    const { foreground: _, ...unknown } = info;
    info = unknown;
    expect(await found({ isLine: true })).toEqual(obstacle("a program"));
    info = { ...info, alternateScreen: false };
    expect(await found({ isLine: true })).toBeUndefined();
  });

  test("finds what has come in the way meanwhile", async () => {
    const looking = found();
    guard.personTyped(SHELL, "x");
    expect(await looking).toMatchObject({ reason: "draft_unsent" });
  });
});

describe("a write", () => {
  test("is refused with the reason, as far as it is guarded", async () => {
    info = { ...info, foreground: "vim" };
    const unexpected = { ...input, expect: "shell" };
    await guard.check("none", unexpected);
    await guard.check("default", unexpected);
    expect(asked).toEqual([]);
    await expect(guard.check("explicit", unexpected)).rejects.toMatchObject({
      code: "unexpected_program",
      message: "Expected shell in front in shell 1, found vim: nothing was written.",
    });
    guard.personTyped(SHELL, "x");
    await guard.check("none", input);
    await expect(guard.check("default", input)).rejects.toMatchObject({
      code: "draft_unsent",
      message: "A text stands in the input of shell 1 that was not sent: nothing was written.",
    });
  });
});
