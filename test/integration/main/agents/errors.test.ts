import { afterEach, beforeEach, expect, test } from "vitest";
import { AgentLab, session, until } from "./agent-lab.ts";
import { actors, quit, start } from "./stage.ts";

let lab: AgentLab;
beforeEach(() => {
  lab = new AgentLab();
});
afterEach(() => lab[Symbol.dispose]());

const claude = { kind: "claude", transcript: actors[0]?.transcript ?? "" } as const;
const report = (fields: string) => `say 7501;${fields}`;
const base64 = (text: string) => Buffer.from(text).toString("base64");
const agent = () => lab.agents.list(session)[0];

test("a reported error is the agent's state, with its message, until the next report takes it back", async () => {
  const shell = lab.shell(lab.folder("work"));
  lab.agents.start();
  await start(lab, claude, shell);
  await until("the agent", agent);
  shell.run(report("state=working:app=claude-code"));
  await until("work", () => agent()?.state === "working");
  shell.run(report(`state=error:app=claude-code:msg=${base64("API Error: 529\n\u001b[31moverloaded")}`));
  await until("the error", () => agent()?.state === "error");
  expect(agent()).toMatchObject({
    message: "API Error: 529 [31moverloaded",
    reason: { source: "program-status", detail: "error: API Error: 529 [31moverloaded" },
  });
  const told = () => lab.changes.map(({ type, agent: { state } }) => `${type} ${state}`);
  await until("the event", () => told().includes("agent.updated error"));
  shell.run(report("state=working:app=claude-code"));
  await until("work again", () => agent()?.state === "working");
  expect(agent()?.message).toBeUndefined();
  shell.run(report("state=done:app=claude-code"));
  await until("idling", () => agent()?.state === "idle");
});

test("another program's report in the shell is not the agent's, and the shell's prompt ends an error", async () => {
  const shell = lab.shell(lab.folder("work"));
  lab.agents.start();
  await start(lab, claude, shell);
  await until("the agent", agent);
  shell.run(report("state=blocked:kind=permission:app=cargo"));
  shell.run(report("state=error:app=claude-code"));
  await until("the error", () => agent()?.state === "error");
  expect(lab.changes.map(({ type }) => type)).not.toContain("agent.waiting");
  shell.run("say 133;A");
  await until("the end of the error", () => agent()?.state === "idle");
});

test("an error that only the transcript tells is the agent's state, too", async () => {
  const failed = "claude/.claude/projects/-home-dev-my-proj-b/44444444-4444-4444-8444-444444444444.jsonl";
  const shell = lab.shell(lab.folder("work"));
  lab.agents.start();
  await start(lab, { kind: "claude", transcript: failed }, shell, { as: "claude-late" });
  shell.run("play");
  shell.run("say 0;✳ Claude Code");
  await until("the error", () => agent()?.state === "error");
  expect(agent()).toMatchObject({ message: "API Error: 400 stub failure 400", reason: { source: "transcript" } });
});

test("an agent's tasks and progress are its own, not those of another program, and end with it", async () => {
  const shell = lab.shell(lab.folder("work"));
  lab.agents.start();
  await start(lab, claude, shell);
  await until("the agent", agent);
  shell.run(report("state=working:app=cargo:id=early:progress=1"));
  shell.run(report("state=working:app=claude-code:progress=40"));
  shell.run(report(`state=working:id=tests:progress=7:msg=${base64("npm test")}`));
  shell.run(report("state=blocked:kind=permission:id=tests/unit:app=vitest"));
  await until("the tasks", () => agent()?.tasks?.length === 2);
  expect(agent()).toMatchObject({
    state: "working",
    progress: 40,
    tasks: [
      { id: "tests", state: "working", progress: 7, message: "npm test" },
      { id: "tests/unit", state: "waiting", app: "vitest" },
    ],
  });
  shell.run(report("state=working:app=cargo"));
  shell.run(report("state=working:id=build"));
  shell.run(report("state=done:app=claude-code"));
  await until("idling", () => agent()?.state === "idle");
  expect(agent()?.progress).toBeUndefined();
  expect(agent()?.tasks?.map(({ id }) => id)).toEqual(["tests", "tests/unit"]);
  shell.run(report("state=done:id=tests/unit"));
  await until("the task's end", () => agent()?.tasks?.at(-1)?.state === "ended");
  // A task that waits is no agent that waits.
  expect(lab.changes.map(({ type }) => type)).not.toContain("agent.waiting");
  await quit(shell);
  const ended = () => lab.changes.find(({ type }) => type === "agent.ended");
  await until("its end", ended);
  expect(ended()?.agent.tasks?.at(-1)).toMatchObject({ id: "tests/unit", state: "ended" });
});
