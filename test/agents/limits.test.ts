import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { claudeSettingsFile, planConnect } from "../../cli/connect/agent-settings.ts";
import type { ShellId } from "../../core/protocol/ids.ts";
import { HOOK_SCRIPT_NAME, hookScript } from "../../main/agents/hooks/hook-script.ts";
import { AgentLab } from "../integration/main/agents/agent-lab.ts";
import { until } from "../support/until.ts";
import { startWatchingRelay } from "../support/watching-relay.ts";
import { type AgentProgram, agentPlace, installOnly } from "./programs.ts";

beforeAll(() => installOnly("claude", "codex"), 900_000);
afterEach(() => vi.unstubAllEnvs());

/** The real program in a shell of a real relay, after its answer to one prompt. */
async function answeredAgent(program: AgentProgram, words: string) {
  const lab = new AgentLab();
  const place = await agentPlace(lab, program);
  const relay = await startWatchingRelay({ home: lab.home, undo: lab.undo, env: place.env });
  writeFileSync(join(relay.folder, HOOK_SCRIPT_NAME), hookScript);
  const settings = claudeSettingsFile("user", { env: { HOME: lab.home }, cwd: place.cwd });
  planConnect(settings, { statusLine: true }).apply();
  const client = await relay.join();
  const { shellId: shell } = await relay.command<{ shellId: ShellId }>("createShell", { cwd: place.cwd });
  await relay.command("sendKeys", { id: shell, keys: [`${place.command} ${words}`, "Enter"] });
  const { sends, state } = relay.relay.sessions.get(relay.session);
  await until("the agent", () => state.now.agents.length > 0, 30_000);
  const account = `key ${relay.relay.user}`;
  const sender = { account, name: "test", isAutomated: false, byAgent: false, restrictsShell: false };
  const prompt = { text: "Say it\nin two lines. SAY{Done.}", when: "idle", guard: true, expiresIn: 60 } as const;
  const { id } = sends.send(shell, prompt, sender);
  await until("the turn", () => sends.get(id).state === "started", 60_000);
  return {
    agent: () => state.now.agents[0],
    windows: async () => JSON.parse((await relay.request("GET", "/v1/usage/windows")).text).result,
    async [Symbol.asyncDispose]() {
      await client[Symbol.asyncDispose]();
      await relay[Symbol.asyncDispose]();
      lab[Symbol.dispose]();
    },
  };
}

test("the real Codex reports its windows and its context in its transcript", { timeout: 180_000 }, async () => {
  const reset = Math.floor(Date.now() / 1000) + 3600;
  const headers = {
    "x-codex-primary-used-percent": "42.5",
    "x-codex-primary-window-minutes": "300",
    "x-codex-primary-reset-at": String(reset),
    "x-codex-secondary-used-percent": "7",
    "x-codex-secondary-window-minutes": "10080",
    "x-codex-secondary-reset-at": String(reset),
  };
  vi.stubEnv("STUB_HEADERS", JSON.stringify(headers));
  await using codex = await answeredAgent("codex", "");
  await until("the windows", () => codex.agent()?.windows?.length === 2, 30_000);
  expect(codex.agent()?.windows).toMatchObject([
    { window: "5h", usedPercent: 42.5, resetsAt: new Date(reset * 1000).toISOString() },
    { window: "week", usedPercent: 7 },
  ]);
  expect(await codex.windows()).toMatchObject([{ agentType: "codex" }, { agentType: "codex" }]);
  expect(codex.agent()?.context).toEqual({ used: expect.any(Number), size: expect.any(Number) });
});

test("the real Claude Code reports the size of its context by its status line", { timeout: 180_000 }, async () => {
  await using claude = await answeredAgent("claude", "--model claude-sonnet-4-6 --permission-mode default");
  await until("the context", () => claude.agent()?.context?.size !== undefined, 30_000);
  expect(claude.agent()?.context?.size).toBeGreaterThanOrEqual(200_000);
  expect(claude.agent()?.context?.used).toBeGreaterThan(0);
  // With an API key there are no windows.
  expect(await claude.windows()).toEqual([]);
});
