import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { ShellId } from "../../core/protocol/ids.ts";
import type { Question } from "../../core/protocol/questions.ts";
import { AgentConnections } from "../../main/system/agent-connections.ts";
import { AgentLab } from "../integration/main/agents/agent-lab.ts";
import { Answered, answer } from "../support/agent-questions.ts";
import type { ScriptedClient } from "../support/scripted-client.ts";
import type { TestRelay } from "../support/test-relay.ts";
import { until } from "../support/until.ts";
import { startWatchingRelay } from "../support/watching-relay.ts";
import { agentPlace, installOnly } from "./programs.ts";

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** The real program in a shell of a real relay, which is one more client of its app server. */
describe("questions of codex", { timeout: 180_000 }, () => {
  let lab: AgentLab;
  let relay: TestRelay;
  let client: ScriptedClient;
  let shell: ShellId;
  let cwd: string;
  let command: string;
  /** When the agent said last that it works. */
  let worksAt = 0;

  beforeAll(() => installOnly("codex"), 900_000);
  beforeEach(async () => {
    lab = new AgentLab();
    const place = await agentPlace(lab, "codex");
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
    new AgentConnections(lab.home).set("codex", { homes: [join(lab.home, ".codex")], folders: [] });
    client = await relay.join();
    ({ shellId: shell } = await relay.command<{ shellId: ShellId }>("createShell", { cwd }));
    await press(command, "Enter");
    await until("the agent", () => client.client.mirror?.agents.some(({ sessionId }) => sessionId !== ""), 60_000);
    await until("its input", async () => (await screen()).includes("›"), 30_000);
    await pause(3000); // what is typed before its screen is complete is lost
  });
  afterEach(async () => {
    await client[Symbol.asyncDispose]();
    await relay[Symbol.asyncDispose]();
    lab[Symbol.dispose]();
  });

  const press = (...keys: string[]) => relay.command("sendKeys", { id: shell, keys });
  const screen = async () =>
    (await relay.command<{ output: string }>("getShellOutput", { id: shell, screen: true })).output;
  const opened = () => client.events.flatMap((event) => (event.type === "question.opened" ? [event.data] : []));
  const kept = (id: number) =>
    relay.relay.sessions
      .get(relay.session)
      .questions.list({ all: true })
      .find((question) => question.id === id);
  const ended = (id: number) => until("the end", () => kept(id)?.state !== "open" && kept(id));
  const dialogGone = () => until("the dialog's end", async () => !(await screen()).includes("Would you like to run"));
  const dialog = () => until("the dialog", async () => (await screen()).includes("Would you like to run"));
  const idle = () => until("the turn's end", () => client.client.mirror?.agents[0]?.state === "idle", 30_000);

  /** Sends a prompt; resolves to the question that follows, and to when it was known. */
  async function asks(prompt: string): Promise<Question> {
    const before = opened().length;
    await press(prompt);
    await pause(500);
    await press("Enter");
    return until("the question", () => opened()[before], 30_000).catch(async (error: unknown) => {
      console.log(await screen(), JSON.stringify(client.client.mirror?.agents));
      throw error;
    });
  }

  test("answered over HTTP, by the terminal, refused, and raced: one decision each", async () => {
    const first = await asks("Do it. ASK{touch made-one} SAY{Done.}");
    const waiting = await client.event("agent.waiting");
    console.log("question", JSON.stringify(first));
    expect(Date.parse(first.askedAt) - Date.parse(waiting.data.since ?? "")).toBeLessThan(1000);
    expect(first).toMatchObject({ shellId: shell, agentType: "codex", source: "protocol", answerable: true });
    expect(first.detail.command).toContain("touch made-one");
    // The terminal's own dialog is there at the same time.
    await dialog();
    const given = await answer(relay, first.id, { option: "yes", wait: 15 });
    expect(Answered.parse(JSON.parse(given.text)).result.receipt).toMatchObject({ state: "confirmed" });
    await until("the file", () => existsSync(join(cwd, "made-one")));
    await dialogGone();
    await idle();

    const second = await asks("Do it. ASK{touch made-two; sleep 2} SAY{Done.}");
    await dialog();
    await press("y");
    const closed = await ended(second.id);
    const closedAt = performance.now();
    expect(closed).toMatchObject({ state: "answered", answeredBy: { kind: "terminal" } });
    console.log(`closed ${Math.round(closedAt - worksAt)} ms after the agent said that it works`);
    expect(closedAt - worksAt).toBeLessThan(300);
    expect((await answer(relay, second.id, { option: "no" })).status).toBe(409);
    await until("the file", () => existsSync(join(cwd, "made-two")));
    await idle();

    const third = await asks("Do it. ASK{touch made-three} SAY{Done.}");
    const refused = await answer(relay, third.id, { option: "no", wait: 15 });
    expect(Answered.parse(JSON.parse(refused.text)).result.receipt).toMatchObject({ state: "confirmed" });
    expect(existsSync(join(cwd, "made-three"))).toBe(false);
    await dialogGone();
    await idle();

    for (let round = 1; round <= 6; round++) {
      const word = `raced-${round}`;
      const question = await asks(`Do it. ASK{touch ${word}} SAY{Done.}`);
      await dialog();
      // From the key first to the answer first: each wins some.
      const typed = press("y");
      await pause(12 * (6 - round));
      const [response] = await Promise.all([answer(relay, question.id, { option: "no" }), typed]);
      const end = await until("the receipt", () => {
        const now = kept(question.id);
        return now?.state === "answered" && now.receipt?.state !== "pending" ? now : undefined;
      });
      await idle();
      const ran = existsSync(join(cwd, word));
      console.log("race", response.status, end.answeredBy?.kind, end.receipt?.state, ran);
      expect(response.status === 200).toBe(end.answeredBy?.kind === "user");
      // What Patchbay says is what the agent did.
      if (end.receipt?.state === "confirmed") expect(ran).toBe(false);
      if (end.receipt?.state === "overruled") expect(ran).toBe(true);
      if (end.answeredBy?.kind === "terminal") expect(ran).toBe(true);
    }
    expect(relay.errors).toEqual([]);
  });

  test("Escape in the terminal answers it, and the agent's end withdraws it", async () => {
    const first = await asks("Do it. ASK{touch made-one} SAY{Done.}");
    await dialog();
    await press("Escape");
    expect(await ended(first.id)).toMatchObject({ state: "answered", answeredBy: { kind: "terminal" } });
    expect(existsSync(join(cwd, "made-one"))).toBe(false);
    await idle();
    const second = await asks("Do it. ASK{touch made-two} SAY{Done.}");
    await relay.command("closeShell", { id: shell });
    expect(await ended(second.id)).toMatchObject({ state: "withdrawn" });
  });

  test("without the app server it is read from the screen", async () => {
    await press("ctrl+c");
    await pause(500);
    await press("ctrl+c");
    await until("the end", () => client.client.mirror?.agents.length === 0, 30_000);
    await press(`${command} --no-daemon`, "Enter");
    await until("the agent", () => client.client.mirror?.agents.some(({ sessionId }) => sessionId !== ""), 60_000);
    await until("its input", async () => (await screen()).includes("for shortcuts"), 30_000);
    await pause(3000);
    const question = await asks("Do it. ASK{touch made-one} SAY{Done.}");
    expect(question).toMatchObject({
      source: "screen",
      confidence: "low",
      options: [{ id: "1" }, { id: "2" }, { id: "3" }],
    });
    await press("Escape");
    expect(await ended(question.id)).toMatchObject({ state: "answered", answeredBy: { kind: "terminal" } });
  });

  test("a connection that is removed leaves the question to the terminal", async () => {
    const question = await asks("Do it. ASK{touch made-one} SAY{Done.}");
    new AgentConnections(lab.home).set("codex", { homes: [], folders: [] });
    await until("no answer", () => kept(question.id)?.answerable === false);
    expect(kept(question.id)).toMatchObject({ state: "open" });
    new AgentConnections(lab.home).set("codex", { homes: [], folders: [cwd] });
    await until("an answer", () => kept(question.id)?.answerable === true);
    const given = await answer(relay, question.id, { option: "yes", wait: 15 });
    expect(Answered.parse(JSON.parse(given.text)).result.receipt).toMatchObject({ state: "confirmed" });
    await until("the file", () => existsSync(join(cwd, "made-one")));
  });
});
