import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { LiveAgent } from "../../../../main/agents/live-agent.ts";
import { AgentLab, session, until } from "./agent-lab.ts";
import { actors, expected, quit, start } from "./stage.ts";

let lab: AgentLab;
beforeEach(() => {
  lab = new AgentLab();
});
afterEach(() => lab[Symbol.dispose]());

/** A thread's id is made anew, so only what it used tells that it is the right one. */
const cases = actors.map((actor) => ({
  ...actor,
  as: `${actor.kind}-late`,
  words: actor.kind === "codex" ? "exec" : "",
}));

test.each(cases)("$kind, seen once and over before its session was known, is counted", async (actor) => {
  const shell = lab.shell(lab.folder("work", "my.project"));
  await start(lab, actor, shell, actor);
  await lab.agents.poll();
  expect(lab.agents.list(session)[0]?.sessionId ?? "").toBe("");
  shell.run("play");
  await quit(shell);
  await lab.agents.poll();
  const { tokenUsage } = expected[actor.sessionId];
  const counted = () => lab.agents.cost(session).total;
  await until("the usage", () => counted().output === tokenUsage.output);
  expect(counted()).toMatchObject({ input: tokenUsage.input, cached: tokenUsage.cached });
  expect(lab.agents.sessions(session)).toMatchObject([{ agentType: actor.kind, status: "ended" }]);
  const restarted = lab.watch();
  await restarted.poll();
  await delay(100);
  expect(restarted.cost(session).total).toEqual(counted());
});

test.each(cases)("$kind, where two sessions may be its own, is given neither", async (actor) => {
  const [mine, elsewhere] = [lab.shell(lab.folder("work")), lab.shell(lab.folder("work"))];
  await start(lab, actor, mine, actor);
  await lab.agents.poll();
  mine.run("play");
  lab.hidden.add(elsewhere.shellId);
  // Of another transcript, or the second would be the same session.
  const others: Record<string, string> = {
    claude: "claude/.claude/projects/-home-dev-proj-a/33333333-3333-4333-8333-333333333333.jsonl",
    codex: "codex/.codex/sessions/2026/11/21/rollout-2026-11-21T02-57-02-01a1fc09-2d3e-7271-bef2-7b260fa504e2.jsonl",
    gemini: "gemini/.gemini/tmp/gem-proj/chats/session-2026-11-21T02-57-3b9227f4.jsonl",
  };
  await start(lab, { ...actor, transcript: others[actor.kind] ?? "" }, elsewhere, actor);
  elsewhere.run("play");
  await quit(elsewhere);
  await quit(mine);
  await lab.agents.poll();
  await until("agent.ended", () => actor.kind === "gemini" || lab.changes.at(-1)?.type === "agent.ended");
  expect(lab.agents.sessions(session)).toEqual([]);
  expect(lab.agents.cost(session).total.output).toBe(0);
});

test.each(cases)("$kind, that began and ended while nobody looked, is counted", async (actor) => {
  const shell = lab.shell(lab.folder("work", "my.project"));
  const { shellId } = shell;
  const agents = lab.watch({ screen: async () => shell.output() });
  await agents.poll();
  agents.signal(session, shellId, { kind: "command-start" });
  await start(lab, actor, shell, actor);
  shell.run("play");
  await delay(300);
  await quit(shell);
  agents.signal(session, shellId, { kind: "prompt" });
  await agents.poll();
  const { tokenUsage } = expected[actor.sessionId];
  await until("the usage", () => agents.cost(session).total.output === tokenUsage.output);
  expect(agents.sessions(session)).toMatchObject([{ agentType: actor.kind, status: "ended", shellId }]);
});

test("an agent that has ended is told and counted, although another one of the poll could not be", async () => {
  const [claude, codex] = actors;
  if (claude === undefined || codex === undefined) throw new Error("no actors");
  const [mine, other] = [lab.shell(lab.folder("work")), lab.shell(lab.folder("other"))];
  await start(lab, claude, mine);
  await start(lab, codex, other);
  await lab.agents.poll();
  mine.run("play");
  await quit(mine);
  const observe = vi.spyOn(LiveAgent.prototype, "observe").mockImplementation(() => {
    throw new Error("its process is gone");
  });
  await expect(lab.agents.poll()).rejects.toThrow("its process is gone");
  observe.mockRestore();
  const { tokenUsage } = expected[claude.sessionId];
  await until("the usage", () => lab.agents.cost(session).total.output === tokenUsage.output);
  await until("its end", () =>
    lab.changes.some(({ type, agent }) => type === "agent.ended" && agent.agentType === "claude"),
  );
});

test("what an agent writes while no relay runs is counted by the next one, once", async () => {
  const [claude] = actors;
  if (claude === undefined) throw new Error("no claude");
  const shell = lab.shell(lab.folder("work"));
  await start(lab, claude, shell);
  await lab.agents.poll();
  expect(lab.agents.list(session)).toMatchObject([{ sessionId: claude.sessionId }]);
  lab.agents[Symbol.dispose](); // as after a kill: nothing is written at the end
  shell.run("play");
  await quit(shell);
  const { tokenUsage } = expected[claude.sessionId];
  for (let restart = 0; restart < 3; restart += 1) {
    const next = lab.watch();
    await next.poll();
    await until("the usage", () => next.cost(session).total.output === tokenUsage.output);
    expect(next.sessions(session)).toMatchObject([{ sessionId: claude.sessionId, status: "ended" }]);
    next[Symbol.dispose]();
  }
});
