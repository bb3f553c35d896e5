import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { opencodePluginFile, planPlugin } from "../../cli/connect/opencode-plugin-file.ts";
import type { Question } from "../../core/protocol/questions.ts";
import { HOOK_SCRIPT_NAME, hookScript } from "../../main/agents/hooks/hook-script.ts";
import { OPENCODE_PLUGIN_NAME, opencodePlugin } from "../../main/agents/hooks/opencode-plugin.ts";
import { Answered, answer } from "../support/agent-questions.ts";
import { until } from "../support/until.ts";
import { installOnly } from "./programs.ts";
import { pause, QuestionLab, RACE_MS, RACES } from "./question-lab.ts";

const DIALOG = "Permission required";

/** The real program in a shell of a real relay, connected by its plugin. */
describe("questions of opencode", { timeout: 180_000 + RACES * RACE_MS }, () => {
  let agent: QuestionLab;

  beforeAll(() => installOnly("opencode"), 900_000);
  beforeEach(async () => {
    agent = await QuestionLab.open({
      program: "opencode",
      connect({ home, cwd, relay }) {
        writeFileSync(join(relay.folder, HOOK_SCRIPT_NAME), hookScript);
        writeFileSync(join(relay.folder, OPENCODE_PLUGIN_NAME), opencodePlugin);
        planPlugin(opencodePluginFile("user", { env: { HOME: home }, cwd })).write();
      },
    });
    await agent.shows("Ask anything", 90_000);
    await pause(1000); // what is typed before its screen is complete is lost
  }, 120_000);
  afterEach(() => agent[Symbol.asyncDispose]());

  const dialog = () => agent.shows(DIALOG);
  const dialogGone = () => until("the dialog's end", async () => !(await agent.screen()).includes(DIALOG));
  /** Sends a prompt when the turn before has ended; resolves to the question that follows. */
  const ask = async (prompt: string): Promise<Question> => {
    if (agent.opened().length > 0) {
      await agent.joined();
      await agent.idle();
      await pause(500);
    }
    return agent.asks(prompt);
  };

  const answerPlainly = async () => {
    const { calls } = agent.truth();
    await agent.press("Go on. SAY{Gone on.}");
    await pause(500);
    await agent.press("Enter");
    await until("the model's answer", () => agent.truth().calls > calls);
    await agent.idle();
  };

  test("answered over HTTP, by the terminal, refused, and raced: one decision each", async () => {
    const first = await ask("Do it. ASK{touch made-one} SAY{Done.}");
    console.log("question", JSON.stringify(first));
    expect(first).toMatchObject({ shellId: agent.shell, agentType: "opencode", source: "hook", confidence: "high" });
    expect(first).toMatchObject({ kind: "permission", detail: { command: "touch made-one" } });
    // The terminal's own dialog is there at the same time.
    await dialog();
    const given = await answer(agent.relay, first.id, { option: "yes", wait: 15 });
    expect(Answered.parse(JSON.parse(given.text)).result.receipt).toMatchObject({ state: "confirmed" });
    await until("the file", () => existsSync(join(agent.cwd, "made-one")));
    await dialogGone();
    expect(agent.kept(first.id)?.agentSessionId).toMatch(/^ses_/);
    // As many tokens as its settings say, and those of its last request.
    const size = () => agent.client.client.mirror?.agents.find(({ context }) => context?.size !== undefined)?.context;
    expect(await until("the fill of its context", size)).toMatchObject({ size: 123_456 });

    const second = await ask("Do it. ASK{touch made-two; sleep 2} SAY{Done.}");
    await dialog();
    await agent.press("Enter");
    await dialogGone();
    const goneAt = performance.now();
    const closed = await agent.ended(second.id);
    console.log(`closed ${Math.round(performance.now() - goneAt)} ms after the dialog was gone`);
    expect(performance.now() - goneAt).toBeLessThan(300);
    expect(closed).toMatchObject({ state: "answered", answeredBy: { kind: "terminal" } });
    expect((await answer(agent.relay, second.id, { option: "no" })).status).toBe(409);
    await until("the file", () => existsSync(join(agent.cwd, "made-two")));

    const third = await ask("Do it. ASK{touch made-three} SAY{Done.}");
    const refused = await answer(agent.relay, third.id, { text: "not in this folder", wait: 15 });
    expect(Answered.parse(JSON.parse(refused.text)).result.receipt).toMatchObject({ state: "confirmed" });
    await agent.idle();
    expect(existsSync(join(agent.cwd, "made-three"))).toBe(false);

    for (let round = 1; round <= RACES; round++) {
      const word = `raced-${round}`;
      const question = await ask(`Do it. ASK{touch ${word}} SAY{Done.}`);
      await dialog();
      // From the key first to the answer first: each wins some.
      const race = { question, key: "Enter", refusal: { option: "no" }, leadMs: 25 * (6 - round), made: word };
      const ran = await agent.race({ ...race, gone: dialogGone });
      // A refusal stops the turn, and the stub of the model counts its steps from the last prompt that was answered.
      if (!ran) await answerPlainly();
    }
    expect(agent.relay.errors).toEqual([]);
  });

  test("a choice, a read that a policy allows, and a file; Escape in the terminal answers it", async () => {
    const choice = await ask("Do it. CHOOSE{Which color?|Red|Blue} SAY{Done.}");
    expect(choice).toMatchObject({
      kind: "choice",
      title: "Which color?",
      options: [{ label: "Red" }, { label: "Blue" }],
    });
    const chosen = await answer(agent.relay, choice.id, { option: "Blue", wait: 15 });
    expect(Answered.parse(JSON.parse(chosen.text)).result.receipt).toMatchObject({ state: "confirmed" });

    // A policy answers a command that only reads, before anyone sees the question.
    const body = { effect: "allow", what: "reads", folder: agent.cwd };
    await agent.relay.request("POST", `/v1/sessions/${agent.relay.session}/policies`, { body });
    writeFileSync(join(agent.cwd, "notes"), "the notes\n");
    await agent.idle();
    await pause(500);
    await agent.press(`Do it. ASK{cat ${join(agent.cwd, "notes")}} SAY{Read.}`);
    await pause(500);
    await agent.press("Enter");
    const read = await until("the policy's answer", () => agent.kept(choice.id + 1), 90_000);
    expect(read).toMatchObject({ state: "answered", answeredBy: { kind: "policy", policy: 1 } });
    expect(await agent.receipt(read.id)).toMatchObject({ receipt: { state: "confirmed" } });
    await agent.shows("Read.", 30_000);
    expect(agent.opened()).toHaveLength(1);

    const file = await ask(`Do it. WRITE{${join(agent.cwd, "new.txt")}} SAY{Done.}`);
    expect(file.detail).toMatchObject({
      files: [join(agent.cwd, "new.txt")],
      diff: expect.stringContaining("+written"),
    });
    await dialog();
    await agent.press("Escape");
    expect(await agent.ended(file.id)).toMatchObject({ state: "answered", answeredBy: { kind: "terminal" } });
    await dialogGone();
    expect(existsSync(join(agent.cwd, "new.txt"))).toBe(false);

    expect(agent.opened()).toHaveLength(2);
    expect(agent.relay.errors).toEqual([]);
  });

  test("its end by a signal withdraws the question", async () => {
    const question = await ask("Do it. ASK{touch made-one} SAY{Done.}");
    const { pid } = agent.relay.relay.sessions.get(agent.relay.session).shells.find(agent.shell) ?? {};
    process.kill(Number(readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim()), "SIGKILL");
    expect(await agent.ended(question.id)).toMatchObject({ state: "withdrawn" });
  });
});
