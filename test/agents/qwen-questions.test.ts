import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { answer } from "../support/agent-questions.ts";
import { until } from "../support/until.ts";
import { installOnly } from "./programs.ts";
import { pause, QuestionLab, RACE_MS, RACES, refusalOf } from "./question-lab.ts";

/** The real program in a shell of a real relay. It has no hook and no title: its screen alone shows that it asks. */
describe("questions of qwen", { timeout: 180_000 + RACES * RACE_MS }, () => {
  let agent: QuestionLab;

  beforeAll(() => installOnly("qwen"), 900_000);
  beforeEach(async () => {
    agent = await QuestionLab.open({ program: "qwen", connect: () => {} });
    await agent.shows("Type your message", 60_000);
    await pause(2000); // what is typed before its screen is complete is lost
  });
  afterEach(() => agent[Symbol.asyncDispose]());

  test("a dialog is a question, and Escape ends the turn", async () => {
    const first = await agent.asks("Do it. RUN{touch made-one} SAY{Done.}", "screen");
    expect(first).toMatchObject({ agentType: "qwen", source: "screen" });
    const yes = first.options.find(({ label }) => /^Yes/.test(label));
    expect((await answer(agent.relay, first.id, { option: yes?.id ?? "", confirmScreen: true })).status).toBe(200);
    await until("the file", () => existsSync(join(agent.cwd, "made-one")), 30_000);
    await agent.idle();
    await agent.asks("Do it. RUN{touch made-two} SAY{Done.}", "screen");
    await agent.press("Escape");
    await agent.idle();
    expect(existsSync(join(agent.cwd, "made-two"))).toBe(false);
  });

  test("an answer over HTTP and a key race for one question", async () => {
    for (let round = 1; round <= RACES; round++) {
      const made = `raced-${round}`;
      const question = await agent.asks(`Do it. RUN{touch ${made}} SAY{Done.}`, "screen");
      await agent.race({ question, key: "1", refusal: refusalOf(question), leadMs: 80 * ((round % 11) - 9), made });
    }
    expect(agent.relay.errors).toEqual([]);
  });
});
