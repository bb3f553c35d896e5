import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { AgentLab, session, until } from "../integration/main/agents/agent-lab.ts";
import { type AgentProgram, agentPlace, installPrograms } from "./programs.ts";

let lab: AgentLab;
beforeAll(installPrograms, 900_000);
beforeEach(() => {
  lab = new AgentLab();
});
afterEach(() => lab[Symbol.dispose]());

const agent = () => lab.agents.list(session)[0];

const failures: readonly (readonly [AgentProgram, string, number, RegExp])[] = [
  ["claude", "--model claude-haiku-4-5", 529, /529|overloaded/i],
  ["claude", "--model claude-haiku-4-5", 400, /400/],
  ["codex", "--no-daemon", 429, /429|limit|stub/i],
  ["codex", "", 400, /400/],
];

test.each(failures)("%s %s, whose API answers %d, has failed, says why, and works again when asked", async (...row) => {
  const [program, options, status, message] = row;
  const { shell, command } = await agentPlace(lab, program);
  lab.agents.start();
  await until("the prompt", () => shell.output().includes("ready> "));
  shell.run(`${command} ${options}`);
  await until("the agent's session", () => agent()?.sessionId || undefined);
  await until("its input", () => agent()?.state === "idle");
  await delay(2500); // what is typed before its screen is complete is lost
  const type = async (text: string) => {
    shell.pty.write(text);
    await delay(500);
    shell.pty.write("\r");
  };
  await type(`Break. FAIL{${status}}`);
  await until("the error", () => agent()?.state === "error", 60_000);
  // Codex writes why into its transcript only, a moment after its report.
  expect(await until("its message", () => agent()?.message)).toMatch(message);
  const told = () => lab.changes.map(({ type: kind, agent: { state } }) => `${kind} ${state}`);
  expect(told()).toContain("agent.updated error");
  await delay(2000); // stays, until the agent says something else
  expect(agent()?.state).toBe("error");
  const before = lab.changes.length;
  shell.pty.write("\u001b");
  await delay(500);
  await type("Again. SLOW{1500} SAY{fine}");
  await until("work", () => lab.changes.slice(before).some(({ agent: { state } }) => state === "working"), 30_000);
});
