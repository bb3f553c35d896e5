import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { AgentConnections } from "../../main/system/agent-connections.ts";
import { Answered, answer } from "../support/agent-questions.ts";
import { until } from "../support/until.ts";
import { installOnly } from "./programs.ts";
import { pause, QuestionLab, RACE_MS, RACES } from "./question-lab.ts";

const DIALOG = "Would you like to run";

/** The real program in a shell of a real relay, which is one more client of its app server. */
describe("questions of codex", { timeout: 180_000 + RACES * RACE_MS }, () => {
  let agent: QuestionLab;

  beforeAll(() => installOnly("codex"), 900_000);
  beforeEach(async () => {
    agent = await QuestionLab.open({
      program: "codex",
      connect: ({ home }) => new AgentConnections(home).set("codex", { homes: [join(home, ".codex")], folders: [] }),
    });
    await agent.joined();
    await agent.shows("›", 30_000);
    await pause(3000); // what is typed before its screen is complete is lost
  });
  afterEach(() => agent[Symbol.asyncDispose]());

  const dialog = () => agent.shows(DIALOG);
  const dialogGone = () => until("the dialog's end", async () => !(await agent.screen()).includes(DIALOG));

  test("answered over HTTP, by the terminal, refused, and raced: one decision each", async () => {
    const first = await agent.asks("Do it. ASK{touch made-one} SAY{Done.}");
    const waiting = await agent.client.event("agent.waiting");
    console.log("question", JSON.stringify(first));
    expect(Date.parse(first.askedAt) - Date.parse(waiting.data.since ?? "")).toBeLessThan(1000);
    expect(first).toMatchObject({ shellId: agent.shell, agentType: "codex", source: "protocol", answerable: true });
    expect(first.detail.command).toContain("touch made-one");
    // The terminal's own dialog is there at the same time.
    await dialog();
    const given = await answer(agent.relay, first.id, { option: "yes", wait: 15 });
    expect(Answered.parse(JSON.parse(given.text)).result.receipt).toMatchObject({ state: "confirmed" });
    await until("the file", () => existsSync(join(agent.cwd, "made-one")));
    await dialogGone();
    await agent.idle();

    const second = await agent.asks("Do it. ASK{touch made-two; sleep 2} SAY{Done.}");
    await dialog();
    await agent.press("y");
    const closed = await agent.ended(second.id);
    const closedAt = performance.now();
    expect(closed).toMatchObject({ state: "answered", answeredBy: { kind: "terminal" } });
    console.log(`closed ${Math.round(closedAt - agent.worksAt())} ms after the agent said that it works`);
    expect(closedAt - agent.worksAt()).toBeLessThan(300);
    expect((await answer(agent.relay, second.id, { option: "no" })).status).toBe(409);
    await until("the file", () => existsSync(join(agent.cwd, "made-two")));
    await agent.idle();

    const third = await agent.asks("Do it. ASK{touch made-three} SAY{Done.}");
    const refused = await answer(agent.relay, third.id, { option: "no", wait: 15 });
    expect(Answered.parse(JSON.parse(refused.text)).result.receipt).toMatchObject({ state: "confirmed" });
    expect(existsSync(join(agent.cwd, "made-three"))).toBe(false);
    await dialogGone();
    await agent.idle();

    for (let round = 1; round <= RACES; round++) {
      const word = `raced-${round}`;
      const question = await agent.asks(`Do it. ASK{touch ${word}} SAY{Done.}`);
      await dialog();
      // From the key first to the answer first: each wins some.
      await agent.race({ question, key: "y", refusal: { option: "no" }, leadMs: 12 * (6 - round), made: word });
    }
    expect(agent.relay.errors).toEqual([]);
  });

  test("Escape in the terminal answers it, and the agent's end withdraws it", async () => {
    const first = await agent.asks("Do it. ASK{touch made-one} SAY{Done.}");
    await dialog();
    await agent.press("Escape");
    expect(await agent.ended(first.id)).toMatchObject({ state: "answered", answeredBy: { kind: "terminal" } });
    expect(existsSync(join(agent.cwd, "made-one"))).toBe(false);
    await agent.idle();
    const second = await agent.asks("Do it. ASK{touch made-two} SAY{Done.}");
    await agent.relay.command("closeShell", { id: agent.shell });
    expect(await agent.ended(second.id)).toMatchObject({ state: "withdrawn" });
  });

  test("without the app server it is read from the screen", async () => {
    await agent.press("ctrl+c");
    await pause(500);
    await agent.press("ctrl+c");
    await until("the end", () => agent.client.client.mirror?.agents.length === 0, 30_000);
    await agent.press(`${agent.command} --no-daemon`, "Enter");
    await agent.joined();
    await agent.shows("for shortcuts", 30_000);
    await pause(3000);
    const question = await agent.asks("Do it. ASK{touch made-one} SAY{Done.}");
    expect(question).toMatchObject({
      source: "screen",
      confidence: "low",
      options: [{ id: "1" }, { id: "2" }, { id: "3" }],
    });
    await agent.press("Escape");
    expect(await agent.ended(question.id)).toMatchObject({ state: "answered", answeredBy: { kind: "terminal" } });
  });

  test("a connection that is removed leaves the question to the terminal", async () => {
    const question = await agent.asks("Do it. ASK{touch made-one} SAY{Done.}");
    new AgentConnections(agent.home).set("codex", { homes: [], folders: [] });
    await until("no answer", () => agent.kept(question.id)?.answerable === false);
    expect(agent.kept(question.id)).toMatchObject({ state: "open" });
    new AgentConnections(agent.home).set("codex", { homes: [], folders: [agent.cwd] });
    await until("an answer", () => agent.kept(question.id)?.answerable === true);
    const given = await answer(agent.relay, question.id, { option: "yes", wait: 15 });
    expect(Answered.parse(JSON.parse(given.text)).result.receipt).toMatchObject({ state: "confirmed" });
    await until("the file", () => existsSync(join(agent.cwd, "made-one")));
  });
});
