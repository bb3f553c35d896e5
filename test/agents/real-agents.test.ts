import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { AgentLab, type LabShell, session, until } from "../integration/main/agents/agent-lab.ts";
import { agentPlace, installPrograms } from "./programs.ts";

/** The real programs against stubs of their APIs. */
const DETECTION_MS = 2000;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

describe("a real agent in a shell", { timeout: 120_000 }, () => {
  let lab: AgentLab;

  beforeAll(installPrograms, 900_000);
  beforeEach(() => {
    lab = new AgentLab();
  });
  afterEach(() => lab[Symbol.dispose]());

  /** Starts the program, which must be listed soon; answers it as first told with a session and a model. */
  async function startsInTime(kind: string, shell: LabShell, command: string) {
    lab.agents.start();
    await until("the prompt", () => shell.output().includes("ready> "));
    const started = Date.now();
    shell.run(command);
    await until(`${kind} to be listed`, () => lab.agents.list(session).length > 0);
    const took = Date.now() - started;
    console.log(`${kind} listed after ${took} ms`);
    expect(took).toBeLessThan(DETECTION_MS);
    const agent = await until("its session and model", () =>
      lab.agents.list(session).find(({ sessionId, model }) => sessionId !== "" && model !== ""),
    );
    expect(agent.agentType).toBe(kind);
    expect(agent.sessionId).toMatch(UUID);
    return agent;
  }

  async function isGoneInTime(shell: LabShell) {
    // The shell clears the rest of the line behind its prompt.
    await until("the shell's prompt", () => shell.output().replaceAll("\u001b[K", "").endsWith("ready> "), 60_000);
    const ended = Date.now();
    await until("the agent to be gone", () => lab.agents.list(session).length === 0);
    console.log(`gone after ${Date.now() - ended} ms`);
    expect(Date.now() - ended).toBeLessThan(DETECTION_MS);
    await until("agent.ended", () => lab.changes.some(({ type }) => type === "agent.ended"));
  }

  test("claude", async () => {
    const { shell, command, truth } = await agentPlace(lab, "claude");
    await startsInTime("claude", shell, `${command} --model claude-sonnet-4-6 --permission-mode default`);
    await until("the input", () => /idle|waiting/.test(lab.agents.list(session)[0]?.state ?? ""));
    await new Promise((resolve) => setTimeout(resolve, 1500));
    shell.pty.write("Do it. ASK{touch made-by-stub} SAY{Finished the turn.}");
    await new Promise((resolve) => setTimeout(resolve, 300));
    shell.pty.write("\r");
    await until("the permission request", () => lab.agents.list(session)[0]?.state === "waiting");
    await new Promise((resolve) => setTimeout(resolve, 500));
    shell.pty.write("\r");
    await until("the end of the turn", () => {
      const { calls, output } = truth();
      const counted = lab.agents.cost(session).total.output;
      return calls > 1 && counted === output && lab.agents.list(session)[0]?.state === "idle";
    });
    const cost = lab.agents.cost(session, { explain: true });
    console.log(JSON.stringify(cost), JSON.stringify(lab.agents.list(session)));
    expect(cost.byModel.map(({ model }) => model)).toEqual(["claude-sonnet-4-6"]);
    const [run] = lab.agents.sessions(session);
    const events = await lab.agents.events(session, run?.sessionId ?? "");
    expect(events.map(({ type }) => type)).toEqual(
      expect.arrayContaining(["user_message", "permission_request", "tool_call", "tool_result", "assistant_message"]),
    );
    shell.pty.write("/exit");
    await new Promise((resolve) => setTimeout(resolve, 300));
    shell.pty.write("\r");
    await isGoneInTime(shell);
    expect(lab.agents.sessions(session)).toMatchObject([{ sessionId: run?.sessionId, status: "ended" }]);
    expect(lab.agents.cost(session).total).toEqual(cost.total);
  });

  test.each([["exec"], ["tui"]])("codex (%s)", async (mode) => {
    const { shell, command } = await agentPlace(lab, "codex", "proj-c");
    const words = mode === "exec" ? `exec 'Look. RUN{sleep 3} SAY{Done.}'` : "";
    const agent = await startsInTime("codex", shell, `${command} ${words}`);
    if (mode === "tui") {
      await new Promise((resolve) => setTimeout(resolve, 2000));
      shell.pty.write("Look. RUN{echo hi} SAY{Done.}");
      await new Promise((resolve) => setTimeout(resolve, 500));
      shell.pty.write("\r");
    }
    await until("two answers", () => lab.agents.cost(session).total.output > 80, 40_000).catch((error: unknown) => {
      console.log(shell.output().slice(-3000), JSON.stringify(lab.agents.list(session)));
      throw error;
    });
    if (mode === "tui") {
      await until("the end of the turn", () => lab.agents.list(session)[0]?.state === "idle");
      shell.pty.write("\x03");
      await new Promise((resolve) => setTimeout(resolve, 500));
      shell.pty.write("\x03");
    }
    await isGoneInTime(shell);
    console.log(
      JSON.stringify(lab.agents.sessions(session)),
      JSON.stringify(lab.changes.map(({ type, agent: { state } }) => `${type}:${state}`)),
    );
    expect(lab.agents.sessions(session)).toMatchObject([
      { sessionId: agent.sessionId, model: "gpt-5.5", status: "ended" },
    ]);
  });

  test("gemini", async () => {
    const { shell, command } = await agentPlace(lab, "gemini", "proj-g");
    const words = `-m gemini-2.5-pro --approval-mode yolo -p 'Look. RUN{sleep 3} SAY{Done.}'`;
    const agent = await startsInTime("gemini", shell, `${command} ${words}`);
    await until("two answers", () => lab.agents.cost(session).total.output > 80, 40_000);
    await isGoneInTime(shell);
    console.log(
      JSON.stringify(lab.agents.sessions(session)),
      JSON.stringify(lab.changes.map(({ type, agent: { state } }) => `${type}:${state}`)),
    );
    expect(lab.agents.sessions(session)).toMatchObject([
      { sessionId: agent.sessionId, model: "gemini-2.5-pro", status: "ended" },
    ]);
  });
});
