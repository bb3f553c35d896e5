import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { AgentEvidence, AgentKind, AgentSession } from "../../core/protocol/agent-records.ts";
import { until } from "../support/until.ts";
import { installOnly } from "./programs.ts";
import { pause, QuestionLab } from "./question-lab.ts";

const Result = <T extends z.ZodType>(of: T) => z.object({ result: of });

/** The real program: its kind is a manifest, with an adapter for its transcripts. */
describe("pi", { timeout: 240_000 }, () => {
  beforeAll(() => installOnly("pi"), 900_000);

  test("is found, tells its turns by its screen, and its tokens are those of the model", async () => {
    await using agent = await QuestionLab.open({ program: "pi", connect: () => undefined });
    await until("the agent", () => agent.agent?.agentType === "pi", 90_000);
    await agent.shows("(auto)", 60_000);
    await pause(3000); // what is typed before its screen is complete is lost
    expect(agent.agent?.state).toBe("idle");

    const states: string[] = [];
    const prompt = async (text: string) => {
      await agent.press(text);
      await pause(500);
      await agent.press("Enter");
      await until("its work", () => agent.agent?.state === "working", 20_000).catch(async (error: unknown) => {
        console.log(await agent.screen(), agent.agent);
        throw error;
      });
      states.push(agent.agent?.reason?.source ?? "");
      await until("the turn's end", () => agent.agent?.state === "idle", 40_000);
    };
    await prompt("Do it. SLOW{4000} RUN{sleep 2; echo seen} SAY{first answer}");
    // Its transcript begins with the first answer, so the screen tells the first turn.
    expect(states).toEqual(["screen"]);
    await until("its session", () => agent.agent?.sessionId !== "", 10_000);
    await prompt("Again. SLOW{3000} SAY{second answer}");

    const { input, output, cached } = agent.truth();
    const used = async () => z.array(AgentSession).parse(await agent.relay.command("getAgentSessions"))[0];
    await until("its tokens", async () => (await used())?.tokenUsage.output === output, 15_000).catch(async () => {
      console.log(await used(), agent.truth());
    });
    expect(await used()).toMatchObject({
      agentType: "pi",
      model: "claude-sonnet-4-6",
      tokenUsage: { input, output, cached },
    });

    const path = `/v1/sessions/${agent.relay.session}/shells/${agent.shell}/agents`;
    const tried = JSON.stringify({ kind: "trial", programs: ["pi"], screen: { working: "no such text" } });
    const told = await agent.relay.request("GET", `${path}?manifest=${encodeURIComponent(tried)}`);
    const [own, trial] = Result(z.array(AgentEvidence)).parse(JSON.parse(told.text)).result;
    expect(own).toMatchObject({
      agentType: "pi",
      state: "idle",
      patterns: [{ name: "screen.working", matches: false }],
    });
    expect(trial).toMatchObject({ agentType: "trial", state: "idle" });
    expect(trial?.reason.detail).toBe("it recognizes the program; no pattern matches");
    const bad = await agent.relay.request("GET", `${path}?manifest=%7B`);
    expect([bad.status, bad.text]).toEqual([400, expect.stringContaining("The manifest is not JSON")]);

    const kinds = await agent.relay.request("GET", "/v1/agent-kinds");
    const listed = Result(z.array(AgentKind)).parse(JSON.parse(kinds.text)).result;
    expect(listed).toContainEqual({ kind: "pi", from: "built-in", used: true });
  });
});
