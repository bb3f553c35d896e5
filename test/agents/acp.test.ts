import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { Receipt } from "../../core/protocol/receipts.ts";
import { Answered, answer } from "../support/agent-questions.ts";
import { until } from "../support/until.ts";
import { installOnly } from "./programs.ts";
import { pause, QuestionLab } from "./question-lab.ts";

const PATCHBAY = resolve(import.meta.dirname, "../../dist/cli/main.js");
const Sent = z.object({ result: Receipt });

/** The real programs, spoken to by the built `patchbay acp` in a shell of a real relay. */
describe.each([
  { program: "gemini", prompt: (file: string) => `Do it. RUN{touch ${file}} SAY{Done.}` },
  { program: "opencode", prompt: (file: string) => `Do it. ASK{touch ${file}} SAY{Done.}` },
] as const)("$program by the Agent Client Protocol", { timeout: 180_000 }, ({ program, prompt }) => {
  let agent: QuestionLab;

  beforeAll(() => installOnly(program), 900_000);
  afterEach(() => agent[Symbol.asyncDispose]());

  const receipt = async (id: number) => {
    const { text } = await agent.relay.request("GET", `/v1/sessions/${agent.relay.session}/receipts/${id}`);
    return Sent.parse(JSON.parse(text)).result;
  };

  test("asks, is answered over HTTP and in the terminal, is stopped, and takes prompts with proof", async () => {
    agent = await QuestionLab.open({
      program,
      within: (command) => `PATH=${dirname(command)}:$PATH ${process.execPath} ${PATCHBAY} acp ${program}`,
      connect: () => undefined,
    });
    await agent.shows("Ready.", 120_000);
    await agent.joined();

    const first = await agent.asks(prompt("made-one"));
    console.log("question", JSON.stringify(first));
    expect(first).toMatchObject({
      agentType: `${program}-acp`,
      source: "protocol",
      kind: "permission",
      answerable: true,
    });
    const given = await answer(agent.relay, first.id, { option: "yes", wait: 15 });
    expect(Answered.parse(JSON.parse(given.text)).result.receipt).toMatchObject({ state: "confirmed" });
    await until("the file", () => existsSync(join(agent.cwd, "made-one")));
    await agent.idle();

    // The stub of a model counts its steps from the last prompt that was answered.
    const answerPlainly = async () => {
      await agent.idle();
      await agent.press("Go on. SAY{Gone on.}");
      await pause(500);
      await agent.press("Enter");
      await until("the answer", async () => (await agent.screen()).includes("» Go on."));
      await agent.idle();
    };
    const second = await agent.asks(prompt("made-two"));
    const refused = await answer(agent.relay, second.id, { option: "no", wait: 15 });
    expect(Answered.parse(JSON.parse(refused.text)).result.receipt).toMatchObject({ state: "confirmed" });
    await answerPlainly();
    expect(existsSync(join(agent.cwd, "made-two"))).toBe(false);

    const third = await agent.asks(prompt("made-three"));
    await agent.press(String(1 + third.options.findIndex(({ id }) => id === "yes")));
    expect(await agent.ended(third.id)).toMatchObject({ state: "answered", answeredBy: { kind: "terminal" } });
    await until("the file", () => existsSync(join(agent.cwd, "made-three")));
    await agent.idle();

    const fourth = await agent.asks(prompt("made-four"));
    await agent.press("Escape");
    expect(await agent.ended(fourth.id)).toMatchObject({ state: "withdrawn" });
    await answerPlainly();
    expect(existsSync(join(agent.cwd, "made-four"))).toBe(false);

    const path = `/v1/sessions/${agent.relay.session}/prompts`;
    const sent = await agent.relay.request("POST", path, {
      body: { shellId: agent.shell, text: "Say it.\nSAY{Proved.}" },
    });
    const { id } = Sent.parse(JSON.parse(sent.text)).result;
    const proved = await until("the receipt", async () => {
      const now = await receipt(id);
      return now.final ? now : undefined;
    });
    expect(proved.history.map(({ state }) => state)).toEqual(["queued", "written", "echoed", "accepted", "started"]);
    await agent.shows("Proved.");
    console.log(await agent.screen());
    console.log(JSON.stringify(agent.client.client.mirror?.agents));
    expect(agent.relay.errors).toEqual([]);
  });
});
