import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { claudeSettingsFile, planConnect } from "../../cli/connect/agent-settings.ts";
import type { ShellId } from "../../core/protocol/ids.ts";
import { Question } from "../../core/protocol/questions.ts";
import { HOOK_SCRIPT_NAME, hookScript } from "../../main/agents/hooks/hook-script.ts";
import { AgentLab } from "../integration/main/agents/agent-lab.ts";
import type { ScriptedClient } from "../support/scripted-client.ts";
import type { TestRelay } from "../support/test-relay.ts";
import { until } from "../support/until.ts";
import { startWatchingRelay } from "../support/watching-relay.ts";
import { type AgentProgram, agentPlace, installOnly } from "./programs.ts";

const Answered = z.object({ result: Question });
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** The real program in a shell of a real relay, connected by its hooks; `npm run test:agents` installs it. */
describe.each<[AgentProgram]>([["claude"], ["claude-2.1.197"]])("questions of %s", { timeout: 120_000 }, (program) => {
  let lab: AgentLab;
  let relay: TestRelay;
  let client: ScriptedClient;
  let shell: ShellId;
  let cwd: string;
  let command: string;
  /** When the agent said last that it works. */
  let worksAt = 0;

  beforeAll(() => installOnly(program), 900_000);
  beforeEach(async () => {
    lab = new AgentLab();
    const place = await agentPlace(lab, program);
    ({ cwd, command } = place);
    relay = await startWatchingRelay({
      home: lab.home,
      undo: lab.undo,
      env: place.env,
      onHost: (host) =>
        host.onEvent((event) => {
          if (event.kind !== "signal" || event.signal.kind !== "program-status" || event.signal.query) return;
          if (event.signal.fields.state === "working") worksAt = performance.now();
        }),
    });
    writeFileSync(join(relay.folder, HOOK_SCRIPT_NAME), hookScript);
    planConnect(claudeSettingsFile("user", { env: { HOME: lab.home }, cwd })).apply();
    client = await relay.join();
    ({ shellId: shell } = await relay.command<{ shellId: ShellId }>("createShell", { cwd }));
    await press(`${command} --model claude-sonnet-4-6 --permission-mode default`, "Enter");
    await until("the agent", () => client.client.mirror?.agents.some(({ sessionId }) => sessionId !== ""), 30_000);
    await pause(2000);
  });
  afterEach(async () => {
    await client[Symbol.asyncDispose]();
    await relay[Symbol.asyncDispose]();
    lab[Symbol.dispose]();
  });

  const press = (...keys: string[]) => relay.command("sendKeys", { id: shell, keys });

  /** Sends a prompt; resolves to the question that follows. */
  async function asks(prompt: string): Promise<Question> {
    const before = opened().length;
    await press(prompt);
    await pause(300);
    await press("Enter");
    return until("the question", () => opened()[before], 20_000).catch(async (error: unknown) => {
      const { output } = await relay.command<{ output: string }>("getShellOutput", { id: shell, screen: true });
      console.log(output, JSON.stringify(client.client.mirror?.agents));
      throw error;
    });
  }

  const opened = () => client.events.flatMap((event) => (event.type === "question.opened" ? [event.data] : []));
  const kept = (id: number) =>
    relay.relay.sessions
      .get(relay.session)
      .questions.list({ all: true })
      .find((question) => question.id === id);

  async function answer(id: number, body: object) {
    const path = `/v1/sessions/${relay.session}/questions/${id}/answer`;
    return relay.request("POST", path, { body: { wait: 15, ...body } });
  }

  /** The results of a tool call in the agent's own transcript. */
  function decisions(word: string): { rejected: boolean; text: string }[] {
    const folder = join(lab.home, ".claude", "projects");
    const files = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: "utf8" }) : [];
    const lines = files
      .filter((file) => file.endsWith(".jsonl"))
      .flatMap((file) => readFileSync(join(folder, file), "utf8").split("\n"));
    const calls = lines.flatMap((line) => [
      ...(/"type":"tool_use","id":"([^"]+)".*?"command":"([^"]*)"/g.exec(line) ?? []),
    ]);
    const ids = calls.flatMap((value, index) => (calls[index + 1]?.includes(word) ? [value] : []));
    return lines
      .filter(
        (line) =>
          line.includes('"type":"user","message"') &&
          line.includes('"type":"tool_result"') &&
          ids.some((id) => line.includes(`"${id}"`)),
      )
      .map((line) => ({ rejected: /"is_error":true/.test(line), text: line }));
  }

  test("answered over HTTP, by the terminal, refused in words, and raced: one decision each", async () => {
    const first = await asks("Do it. ASK{touch made-one} SAY{Done.}");
    const waiting = await client.event("agent.waiting");
    console.log("question", JSON.stringify({ ...first, options: first.options.map(({ label }) => label) }));
    expect(Date.parse(first.askedAt) - Date.parse(waiting.data.since ?? "")).toBeLessThan(1000);
    expect(first).toMatchObject({
      shellId: shell,
      agentType: "claude",
      source: "hook",
      detail: { command: "touch made-one" },
    });
    const { result } = Answered.parse(JSON.parse((await answer(first.id, { option: "yes" })).text));
    expect(result.receipt).toMatchObject({ state: "confirmed" });
    await until("the file", () => existsSync(join(cwd, "made-one")));
    await until("the tool's result", () => decisions("made-one").length === 1);

    const second = await asks("Do it. ASK{touch made-two; sleep 3} SAY{Done.}");
    await until("the dialog", () => client.client.mirror?.agents[0]?.state === "waiting");
    await pause(700);
    await press("Enter");
    const closed = await until("the end", () => kept(second.id)?.state !== "open" && kept(second.id));
    const closedAt = performance.now();
    expect(closed).toMatchObject({ state: "answered", answeredBy: { kind: "terminal" } });
    if (program === "claude") {
      console.log(`closed ${Math.round(closedAt - worksAt)} ms after the agent said that it works`);
      expect(closedAt - worksAt).toBeLessThan(300);
    }
    expect((await answer(second.id, { option: "no" })).status).toBe(409);
    await until("the tool's result", () => decisions("made-two").length === 1);
    expect(decisions("made-two")).toMatchObject([{ rejected: false }]);

    const third = await asks("Do it. ASK{touch made-three} SAY{Done.}");
    const refused = Answered.parse(JSON.parse((await answer(third.id, { text: "not in this folder" })).text)).result;
    expect(refused.receipt).toMatchObject({ state: "confirmed", evidence: expect.stringMatching(/transcript/) });
    expect(decisions("made-three")).toMatchObject([
      { rejected: true, text: expect.stringContaining("not in this folder") },
    ]);
    expect(existsSync(join(cwd, "made-three"))).toBe(false);

    for (let round = 1; round <= 4; round++) {
      const word = `raced-${round}`;
      const question = await asks(`Do it. ASK{touch ${word}} SAY{Done.}`);
      await until("the dialog", () => client.client.mirror?.agents[0]?.state === "waiting");
      await pause(700);
      const [given] = await Promise.all([answer(question.id, { option: "no" }), press("Enter")]);
      await until("the tool's result", () => decisions(word).length > 0, 30_000);
      const end = await until("the receipt", () => {
        const now = kept(question.id);
        return now?.state === "answered" && now.receipt?.state !== "pending" ? now : undefined;
      });
      const [decision, ...more] = decisions(word);
      console.log("race", given.status, end.answeredBy?.kind, end.receipt?.state, decision?.rejected);
      expect(more).toEqual([]);
      expect(given.status === 200).toBe(end.answeredBy?.kind === "user");
      // What Patchbay says is what the agent recorded.
      if (end.receipt?.state === "confirmed") expect(decision?.rejected).toBe(true);
      if (end.receipt?.state === "overruled") expect(decision?.rejected).toBe(false);
      if (end.answeredBy?.kind === "terminal") expect(decision?.rejected).toBe(false);
      await until("the end of the turn", () => client.client.mirror?.agents[0]?.state === "idle");
    }
    expect(relay.errors).toEqual([]);
  });

  test("Escape in the terminal answers it", async () => {
    const question = await asks("Do it. ASK{touch made-one} SAY{Done.}");
    await pause(700);
    await press("Escape");
    const closed = await until("the end", () => kept(question.id)?.state !== "open" && kept(question.id));
    expect(closed).toMatchObject({ state: "answered", answeredBy: { kind: "terminal" } });
    expect(existsSync(join(cwd, "made-one"))).toBe(false);
  });

  test("the end of the agent withdraws it", async () => {
    const question = await asks("Do it. ASK{touch made-two} SAY{Done.}");
    await relay.command("closeShell", { id: shell });
    const closed = await until("the end", () => kept(question.id)?.state !== "open" && kept(question.id));
    expect(closed).toMatchObject({ state: "withdrawn" });
  });
});
