import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { AgentLab, session, until } from "../integration/main/agents/agent-lab.ts";
import { agentPlace, installOnly } from "./programs.ts";

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

const agents = [
  { kind: "qwen", model: "qwen3-coder-plus", once: "--yolo -p", stay: "--yolo", input: /Type your message/ },
  { kind: "copilot", model: "gpt-5.5", once: "--allow-all-tools -p", stay: "--allow-all-tools", input: /❯|›|>/ },
] as const;

/** The programs that speak OpenAI's chat completions, against a stub of them. */
describe.each(agents)("$kind in a shell", { timeout: 180_000 }, ({ kind, model, once, stay, input }) => {
  let lab: AgentLab;

  beforeAll(() => installOnly(kind), 900_000);
  beforeEach(() => {
    lab = new AgentLab();
  });
  afterEach(() => lab[Symbol.dispose]());

  /** Waits until every answer of the stub is counted, and no token more. */
  async function isCounted(truth: () => { calls: number; input: number; output: number; cached: number }) {
    const counted = () => {
      const { input: given, output, cached } = lab.agents.cost(session).total;
      return { input: given, output, cached };
    };
    await until(
      "the stub's tokens to be counted",
      () => {
        const { calls, output } = truth();
        return calls > 1 && counted().output >= output;
      },
      60_000,
    ).catch((error: unknown) => {
      console.log(JSON.stringify(truth()), JSON.stringify(lab.agents.cost(session)), lab.logged);
      throw error;
    });
    const { calls: _, ...served } = truth();
    expect(counted()).toEqual(served);
    const cost = lab.agents.cost(session, { explain: true });
    console.log(JSON.stringify(truth()), JSON.stringify(cost));
    expect(cost.byModel.map((row) => row.model)).toEqual([model]);
    expect(cost.total.cost).toBeGreaterThan(0);
    expect(cost.total.unpriced).toBeUndefined();
  }

  test("is joined, and its account is what the stub served: one run", async () => {
    const { shell, command, cwd, truth } = await agentPlace(lab, kind);
    lab.agents.start();
    await until("the prompt", () => shell.output().includes("ready> "));
    shell.run(`${command} ${once} 'Look. RUN{touch made} SAY{Fine.}'`);
    await until(`${kind} to be listed`, () => lab.agents.list(session)[0]?.agentType === kind, 30_000);
    await until("the shell's prompt", () => shell.output().replaceAll("\u001b[K", "").endsWith("ready> "), 90_000);
    expect(existsSync(join(cwd, "made"))).toBe(true);
    await isCounted(truth);
    await until("the agent to be gone", () => lab.agents.list(session).length === 0);
    expect(lab.agents.sessions(session)).toMatchObject([{ agentType: kind, model, status: "ended" }]);
  });

  test("is joined, and its account is what the stub served: in its terminal", async () => {
    const { shell, command, cwd, truth } = await agentPlace(lab, kind);
    lab.agents.start();
    await until("the prompt", () => shell.output().includes("ready> "));
    shell.run(`${command} ${stay}`);
    await until("its input", () => input.test(shell.output().split("ready> ").at(-1) ?? ""), 60_000);
    await pause(4000);
    shell.pty.write("Look. RUN{touch made} SAY{Fine.}");
    await pause(500);
    shell.pty.write("\r");
    await until("the command", () => existsSync(join(cwd, "made")), 60_000);
    await isCounted(truth);
    expect(lab.agents.list(session)).toMatchObject([{ agentType: kind, model }]);
    const [run] = lab.agents.sessions(session);
    const events = await lab.agents.events(session, run?.sessionId ?? "");
    expect(events.map(({ type }) => type)).toEqual(
      expect.arrayContaining(["user_message", "tool_call", "tool_result", "assistant_message"]),
    );
  });
});
