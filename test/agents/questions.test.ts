import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { claudeSettingsFile, planConnect } from "../../cli/connect/agent-settings.ts";
import { HOOK_SCRIPT_NAME, hookScript } from "../../main/agents/hooks/hook-script.ts";
import { Answered, answer } from "../support/agent-questions.ts";
import { until } from "../support/until.ts";
import { claudeDecisions, claudeRecords } from "./claude-decisions.ts";
import { type AgentProgram, installOnly } from "./programs.ts";
import { pause, QuestionLab, RACE_MS, RACES } from "./question-lab.ts";

/** The real program in a shell of a real relay, connected by its hooks; `npm run test:agents` installs it. */
describe.each<[AgentProgram]>([["claude"], ["claude-2.1.197"]])(
  "questions of %s",
  { timeout: 120_000 + RACES * RACE_MS },
  (program) => {
    let agent: QuestionLab;

    beforeAll(() => installOnly(program), 900_000);
    beforeEach(async () => {
      agent = await QuestionLab.open({
        program,
        words: "--model claude-sonnet-4-6 --permission-mode default",
        connect({ home, cwd, relay }) {
          writeFileSync(join(relay.folder, HOOK_SCRIPT_NAME), hookScript);
          planConnect(claudeSettingsFile("user", { env: { HOME: home }, cwd })).apply();
        },
      });
      await agent.joined(30_000);
      await pause(2000);
    });
    afterEach(() => agent[Symbol.asyncDispose]());

    const decisions = (word: string) => claudeDecisions(agent.home, word);

    test("answered over HTTP, by the terminal, refused in words, and raced: one decision each", async () => {
      const first = await agent.asks("Do it. ASK{touch made-one} SAY{Done.}");
      const waiting = await agent.client.event("agent.waiting");
      console.log("question", JSON.stringify({ ...first, options: first.options.map(({ label }) => label) }));
      expect(Date.parse(first.askedAt) - Date.parse(waiting.data.since ?? "")).toBeLessThan(1000);
      expect(first).toMatchObject({
        shellId: agent.shell,
        agentType: "claude",
        source: "hook",
        detail: { command: "touch made-one" },
      });
      const { result } = Answered.parse(
        JSON.parse((await answer(agent.relay, first.id, { wait: 15, option: "yes" })).text),
      );
      expect(result.receipt).toMatchObject({ state: "confirmed" });
      await until("the file", () => existsSync(join(agent.cwd, "made-one")));
      await until("the tool's result", () => decisions("made-one").length === 1);

      const second = await agent.asks("Do it. ASK{touch made-two; sleep 3} SAY{Done.}");
      await until("the dialog", () => agent.client.client.mirror?.agents[0]?.state === "waiting");
      await pause(700);
      await agent.press("Enter");
      const closed = await agent.ended(second.id);
      const closedAt = performance.now();
      expect(closed).toMatchObject({ state: "answered", answeredBy: { kind: "terminal" } });
      if (program === "claude") {
        console.log(`closed ${Math.round(closedAt - agent.worksAt())} ms after the agent said that it works`);
        expect(closedAt - agent.worksAt()).toBeLessThan(300);
      }
      expect((await answer(agent.relay, second.id, { wait: 15, option: "no" })).status).toBe(409);
      await until("the tool's result", () => decisions("made-two").length === 1);
      expect(decisions("made-two")).toMatchObject([{ rejected: false }]);

      const third = await agent.asks("Do it. ASK{touch made-three} SAY{Done.}");
      const refused = Answered.parse(
        JSON.parse((await answer(agent.relay, third.id, { wait: 15, text: "not in this folder" })).text),
      ).result;
      expect(refused.receipt).toMatchObject({ state: "confirmed", evidence: expect.stringMatching(/transcript/) });
      expect(decisions("made-three")).toMatchObject([
        { rejected: true, text: expect.stringContaining("not in this folder") },
      ]);
      expect(existsSync(join(agent.cwd, "made-three"))).toBe(false);

      for (let round = 1; round <= RACES; round++) {
        const word = `raced-${round}`;
        const question = await agent.asks(`Do it. ASK{touch ${word}} SAY{Done.}`);
        await until("the dialog", () => agent.client.client.mirror?.agents[0]?.state === "waiting");
        await pause(700);
        const [given] = await Promise.all([
          answer(agent.relay, question.id, { wait: 15, option: "no" }),
          agent.press("Enter"),
        ]);
        await until("the tool's result", () => decisions(word).length > 0, 30_000);
        const end = await agent.receipt(question.id);
        const [decision, ...more] = decisions(word);
        console.log("race", given.status, end.answeredBy?.kind, end.receipt?.state, decision?.rejected);
        expect(more).toEqual([]);
        expect(given.status === 200).toBe(end.answeredBy?.kind === "user");
        // What Patchbay says is what the agent recorded.
        if (end.receipt?.state === "confirmed") expect(decision?.rejected).toBe(true);
        if (end.receipt?.state === "overruled") expect(decision?.rejected).toBe(false);
        if (end.answeredBy?.kind === "terminal") expect(decision?.rejected).toBe(false);
        await agent.idle();
      }
      expect(agent.relay.errors).toEqual([]);
    });

    test("several questions at once, and several choices, are answered together", async () => {
      const question = await agent.asks(
        "Do it. CHOOSE{Which color?|Red|Blue;Which parts?|*|Tests|Docs|Code} SAY{Done.}",
      );
      expect(question).toMatchObject({ kind: "choice", answerable: true, options: [] });
      expect(question.choices).toMatchObject([{ multiple: false }, { multiple: true }]);
      const given = await answer(agent.relay, question.id, { answers: ["2", "1+3"], wait: 15 });
      expect(Answered.parse(JSON.parse(given.text)).result.receipt).toMatchObject({ state: "confirmed" });
      await agent.idle();
      const result = claudeRecords(agent.home).findLast((line) => line.includes('"type":"tool_result"')) ?? "";
      console.log(result);
      expect(result).toMatch(/Which color\?[^A-Za-z]*Blue/);
      expect(result).toMatch(/Which parts\?[^A-Za-z]*Tests, Code/);
    });

    test("Escape in the terminal answers it", async () => {
      const question = await agent.asks("Do it. ASK{touch made-one} SAY{Done.}");
      await pause(700);
      await agent.press("Escape");
      const closed = await agent.ended(question.id);
      expect(closed).toMatchObject({ state: "answered", answeredBy: { kind: "terminal" } });
      expect(existsSync(join(agent.cwd, "made-one"))).toBe(false);
    });

    test("the end of the agent withdraws it", async () => {
      const question = await agent.asks("Do it. ASK{touch made-two} SAY{Done.}");
      await agent.relay.command("closeShell", { id: agent.shell });
      const closed = await agent.ended(question.id);
      expect(closed).toMatchObject({ state: "withdrawn" });
    });
  },
);
