import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from "vitest";
import type { Agent } from "../../../../core/protocol/agent-records.ts";
import type { ShellId } from "../../../../core/protocol/ids.ts";
import type { Question } from "../../../../core/protocol/questions.ts";
import type { Receipt } from "../../../../core/protocol/receipts.ts";
import { Answered, answer } from "../../../support/agent-questions.ts";
import { type AgentRelay, startAgentRelay } from "../../../support/agent-relay.ts";
import { until } from "../../../support/until.ts";
import { runCli } from "../../../unit/cli/run-cli.ts";

/** A double: the protocol is the real one, the model is not there. test/agents runs the real programs. */
const AGENT = resolve(import.meta.dirname, "../../../support/acp-agent.mjs");
const START_MS = 60_000;

let lab: AgentRelay;
let shell: ShellId;
/** Where the agent's folder is. */
let folder: string;

beforeAll(async () => {
  lab = await startAgentRelay((home) => {
    const bin = join(home, "bin");
    mkdirSync(bin);
    const script = `#!/bin/sh\nexec '${process.execPath}' '${join(inject("bundles"), "dist", "cli", "main.js")}' "$@"\n`;
    writeFileSync(join(bin, "patchbay"), script);
    chmodSync(join(bin, "patchbay"), 0o755);
    return { PATH: [bin, process.env.PATH].join(delimiter), ACP_LOG: join(home, "requests"), NODE_NO_WARNINGS: "1" };
  });
  folder = lab.home;
}, START_MS);
afterAll(() => lab?.[Symbol.asyncDispose]());

const service = (...args: string[]) =>
  runCli(args, { env: { HOME: lab.home, SERVICE_URL: lab.relay.url, SERVICE_TOKEN: lab.relay.key } });
const sessionNow = () => lab.relay.relay.sessions.get(lab.relay.session);
const agentNow = (): Agent | undefined => sessionNow().state.now.agents.find(({ shellId }) => shellId === shell);
const questions = () => sessionNow().questions;
const press = (...keys: string[]) => lab.relay.command("sendKeys", { id: shell, keys });
const screen = async () => (await sessionNow().shells.host.screen({ shell })).text;
const shows = (text: string) =>
  until(`“${text}” on the screen`, async () => (await screen()).includes(text)).catch(async (error: unknown) => {
    throw new Error(`${String(error)}\n${await screen()}`);
  });
const reaches = (state: string) => until(`the state ${state}`, () => agentNow()?.state === state);
const kept = (id: number): Question | undefined => questions().find(id);
const closed = (id: number) => until("its end", () => (kept(id)?.state === "open" ? undefined : kept(id)));
const settled = (id: number) =>
  until("its receipt", () => (kept(id)?.receipt?.state === "pending" ? undefined : kept(id)));
const states = ({ history }: Receipt) => history.map(({ state }) => state);

/** Sends a prompt; resolves to the question that follows. */
async function ask(prompt: string): Promise<Question> {
  await reaches("idle");
  await press(prompt, "Enter");
  return until("the question", () =>
    questions()
      .list()
      .find(({ state, shellId }) => state === "open" && shellId === shell),
  );
}

async function start(): Promise<void> {
  const ran = await service("agents", "start", "--acp", "--cwd", folder, "--json", "--", process.execPath, AGENT);
  expect([ran.err, ran.code]).toEqual(["", 0]);
  const made = JSON.parse(ran.out) as { shellId: ShellId; agentType: string; agentSessionId: string };
  shell = made.shellId;
  expect(made.agentType).toBe("acp");
  expect(agentNow()).toMatchObject({ agentType: "acp", sessionId: made.agentSessionId, state: "idle" });
}

describe("an agent that is spoken to by the protocol", { timeout: START_MS }, () => {
  let own: ShellId;
  beforeAll(async () => {
    await start();
    own = shell;
  }, START_MS);
  beforeEach(async () => {
    shell = own;
    // What a test has left in the input.
    await press("Ctrl+U");
    await reaches("idle");
  });

  test("asks, is answered over HTTP, and its own reaction proves the answer", async () => {
    const question = await ask("ask made-one");
    expect(question).toMatchObject({
      agentType: "acp",
      source: "protocol",
      confidence: "high",
      kind: "permission",
      title: "touch made-one",
      detail: { command: "touch made-one" },
      answerable: true,
    });
    expect(question.options).toEqual([
      { id: "yes", label: "Allow once", key: "y" },
      { id: "always-1", label: "Always allow", key: "" },
      { id: "no", label: "Reject", key: "n" },
    ]);
    await shows("? touch made-one");
    await reaches("waiting");
    const given = await answer(lab.relay, question.id, { option: "yes", wait: 20 });
    expect(Answered.parse(JSON.parse(given.text)).result.receipt).toMatchObject({ state: "confirmed" });
    // Its client is at work again, which is proof enough, before the agent has got the answer.
    await until("the file", () => existsSync(join(folder, "made-one")));
    await shows("? touch made-one: Allow once (answered in Patchbay)");
    const refused = await ask("ask made-two");
    const no = await answer(lab.relay, refused.id, { option: "no", wait: 20 });
    expect(Answered.parse(JSON.parse(no.text)).result.receipt).toMatchObject({ state: "confirmed" });
    expect(existsSync(join(folder, "made-two"))).toBe(false);
  });

  test("is answered by a key in its terminal, which closes the question everywhere", async () => {
    const question = await ask("ask made-three");
    await shows("3. Reject");
    await press("1");
    const end = await closed(question.id);
    expect(end).toMatchObject({ state: "answered", answeredBy: { kind: "terminal" } });
    expect((await answer(lab.relay, question.id, { option: "no" })).status).toBe(409);
    await until("the file", () => existsSync(join(folder, "made-three")));
  });

  test("takes an answer whose tool tells nothing for what the turn's end shows", async () => {
    const question = await ask("keep made-four");
    await answer(lab.relay, question.id, { option: "no", wait: 0 });
    expect((await settled(question.id))?.receipt).toMatchObject({ state: "confirmed" });
  });

  test("of two answerers the first wins, and the agent does what the record says", async () => {
    for (let round = 0; round < 8; round++) {
      const file = join(folder, `raced-${round}`);
      const question = await ask(`ask raced-${round}`);
      await shows(`? touch raced-${round}`);
      await reaches("waiting");
      // In every second round the answer over HTTP begins.
      const typed = round % 2 === 0 ? press("1") : undefined;
      const [response] = await Promise.all([answer(lab.relay, question.id, { option: "no" }), typed ?? press("1")]);
      await reaches("idle");
      const end = await settled(question.id);
      expect(response.status === 200).toBe(end?.answeredBy?.kind === "user");
      if (end?.answeredBy?.kind === "terminal") expect(existsSync(file)).toBe(true);
      else expect(end?.receipt?.state).toBe(existsSync(file) ? "overruled" : "confirmed");
      // A key that lost stands in the input.
      await press("Ctrl+U");
    }
  });

  test("is stopped by Escape: the turn is cancelled, and its question withdrawn", async () => {
    const cancelled = () => readFileSync(join(folder, "requests"), "utf8").match(/session\/cancel/g)?.length ?? 0;
    const before = cancelled();
    const question = await ask("ask made-five");
    await shows("? touch made-five");
    await press("Escape");
    expect(await closed(question.id)).toMatchObject({ state: "withdrawn", closedBecause: "it was cancelled" });
    await reaches("idle");
    await press("busy", "Enter");
    await reaches("working");
    await shows("Working.");
    await press("Ctrl+C");
    await reaches("idle");
    expect(existsSync(join(folder, "made-five"))).toBe(false);
    expect(cancelled() - before).toBe(2);
  });

  test("offers all its options: beyond nine by two digits, and beyond twenty in its terminal", async () => {
    const many = await ask("choose 12");
    expect(many).toMatchObject({ kind: "choice", answerable: true });
    expect(many.options.map(({ key }) => key).join("")).toBe("123456789");
    await answer(lab.relay, many.id, { option: "12" });
    await shows("Got o-12.");
    const more = await ask("choose 21");
    expect(more).toMatchObject({ options: [], answerable: false });
    await shows("21. Option 21");
    await press("2", "1", "Enter");
    await shows("Got o-21.");
    expect(await closed(more.id)).toMatchObject({ state: "answered", answeredBy: { kind: "terminal" } });
  });

  test("takes prompts with proof: accepted is what it has shown to have", async () => {
    const sent = await lab.send(shell, "Say this\nin two lines");
    const done = await lab.receiptOf(sent.id, ({ final }) => final);
    expect(states(done)).toEqual(["queued", "written", "echoed", "accepted", "started"]);
    const long = await lab.send(shell, "word ".repeat(3000));
    expect(states(await lab.receiptOf(long.id, ({ final }) => final)).at(-1)).toBe("started");
    // The agent gets the prompt, and tells nothing of it until it is cancelled.
    const mute = await lab.send(shell, "mute please");
    await lab.receiptOf(mute.id, ({ state }) => state === "echoed");
    await reaches("working");
    await press("Escape");
    await reaches("idle");
    const failed = await lab.send(shell, "fail please", { when: "now" });
    await shows("the model is away");
    await reaches("error");
    const next = await lab.send(shell, "the next one", { when: "now" });
    await lab.receiptOf(next.id, ({ state }) => state === "started");
    for (const { id } of [mute, failed]) {
      expect(states(await lab.receipt(id))).not.toContain("accepted");
    }
    const events = await lab.relay.command<{ type: string; text: string }[]>("getAgentEvents", {
      sessionId: agentNow()?.sessionId,
    });
    expect(events.filter(({ type }) => type === "user_message").map(({ text }) => text)).not.toContain("mute please");
    expect(events).toContainEqual(
      expect.objectContaining({ type: "assistant_message", text: "You said: the next one" }),
    );
    expect(events).toContainEqual(expect.objectContaining({ type: "error", text: "the model is away" }));
  });

  test("is offered no files, and what is no message of the protocol is left out", async () => {
    await press("files", "Enter");
    await shows("Got error -32601.");
    const [first = ""] = readFileSync(join(folder, "requests"), "utf8").split("\n");
    expect(JSON.parse(first)).toMatchObject({
      method: "initialize",
      params: { clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false } },
    });
    await reaches("idle");
    await press("noise", "Enter");
    await shows("Still there.");
    await shows("Some messages of the agent were not understood");
    await press("twice", "Enter");
    await shows("1 more after this one.");
    await reaches("waiting");
    await press("Escape");
    await reaches("idle");
    expect(lab.relay.errors).toEqual([]);
  });
});

test("withdraws what it asked when it ends, and says why it ended", { timeout: START_MS }, async () => {
  await start();
  const question = await ask("ask made-six");
  const { pid } = sessionNow().shells.find(shell) ?? {};
  process.kill(Number(readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim()), "SIGKILL");
  expect(await closed(question.id)).toMatchObject({ state: "withdrawn" });
  await shows("acp: the agent has ended.");
  await until("the end", () => agentNow() === undefined);
});

test("withdraws what an agent asked when the program that speaks with it is killed", {
  timeout: START_MS,
}, async () => {
  await start();
  const question = await ask("ask made-seven");
  const { pid } = sessionNow().shells.find(shell) ?? {};
  process.kill(Number(pid), "SIGKILL");
  expect(await closed(question.id)).toMatchObject({ state: "withdrawn" });
});

test("an agent that is not installed is an error that names what to install", { timeout: START_MS }, async () => {
  const missing = await service("agents", "start", "opencode", "--acp");
  expect(missing.code).toBe(1);
  expect(missing.err).toMatch(/opencode is not installed: .* npm install -g opencode-ai/s);
  const unknown = await service("agents", "start", "--acp", "--", "no-such-agent");
  expect(unknown.err).toMatch(/no program "no-such-agent" is in PATH/);
  for (const [args, message] of [
    [["agents", "start", "gemini"], /expected --acp/],
    [["agents", "start", "--acp"], /expected the kind of an agent/],
    [["agents", "start", "vim", "--acp"], /expected one of claude, codex, gemini, opencode/],
    [["agents", "start", "gemini", "--acp", "--", "x"], /unexpected argument "x"/],
  ] as const) {
    const ran = await service(...args);
    expect([ran.code, message.test(ran.err)], ran.err).toEqual([2, true]);
  }
});
