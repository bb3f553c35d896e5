import { readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { Budget } from "../../../../core/protocol/budgets.ts";
import type { ShellId } from "../../../../core/protocol/ids.ts";
import { answer, event, list, openShell, report } from "../../../support/agent-questions.ts";
import { SpendingAgents } from "../../../support/spending-agents.ts";
import { startTestRelay, type TestRelay } from "../../../support/test-relay.ts";
import { until } from "../../../support/until.ts";

const Overview = z.object({ result: z.object({ budgets: z.array(Budget) }) });

async function budgets(relay: TestRelay): Promise<Budget[]> {
  const { text } = await relay.request("GET", "/v1/budgets");
  return Overview.parse(JSON.parse(text)).result.budgets;
}

async function setBudget(relay: TestRelay, scope: Budget["scope"], body: object): Promise<void> {
  const { status, text } = await relay.request("PUT", `/v1/budgets/${scope}`, { body });
  if (status !== 200) throw new Error(text);
}

/** Executes a command as a program does; resolves to "ok" or the code of the refusal. */
async function run(relay: TestRelay, method: string, params: object): Promise<string> {
  const answered = await relay.post({ method, params });
  return answered.status === 200 ? "ok" : (answered.headers.get("x-service-error") ?? answered.text);
}

function write(relay: TestRelay, id: ShellId, data = "x"): Promise<string> {
  return run(relay, "writeToShell", { id, data });
}

/** Starts a shell in which a program writes its input to a file, byte by byte. */
async function openReader(relay: TestRelay): Promise<{ readonly shell: ShellId; read(): string }> {
  const file = join(relay.folder, "typed");
  const { shellId } = await relay.command<{ shellId: ShellId }>("createShell", {
    command: `stty raw -echo; : > ${file}; dd bs=1 of=${file} status=none`,
  });
  await until("the reader", () => {
    try {
      return readFileSync(file, "utf8") === "";
    } catch {
      return false;
    }
  });
  return { shell: shellId, read: () => readFileSync(file, "utf8") };
}

test("a loop that types into an agent is held within one turn of the limit; what a person types is not", async () => {
  const agents = new SpendingAgents();
  await using relay = await startTestRelay({ agents: agents.port });
  await using client = await relay.join();
  const { shell, key, token } = await openShell(relay);
  await setBudget(relay, "agent", { limit: 10 });
  const folder = realpathSync(relay.folder);
  const asks = (hook: string) => report(relay, token, event("PermissionRequest", "ls", { cwd: folder }), hook);
  const body = { effect: "allow", what: "reads", folder };
  await relay.request("POST", `/v1/sessions/${relay.session}/policies`, { body });
  let turns = 0;
  let outcome = "ok";
  while (outcome === "ok" && turns < 100) {
    outcome = await write(relay, shell, `turn ${turns}\n`);
    if (outcome !== "ok") break;
    agents.spend(relay, shell, { cost: 3 });
    turns += 1;
  }
  expect([outcome, turns]).toEqual(["budget_reached", 4]);
  expect(await run(relay, "sendKeys", { id: shell, keys: ["Enter"] })).toBe("budget_reached");
  expect(await run(relay, "runCommand", { tile: key, command: "true" })).toBe("budget_reached");
  const { failed } = await relay.command<{ failed: object[] }>("broadcastInput", { ids: [shell], data: "x" });
  expect(failed).toMatchObject([{ id: shell, error: expect.stringContaining("is held. Answer question 1") }]);
  // Nor does a policy keep the agent going.
  const asked = asks("hook-1");
  await until("the agent's question", async () => (await list(relay)).some(({ id }) => id === 2));
  await answer(relay, 2, { option: "no" });
  expect(await asked).toContain('"deny"');
  const [question] = (await list(relay)).filter(({ source }) => source === "governor");
  expect(question).toMatchObject({
    shellId: shell,
    agentType: "claude",
    source: "governor",
    answerable: true,
    title: `The budget of agent session agent-${shell} is spent`,
    text: expect.stringContaining("$12.00 of $10.00"),
  });
  expect(question?.options.map(({ label }) => label)).toEqual(["Allow 5 dollars more", "Stop the turn", "Let it run"]);
  await client.client.ask("writeShell", { shell, data: "typed", raw: true });
  const { shell: other } = await openShell(relay, "other");
  expect(await write(relay, other)).toBe("ok");
  agents.tell(relay, shell, "waiting");
  agents.tell(relay, shell, "working");
  agents.tell(relay, shell, "ended");
  expect((await list(relay))[0]).toMatchObject({ id: question?.id, state: "open" });
  expect(relay.errors).toEqual([]);
});

test("the first answer wins: more raises the limit once, to let it run releases it, and both are in the audit log", async () => {
  const agents = new SpendingAgents();
  await using relay = await startTestRelay({ agents: agents.port });
  await using _client = await relay.join();
  const { shell } = await openShell(relay);
  await setBudget(relay, "session", { limit: 10 });
  agents.spend(relay, shell, { cost: 11 });
  expect(await write(relay, shell)).toBe("budget_reached");
  const answers = await Promise.all([answer(relay, 1, { option: "more" }), answer(relay, 1, { option: "run" })]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  const [first] = await list(relay, "?all=true");
  const wasMore = first?.answer?.option === "more";
  expect(first?.receipt?.state).toBe("confirmed");
  expect(await budgets(relay)).toMatchObject([
    { uses: [wasMore ? { state: "within", spent: 11, limit: 16 } : { state: "released", spent: 11 }] },
  ]);
  expect(await write(relay, shell)).toBe("ok");
  await setBudget(relay, "session", { limit: 11 });
  expect(await write(relay, shell)).toBe("budget_reached");
  expect((await answer(relay, 2, { option: "more" })).status).toBe(200);
  agents.spend(relay, shell, { cost: 4 });
  expect(await write(relay, shell)).toBe("ok");
  agents.spend(relay, shell, { cost: 1 });
  expect(await write(relay, shell)).toBe("budget_reached");
  expect((await answer(relay, 3, { option: "run" })).status).toBe(200);
  agents.spend(relay, shell, { cost: 100 });
  expect(await write(relay, shell)).toBe("ok");
  const audited = relay.relay.audit.list({ limit: 100, kind: "call" });
  expect(audited.filter(({ action }) => action === "answerQuestion").map(({ outcome }) => outcome)).toEqual(
    expect.arrayContaining(["ok", "question_closed"]),
  );
  expect(audited.some(({ action }) => action === "setBudget")).toBe(true);
  expect(audited.some(({ outcome }) => outcome === "budget_reached")).toBe(true);
});

test("to stop the turn types the agent's own key, is confirmed by the agent's state, and keeps holding", async () => {
  const agents = new SpendingAgents();
  await using relay = await startTestRelay({ agents: agents.port });
  await using _client = await relay.join();
  const { shell, read } = await openReader(relay);
  await setBudget(relay, "shell", { limit: 1 });
  agents.spend(relay, shell, { cost: 2 });
  expect(await write(relay, shell)).toBe("budget_reached");
  expect((await answer(relay, 1, { option: "stop", wait: 0 })).status).toBe(200);
  await until("the key", () => read() === "\x1b");
  expect((await list(relay, "?all=true"))[0]?.receipt?.state).toBe("pending");
  agents.tell(relay, shell, "idle");
  expect((await list(relay, "?all=true"))[0]?.receipt?.state).toBe("confirmed");
  expect(await write(relay, shell)).toBe("budget_reached");
  expect(await list(relay)).toEqual([]);
  await setBudget(relay, "shell", { limit: 5 });
  expect(await write(relay, shell)).toBe("ok");
  await until("what was typed", () => read() === "\x1bx");
});

test("a hold and its question outlive a restart of the relay, and an answer that it was cut off from is carried out", async () => {
  const agents = new SpendingAgents();
  await using relay = await startTestRelay({ agents: agents.port });
  const first = await relay.join();
  const { shell } = await openShell(relay);
  await setBudget(relay, "session", { limit: 10 });
  agents.spend(relay, shell, { cost: 11 });
  expect(await write(relay, shell)).toBe("budget_reached");
  const [before] = await list(relay);
  await first.leave();
  await relay.restart();
  const second = await relay.join();
  const { shell: next } = await openShell(relay, "next");
  agents.spend(relay, next, { cost: 0 });
  expect(await write(relay, next)).toBe("budget_reached");
  const now = await list(relay);
  // Its shell ended with the relay that held it, so it is asked again, in the shell that input was held for.
  expect(now.filter(({ state }) => state === "open")).toMatchObject([{ shellId: next, answerable: true }]);
  expect(now[0]?.id).toBe((before?.id ?? 0) + 1);
  const { budgets: known } = relay.relay;
  const [setting] = known.list();
  if (setting === undefined) throw new Error("the budget is lost");
  const held = known.count(setting, relay.session);
  expect((await answer(relay, now[0]?.id ?? 0, { option: "run" })).status).toBe(200);
  known.setCount(setting, held);
  await second.leave();
  await relay.restart();
  await using _third = await relay.join();
  const { shell: last } = await openShell(relay, "last");
  agents.spend(relay, last, { cost: 0 });
  expect(await write(relay, last)).toBe("ok");
  expect(relay.errors).toEqual([]);
});

test("an approximate price only warns where only what is certain is to hold, at 80% and at 100%, each once", async () => {
  const agents = new SpendingAgents();
  await using relay = await startTestRelay({ agents: agents.port });
  await using client = await relay.join();
  const { shell } = await openShell(relay);
  await setBudget(relay, "day", { limit: 10, atLimit: "hold-certain" });
  agents.spend(relay, shell, { cost: 8, approximate: true });
  const warned = (await client.event("budget.warned")).data;
  expect(warned).toMatchObject({ scope: "day", percent: 80, spent: 8, limit: 10, approximate: 8 });
  agents.spend(relay, shell, { cost: 9, unpriced: true });
  expect(await write(relay, shell)).toBe("ok");
  await until("the second warning", () => client.events.filter(({ type }) => type === "budget.warned").length === 2);
  expect(client.events.at(-1)).toMatchObject({
    type: "budget.warned",
    data: { percent: 100, spent: 17, unpriced: true },
  });
  expect(await list(relay)).toEqual([]);
  await setBudget(relay, "day", { limit: 10 });
  expect(await write(relay, shell)).toBe("budget_reached");
  expect((await list(relay))[0]?.text).toContain("About $8.00 of it was priced as a similar model");
  expect((await relay.request("DELETE", "/v1/budgets/day")).status).toBe(200);
  await setBudget(relay, "day", { unit: "tokens", limit: 1000 });
  agents.spend(relay, shell, { output: 1000 });
  expect(await write(relay, shell)).toBe("budget_reached");
  expect((await list(relay))[0]?.options[0]?.label).toBe("Allow 1,000,000 tokens more");
});

test("what was used while the relay was away is told at its start, to a subscriber that comes later, too", async () => {
  const agents = new SpendingAgents();
  await using relay = await startTestRelay({ agents: agents.port });
  const client = await relay.join();
  const { shell } = await openShell(relay);
  await setBudget(relay, "day", { limit: 10, atLimit: "warn" });
  await client.leave();
  agents.use(relay.session, shell, { cost: 8 });
  await relay.restart();
  const told: number[] = [];
  const events = () => relay.relay.sessions.get(relay.session).state.events.after(0).events;
  await until("the warning", () => events().some(({ event }) => event.type === "budget.warned"));
  relay.relay.governor.onAlert(({ percent }) => told.push(percent));
  expect(told).toEqual([80]);
});

test("a budget that warns does not hold, and a removed one lets go and withdraws its question", async () => {
  const agents = new SpendingAgents();
  await using relay = await startTestRelay({ agents: agents.port });
  await using _client = await relay.join();
  const { shell } = await openShell(relay);
  const forOne = await relay.request("PUT", "/v1/budgets/day", { body: { limit: 1, subject: "session-1" } });
  expect(forOne.headers.get("x-service-error")).toBe("invalid_params");
  await setBudget(relay, "model", { limit: 1, atLimit: "warn", subject: "claude-*" });
  agents.spend(relay, shell, { cost: 2 });
  expect(await write(relay, shell)).toBe("ok");
  await setBudget(relay, "model", { limit: 1, subject: "claude-*" });
  expect(await write(relay, shell)).toBe("budget_reached");
  expect((await list(relay))[0]?.title).toBe("Today's budget of claude-* is spent");
  expect((await relay.request("DELETE", "/v1/budgets/model")).status).toBe(404);
  expect((await relay.request("DELETE", "/v1/budgets/model?subject=claude-*")).status).toBe(200);
  expect(await list(relay)).toEqual([]);
  expect(await write(relay, shell)).toBe("ok");
});

test("a client that is no admin answers no budget's question, and a restricted key changes no budget", async () => {
  const agents = new SpendingAgents();
  await using relay = await startTestRelay({ agents: agents.port });
  await using guest = await relay.join({ role: "writer" });
  const { shell } = await openShell(relay);
  await setBudget(relay, "session", { limit: 1 });
  agents.spend(relay, shell, { cost: 2 });
  expect(await write(relay, shell)).toBe("budget_reached");
  await expect(guest.client.ask("answerQuestion", { id: 1, option: "run" })).rejects.toMatchObject({
    code: "scope_forbids",
  });
  const { secret } = relay.relay.keys.create({
    owner: relay.relay.user,
    name: "small",
    restrictions: { ownShells: true },
  });
  const small = await relay.request("PUT", "/v1/budgets/session", {
    headers: { "X-Service-Token": secret },
    body: { limit: 100 },
  });
  expect(small.headers.get("x-service-error")).toBe("scope_forbids");
  expect((await list(relay))[0]?.state).toBe("open");
  expect(await write(relay, shell)).toBe("budget_reached");
});

test("usage is listed by day over HTTP, for readers of the relay's owner", async () => {
  const agents = new SpendingAgents();
  await using relay = await startTestRelay({ agents: agents.port });
  await using _client = await relay.join();
  const { shell, token } = await openShell(relay);
  agents.spend(relay, shell, { cost: 2 });
  const { status, text } = await relay.request("GET", "/v1/usage?days=1", { headers: { "X-Service-Token": token } });
  expect(status).toBe(200);
  expect(JSON.parse(text).result).toMatchObject([{ cost: 2, model: agents.model, sessionId: `agent-${shell}` }]);
  expect((await relay.request("GET", "/v1/usage?days=0")).status).toBe(400);
});

test("what an agent has written is read before a prompt for it, so that its last turn counts", async () => {
  const agents = new SpendingAgents();
  let written = 0;
  const readLatest: SpendingAgents["port"]["readLatest"] = async (session, shell) => {
    agents.use(session, shell, { cost: written });
    written = 0;
  };
  await using relay = await startTestRelay({ agents: { ...agents.port, readLatest } });
  await using _client = await relay.join();
  const { shell } = await openShell(relay);
  await setBudget(relay, "agent", { limit: 10 });
  agents.spend(relay, shell, { cost: 9 });
  written = 2;
  const { sends } = relay.relay.sessions.get(relay.session);
  const sent = await relay.request("POST", `/v1/sessions/${relay.session}/prompts`, {
    body: { shellId: shell, text: "one more", when: "now" },
  });
  expect(sent.status).toBe(201);
  const refused = await until("the refusal", () => sends.list({ all: true }).find(({ final }) => final));
  expect(refused).toMatchObject({ state: "refused", reason: "budget_reached" });
});

test("a limit of the 5-hour window holds and asks as money does, and ends with the window's reset", async () => {
  const agents = new SpendingAgents();
  await using relay = await startTestRelay({ agents: agents.port });
  await using _client = await relay.join();
  const { shell } = await openShell(relay);
  await setBudget(relay, "window", { subject: "5h", limit: 90 });
  agents.useWindow(relay, shell, 89);
  expect(await write(relay, shell)).toBe("ok");
  agents.useWindow(relay, shell, 92);
  expect(await write(relay, shell)).toBe("budget_reached");
  const [question] = await list(relay);
  expect(question).toMatchObject({
    title: "The 5-hour window of claude has reached its limit",
    text: expect.stringContaining("92% are used, and the limit is 90%."),
  });
  expect(question?.options.map(({ label }) => label)).toEqual(["Allow 5% more", "Stop the turn", "Let it run"]);
  expect((await answer(relay, 1, { option: "more" })).status).toBe(200);
  expect(await write(relay, shell)).toBe("ok");
  agents.useWindow(relay, shell, 97);
  expect(await write(relay, shell)).toBe("budget_reached");
  expect(await list(relay)).toMatchObject([{ id: 2, state: "open" }]);
  agents.useWindow(relay, shell, 0);
  expect(await write(relay, shell)).toBe("ok");
  expect(await list(relay)).toEqual([]);
  // The limit is not raised any more.
  agents.useWindow(relay, shell, 91);
  expect(await write(relay, shell)).toBe("budget_reached");
  expect(relay.errors).toEqual([]);
});

test("only windows have limits in percent, and nothing else", async () => {
  await using relay = await startTestRelay();
  for (const [scope, body] of [
    ["window", { limit: 5, unit: "dollars" }],
    ["window", { limit: 101 }],
    ["day", { limit: 5, unit: "percent" }],
  ] as const)
    await expect(setBudget(relay, scope, body)).rejects.toThrow(/^(unit|limit): /);
  await setBudget(relay, "window", { limit: 90 });
  expect(await budgets(relay)).toEqual([
    { scope: "window", subject: "", unit: "percent", limit: 90, atLimit: "hold", uses: [] },
  ]);
  const { status } = await relay.request("DELETE", "/v1/budgets/window");
  expect([status, await budgets(relay)]).toEqual([200, []]);
});

test("a budget for what cannot exist is refused, and one that nothing counts against says so", async () => {
  await using relay = await startTestRelay();
  const set = (scope: string, body: object) => relay.request("PUT", `/v1/budgets/${scope}`, { body });
  for (const [scope, subject] of [
    ["shell", "3"],
    ["session", "nope"],
    ["window", "banana"],
    ["day", "today"],
  ] as const) {
    const { status, text } = await set(scope, { limit: 5, subject });
    expect([scope, status, text]).toEqual([scope, 400, expect.stringContaining(JSON.stringify(subject).slice(1, -1))]);
  }
  const unseen = await set("shell", { limit: 5, subject: `${relay.session}/99` });
  expect([unseen.status, JSON.parse(unseen.text)]).toMatchObject([
    200,
    { result: { note: expect.stringContaining("/99") } },
  ]);
  expect(JSON.parse((await set("shell", { limit: 5 })).text)).not.toHaveProperty("result.note");
});
