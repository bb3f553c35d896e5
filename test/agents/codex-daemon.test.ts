import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { AgentSession } from "../../core/protocol/agent-records.ts";
import { AgentConnections } from "../../main/system/agent-connections.ts";
import { Answered, answer } from "../support/agent-questions.ts";
import { until } from "../support/until.ts";
import { installOnly } from "./programs.ts";
import { pause, QuestionLab } from "./question-lab.ts";

/** In its default mode a daemon of Codex works on when the terminal has ended. */
describe("a turn without its terminal", { timeout: 180_000 }, () => {
  let agent: QuestionLab;

  beforeAll(() => installOnly("codex"), 900_000);
  afterEach(() => agent[Symbol.asyncDispose]());

  async function opened(words: string): Promise<void> {
    agent = await QuestionLab.open({
      program: "codex",
      words,
      connect: ({ home }) => new AgentConnections(home).set("codex", { homes: [join(home, ".codex")], folders: [] }),
    });
    await agent.joined();
    await agent.shows("›", 30_000);
    await pause(3000); // what is typed before its screen is complete is lost
  }

  const sessions = async () => z.array(AgentSession).parse(await agent.relay.command("getAgentSessions"));
  const details = () =>
    agent.client.events.flatMap(({ type, data }) => (type === "agent.detached" ? [data.state] : []));

  async function prompt(text: string): Promise<void> {
    await agent.press(text);
    await pause(500);
    await agent.press("Enter");
    await until("its work", () => agent.agent?.state === "working", 30_000);
    await pause(1500);
  }

  test("is listed, counted and stopped, also when its shell was closed", async () => {
    await opened("-a never -s danger-full-access");
    await prompt("Do it. RUN{sleep 6; touch made-one} RUN{sleep 60; touch made-two} SAY{Done.}");
    await agent.relay.command("closeShell", { id: agent.shell });
    await until("the turn without a terminal", async () => (await sessions())[0]?.detached, 10_000);
    expect(await sessions()).toMatchObject([{ status: "working", shellId: agent.shell }]);
    await until("the first file", () => existsSync(join(agent.cwd, "made-one")), 30_000);
    const used = async () => (await sessions())[0]?.tokenUsage;
    const { input, output, cached } = await until("the second call", () =>
      agent.truth().calls > 1 ? agent.truth() : undefined,
    );
    await until("its tokens", async () => (await used())?.output === output);
    expect(await used()).toMatchObject({ input, output, cached });

    const [{ sessionId } = { sessionId: "" }] = await sessions();
    const path = `/v1/sessions/${agent.relay.session}/agent-sessions/${sessionId}/stop`;
    const stopped = await agent.relay.request("POST", path, { body: {} });
    expect([stopped.status, stopped.text]).toEqual([200, expect.stringContaining(sessionId)]);
    await until("the end", async () => (await sessions())[0]?.status === "ended", 15_000);
    expect((await sessions())[0]?.detached).toBeUndefined();
    expect(details().at(-1)).toBe("ended");
    expect(await agent.relay.request("POST", path, { body: {} })).toMatchObject({ status: 400 });
    expect(existsSync(join(agent.cwd, "made-two"))).toBe(false);
  });

  test("asks in the shell that it had, and is answered there", async () => {
    await opened("");
    await prompt("Do it. ASK{sleep 8} ASK{touch made-one} SAY{Done.}");
    const first = await until("the first question", () => agent.opened()[0], 30_000);
    await answer(agent.relay, first.id, { option: "yes", wait: 15 });
    process.kill(terminalOf(agent.home), "SIGKILL");
    await until("the turn without a terminal", async () => (await sessions())[0]?.detached, 10_000);
    const question = await until("the next question", () => agent.opened()[1], 30_000);
    expect(question).toMatchObject({ shellId: agent.shell, source: "protocol", answerable: true });
    const given = await answer(agent.relay, question.id, { option: "yes", wait: 15 });
    expect(Answered.parse(JSON.parse(given.text)).result.receipt).toMatchObject({ state: "confirmed" });
    await until("the file", () => existsSync(join(agent.cwd, "made-one")), 15_000);
    await until("the end", async () => (await sessions())[0]?.status === "ended", 40_000);
    const { input, output } = agent.truth();
    expect((await sessions())[0]?.tokenUsage).toMatchObject({ input, output });
  });
});

/** The program of the terminal, which unlike its daemon has one. */
function terminalOf(home: string): number {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  const found = pids.find((pid) => {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
      const [, , , , tty] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      const isOwn = readFileSync(`/proc/${pid}/environ`, "utf8").includes(`HOME=${home}\0`);
      return isOwn && tty !== "0" && stat.includes("(codex)");
    } catch {
      return false;
    }
  });
  return Number(found);
}
