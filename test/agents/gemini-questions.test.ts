import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { geminiHooks, geminiSettingsFile, planConnect } from "../../cli/connect/agent-settings.ts";
import type { ShellId } from "../../core/protocol/ids.ts";
import type { Question } from "../../core/protocol/questions.ts";
import { HOOK_SCRIPT_NAME, hookScript } from "../../main/agents/hooks/hook-script.ts";
import { AgentLab } from "../integration/main/agents/agent-lab.ts";
import { Answered, answer } from "../support/agent-questions.ts";
import type { ScriptedClient } from "../support/scripted-client.ts";
import type { TestRelay } from "../support/test-relay.ts";
import { until } from "../support/until.ts";
import { startWatchingRelay } from "../support/watching-relay.ts";
import { agentPlace, installOnly } from "./programs.ts";

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** The real program in a shell of a real relay, connected by its hooks. */
describe("questions of gemini", { timeout: 180_000 }, () => {
  let lab: AgentLab;
  let relay: TestRelay;
  let client: ScriptedClient;
  let shell: ShellId;
  let cwd: string;

  beforeAll(() => installOnly("gemini"), 900_000);
  beforeEach(async () => {
    lab = new AgentLab();
    const place = await agentPlace(lab, "gemini");
    cwd = place.cwd;
    relay = await startWatchingRelay({ home: lab.home, undo: lab.undo, env: place.env });
    writeFileSync(join(relay.folder, HOOK_SCRIPT_NAME), hookScript);
    planConnect(geminiSettingsFile("user", { env: { HOME: lab.home }, cwd }), { hooks: geminiHooks }).apply();
    client = await relay.join();
    ({ shellId: shell } = await relay.command<{ shellId: ShellId }>("createShell", { cwd }));
    await press(place.command, "Enter");
    await until("its input", async () => (await screen()).includes("Type your message"), 60_000);
    await pause(2000); // what is typed before its screen is complete is lost
  });
  afterEach(async () => {
    await client[Symbol.asyncDispose]();
    await relay[Symbol.asyncDispose]();
    lab[Symbol.dispose]();
  });

  const press = (...keys: string[]) => relay.command("sendKeys", { id: shell, keys });
  const screen = async () =>
    (await relay.command<{ output: string }>("getShellOutput", { id: shell, screen: true })).output;
  const opened = () =>
    client.events.flatMap((event) =>
      event.type === "question.opened" && event.data.source === "hook" ? [event.data] : [],
    );
  const kept = (id: number) =>
    relay.relay.sessions
      .get(relay.session)
      .questions.list({ all: true })
      .find((question) => question.id === id);
  const ended = (id: number) => until("the end", () => kept(id)?.state !== "open" && kept(id));

  /** Sends a prompt; resolves to the question that follows, with the options of its dialog. */
  async function asks(prompt: string): Promise<Question> {
    const before = opened().length;
    await press(prompt);
    await pause(500);
    await press("Enter");
    const question = await until("the question", () => opened()[before], 30_000).catch(async (error: unknown) => {
      console.log(await screen(), JSON.stringify(client.client.mirror));
      throw error;
    });
    await until("its dialog", () => kept(question.id)?.answerable);
    return kept(question.id) ?? question;
  }

  test("answered over HTTP and by the terminal, which closes it", async () => {
    const first = await asks("Do it. RUN{touch made-one} SAY{Done.}");
    console.log("question", JSON.stringify(first));
    expect(first).toMatchObject({ shellId: shell, agentType: "gemini", source: "hook", confidence: "high" });
    expect(first).toMatchObject({ title: "Run: touch made-one", detail: { command: "touch made-one" } });
    const waiting = await client.event("agent.waiting");
    expect(Date.parse(first.askedAt) - Date.parse(waiting.data.since ?? "")).toBeLessThan(1000);
    expect((await answer(relay, first.id, { option: "1" })).status).toBe(409);
    const given = await answer(relay, first.id, { option: "1", confirmScreen: true, wait: 15 });
    expect(Answered.parse(JSON.parse(given.text)).result.receipt).toMatchObject({ state: "confirmed" });
    await until("the file", () => existsSync(join(cwd, "made-one")));
    await until("the turn's end", () => client.client.mirror?.agents[0]?.state === "idle", 30_000);

    const second = await asks("Do it. RUN{touch made-two} SAY{Done.}");
    await press("1");
    expect(await ended(second.id)).toMatchObject({ state: "answered", answeredBy: { kind: "terminal" } });
    await until("the file", () => existsSync(join(cwd, "made-two")));
    await until("the turn's end", () => client.client.mirror?.agents[0]?.state === "idle", 30_000);

    const third = await asks("Do it. RUN{touch made-three} SAY{Done.}");
    await press("Escape");
    expect(await ended(third.id)).toMatchObject({ state: "answered", answeredBy: { kind: "terminal" } });
    expect(existsSync(join(cwd, "made-three"))).toBe(false);
    expect(opened()).toHaveLength(3);
    expect(relay.errors).toEqual([]);
  });

  test("the end of the agent withdraws it", async () => {
    const question = await asks("Do it. RUN{touch made-one} SAY{Done.}");
    await relay.command("closeShell", { id: shell });
    expect(await ended(question.id)).toMatchObject({ state: "withdrawn" });
  });
});
