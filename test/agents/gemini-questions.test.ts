import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { geminiHooks, geminiSettingsFile, planConnect } from "../../cli/connect/agent-settings.ts";
import type { Question } from "../../core/protocol/questions.ts";
import { HOOK_SCRIPT_NAME, hookScript } from "../../main/agents/hooks/hook-script.ts";
import { Answered, answer } from "../support/agent-questions.ts";
import { until } from "../support/until.ts";
import { installOnly } from "./programs.ts";
import { pause, QuestionLab, RACE_MS, RACES, refusalOf, TYPING_MS } from "./question-lab.ts";

/** The real program in a shell of a real relay, connected by its hooks. */
describe("questions of gemini", { timeout: 180_000 + RACES * RACE_MS }, () => {
  let agent: QuestionLab;

  beforeAll(() => installOnly("gemini"), 900_000);
  beforeEach(async () => {
    agent = await QuestionLab.open({
      program: "gemini",
      connect({ home, cwd, relay }) {
        writeFileSync(join(relay.folder, HOOK_SCRIPT_NAME), hookScript);
        planConnect(geminiSettingsFile("user", { env: { HOME: home }, cwd }), { hooks: geminiHooks }).apply();
      },
    });
    await agent.shows("Type your message", 60_000);
    await pause(2000); // what is typed before its screen is complete is lost
  });
  afterEach(() => agent[Symbol.asyncDispose]());

  /** Sends a prompt; resolves to the question that follows, with the options of its dialog. */
  async function asks(prompt: string): Promise<Question> {
    const question = await agent.asks(prompt, "hook");
    await until("its dialog", () => agent.kept(question.id)?.answerable);
    return agent.kept(question.id) ?? question;
  }

  test("answered over HTTP and by the terminal, which closes it", async () => {
    const first = await asks("Do it. RUN{touch made-one} SAY{Done.}");
    console.log("question", JSON.stringify(first));
    expect(first).toMatchObject({ shellId: agent.shell, agentType: "gemini", source: "hook", confidence: "high" });
    expect(first).toMatchObject({ title: "Run: touch made-one", detail: { command: "touch made-one" } });
    const waiting = await agent.client.event("agent.waiting");
    expect(Date.parse(first.askedAt) - Date.parse(waiting.data.since ?? "")).toBeLessThan(1000);
    expect((await answer(agent.relay, first.id, { option: "1" })).status).toBe(409);
    const given = await answer(agent.relay, first.id, { option: "1", confirmScreen: true, wait: 15 });
    expect(Answered.parse(JSON.parse(given.text)).result.receipt).toMatchObject({ state: "confirmed" });
    await until("the file", () => existsSync(join(agent.cwd, "made-one")));
    await agent.idle();

    const second = await asks("Do it. RUN{touch made-two} SAY{Done.}");
    await agent.press("1");
    expect(await agent.ended(second.id)).toMatchObject({ state: "answered", answeredBy: { kind: "terminal" } });
    await until("the file", () => existsSync(join(agent.cwd, "made-two")));
    await agent.idle();

    const third = await asks("Do it. RUN{touch made-three} SAY{Done.}");
    await agent.press("Escape");
    expect(await agent.ended(third.id)).toMatchObject({ state: "answered", answeredBy: { kind: "terminal" } });
    expect(existsSync(join(agent.cwd, "made-three"))).toBe(false);
    expect(agent.opened().filter(({ source }) => source === "hook")).toHaveLength(3);
    expect(agent.relay.errors).toEqual([]);
  });

  test("an answer over HTTP and a key race for one question", async () => {
    for (let round = 1; round <= RACES; round++) {
      const made = `raced-${round}`;
      const question = await asks(`Do it. RUN{touch ${made}} SAY{Done.}`);
      const race = { question, key: "1", refusal: refusalOf(question), leadMs: 80 * ((round % 11) - 9), made };
      if (await agent.race(race)) continue;
      // A refusal stops the turn, and the program asks the model about that prompt again with the next one. A key that was
      // too late stands in its input.
      await agent.press("ctrl+u", "/clear");
      await pause(TYPING_MS);
      await agent.press("Enter");
      await until("an empty conversation", async () => !(await agent.screen()).includes(made));
      await pause(2000); // it takes no Enter for a moment
    }
    expect(agent.relay.errors).toEqual([]);
  });

  test("the end of the agent withdraws it", async () => {
    const question = await asks("Do it. RUN{touch made-one} SAY{Done.}");
    await agent.relay.command("closeShell", { id: agent.shell });
    expect(await agent.ended(question.id)).toMatchObject({ state: "withdrawn" });
  });
});
