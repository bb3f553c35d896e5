import { expect, test } from "vitest";
import { AgentLab, session, until } from "../integration/main/agents/agent-lab.ts";
import { actors, expected, start } from "../integration/main/agents/stage.ts";
import { answer, list, openShell } from "../support/agent-questions.ts";
import { joinRelay } from "../support/scripted-client.ts";
import { SpendingAgents } from "../support/spending-agents.ts";
import { startTestRelay } from "../support/test-relay.ts";

test("that is a program in a shell neither changes a budget nor answers its question", async () => {
  const agents = new SpendingAgents();
  await using relay = await startTestRelay({ agents: agents.port });
  await using _client = await relay.join();
  const { shell, token } = await openShell(relay);
  const body = { limit: 1 };
  expect((await relay.request("PUT", "/v1/budgets/session", { body })).status).toBe(200);
  agents.spend(relay, shell, { cost: 2 });
  const type = (key: string) =>
    relay.post({ method: "writeToShell", params: { id: shell, data: "x" } }, { "X-Service-Token": key });
  expect((await type(token)).headers.get("x-service-error")).toBe("budget_reached");
  const headers = { "X-Service-Token": token };
  const attacks = [
    relay.request("PUT", "/v1/budgets/session", { headers, body: { limit: 100 } }),
    relay.request("PUT", "/v1/budgets/session", { headers, body: { limit: 1, atLimit: "warn" } }),
    relay.request("DELETE", "/v1/budgets/session", { headers }),
    relay.request("PUT", "/v1/budgets", { headers, body: { session: 100 } }),
    answer(relay, 1, { option: "more" }, token),
    answer(relay, 1, { option: "run" }, token),
    relay.post({ method: "answerQuestion", params: { id: 1, option: "run" } }, headers),
  ];
  for (const { status } of await Promise.all(attacks)) expect([400, 403]).toContain(status);
  expect((await list(relay))[0]).toMatchObject({ id: 1, state: "open" });
  for (const key of [token, relay.key]) expect((await type(key)).headers.get("x-service-error")).toBe("budget_reached");
  expect((await answer(relay, 1, { option: "run" })).status).toBe(200);
  expect((await type(token)).status).toBe(200);
});

test("that is a program with a key for automation gets past a budget by no door, and does not answer its question", async () => {
  const agents = new SpendingAgents();
  await using relay = await startTestRelay({ agents: agents.port });
  await using person = await relay.join({ over: "socket" });
  const { shell, key: tile } = await openShell(relay);
  await relay.request("PUT", "/v1/budgets/session", { body: { limit: 1 } });
  agents.spend(relay, shell, { cost: 2 });
  const restrictions = { automation: true } as const;
  const { secret: key } = relay.relay.keys.create({ owner: relay.relay.user, name: "loop", restrictions });
  const headers = { "X-Service-Token": key };
  await using program = await joinRelay({ relay: relay.relay, session: relay.session, key }, { over: "socket" });
  const typed = { shell, data: "x", raw: true } as const;
  await expect(program.client.ask("writeShell", typed)).rejects.toMatchObject({ code: "budget_reached" });
  await expect(program.client.ask("sendKeys", { shell, keys: ["x"] })).rejects.toMatchObject({
    code: "budget_reached",
  });
  await expect(program.client.ask("runInShell", { shell, command: "x", wait: false })).rejects.toMatchObject({
    code: "budget_reached",
  });
  for (const [method, params] of [
    ["writeToShell", { id: shell, data: "x" }],
    ["sendKeys", { id: shell, keys: ["x"] }],
    ["runCommand", { tile, command: "x" }],
  ] as const) {
    expect(
      (await relay.post({ method, params, target_client_id: person.id }, headers)).headers.get("x-service-error"),
    ).toBe("budget_reached");
  }
  const toAll = await relay.post(
    { method: "broadcastInput", params: { ids: [shell], data: "x" }, target_client_id: person.id },
    headers,
  );
  expect(toAll.text).toContain("Automated input to shell 1 is held.");
  // A plugin in the person's own window.
  for (const [method, params] of [
    ["writeToShell", { id: shell, data: "x", raw: true }],
    ["sendKeys", { id: shell, keys: ["x"] }],
  ] as const) {
    await expect(person.client.execute(method, params, "plugin")).rejects.toMatchObject({ code: "budget_reached" });
  }
  const { id = 0 } = (await list(relay))[0] ?? {};
  const answered = await answer(relay, id, { option: "run" }, key);
  expect(answered.headers.get("x-service-error")).toBe("scope_forbids");
  await expect(program.client.ask("answerQuestion", { id, option: "run" })).rejects.toMatchObject({
    code: "scope_forbids",
  });
  expect(await person.client.ask("writeShell", typed)).toMatchObject({ id: shell });
  expect((await person.client.ask("answerQuestion", { id, option: "run" })).state).toBe("answered");
  // No longer by the budget, but by what the person has typed and not sent.
  await expect(program.client.ask("writeShell", typed)).rejects.toMatchObject({ code: "draft_unsent" });
  await person.client.ask("writeShell", { ...typed, data: "\r" });
  expect(await program.client.ask("writeShell", typed)).toMatchObject({ id: shell });
});

test("that is a program in another shell takes no use out of an agent's sums by reporting its session as that of its own agent", async () => {
  using lab = new AgentLab();
  const gemini = actors.find(({ kind }) => kind === "gemini");
  if (gemini === undefined) throw new Error("no gemini among the actors");
  const [own, other] = [lab.shell(lab.folder("work")), lab.shell(lab.folder("work"))];
  const { sessionId, kind } = gemini;
  const agents = () => lab.agents.list(session).map((agent) => ({ shell: agent.shellId, of: agent.sessionId }));
  lab.agents.start();
  await start(lab, gemini, own);
  own.run("play");
  const { tokenUsage } = expected[sessionId];
  const used = () => lab.agents.cost(session).agents.map(({ shellId, output }) => ({ shellId, output }));
  const counted = [{ shellId: own.shellId, output: tokenUsage.output }];
  await until("its use", () => used()[0]?.output === tokenUsage.output);
  const begun = Date.now();
  // Folder and time speak for the first agent only.
  await until("the clock to tell both starts apart", () => Date.now() > begun + 1000);
  await start(lab, { ...gemini, kind }, other, { as: "another" });
  await until("the other agent", async () => {
    await lab.agents.poll();
    return agents().length === 2;
  });
  expect(used()).toEqual(counted);
  lab.agents.reportIdle(session, other.shellId, kind, sessionId);
  lab.agents.reportLimits(session, other.shellId, kind, {
    ...{ kind: "limits", agentSessionId: sessionId, contextSize: 1, windows: [] },
  });
  await lab.agents.poll();
  await lab.agents.poll();
  expect(agents()).toEqual([
    { shell: own.shellId, of: sessionId },
    { shell: other.shellId, of: "" },
  ]);
  expect(used()).toEqual(counted);
});
