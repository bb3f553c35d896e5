import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { AgentLab, session, until } from "./agent-lab.ts";
import { actors, expected, start } from "./stage.ts";

let lab: AgentLab;
beforeEach(() => {
  lab = new AgentLab();
});
afterEach(() => lab[Symbol.dispose]());

test("an agent that resumes an older session within it is followed once that is proven, and the one before stays counted", async () => {
  const actor = actors.find(({ kind }) => kind === "gemini") ?? expect.unreachable();
  const shell = lab.shell(lab.folder("work", "my.project"));
  const { tokenUsage } = expected[actor.sessionId];
  const current = () => lab.agents.list(session)[0];
  lab.agents.start();
  await start(lab, actor, shell);
  shell.run("play");
  await until("the usage", () => current()?.tokenUsage.output === tokenUsage.output);
  const old = "0c1cdd35-c777-43bf-960b-8ee784f938d7";
  const head = { sessionId: old, startTime: "2026-11-20T02:57:00.000Z", kind: "main" };
  const chats = join(lab.home, ".gemini", "tmp", "slug", "chats");
  writeFileSync(join(chats, "session-2026-11-20T02-57-0c1cdd35.jsonl"), `${JSON.stringify(head)}\n`);
  await lab.agents.poll();
  await lab.agents.poll();
  expect(current()?.sessionId).toBe(actor.sessionId);
  lab.agents.reportIdle(session, shell.shellId, actor.kind, old);
  await until("the older session", () => current()?.sessionId === old);
  expect(current()?.assumed).toBeUndefined();
  await lab.agents.poll();
  await lab.agents.poll();
  expect(current()?.sessionId).toBe(old);
  expect(lab.agents.cost(session).total.output).toBe(tokenUsage.output);
  const left = lab.agents.sessions(session).find(({ sessionId }) => sessionId === actor.sessionId);
  expect(left).toMatchObject({ status: "ended", tokenUsage: { output: tokenUsage.output } });
});
