import { beforeEach, expect, test } from "vitest";
import { SessionId, ShellId } from "../../../../core/protocol/ids.ts";
import type { AgentChange } from "../../../../main/agents/agents-options.ts";
import { ReportedPrograms } from "../../../../main/agents/reported-programs.ts";

const sessionId = SessionId.parse("session-1");
const shell = { sessionId, shellId: ShellId.parse(1) };
const other = { sessionId, shellId: ShellId.parse(2) };

let changes: AgentChange[];
let programs: ReportedPrograms;
beforeEach(() => {
  changes = [];
  programs = new ReportedPrograms(
    (app) => app === "codex",
    (change) => changes.push(change),
  );
});

const told = () => changes.map(({ type, agent }) => `${type} ${agent.agentType} ${agent.state}`);
const listed = () => programs.list(sessionId).map(({ agentType, state }) => `${agentType} ${state}`);

test("a program without an adapter is listed under its name with its state, and ends with its clear", () => {
  expect(programs.report(shell, "state=working:app=my-agent", 1000)).toBe(true);
  expect(programs.report(shell, "state=working:app=my-agent", 2000)).toBe(true);
  expect(listed()).toEqual(["my-agent working"]);
  programs.report(shell, `state=blocked:kind=permission:app=my-agent:msg=${btoa("touch x?")}`, 3000);
  expect(programs.list(sessionId)[0]).toMatchObject({
    state: "waiting",
    since: new Date(3000).toISOString(),
    reason: { source: "program-status", detail: "blocked: permission: touch x?" },
    tokenUsage: { input: 0, cost: 0 },
  });
  programs.report(shell, `state=error:app=my-agent:msg=${btoa("no network")}`, 4000);
  expect(programs.list(sessionId)[0]).toMatchObject({ state: "error", message: "no network" });
  programs.report(shell, "state=clear:app=my-agent", 5000);
  expect(listed()).toEqual([]);
  expect(told()).toEqual([
    "agent.started my-agent working",
    "agent.waiting my-agent waiting",
    "agent.updated my-agent error",
    "agent.ended my-agent ended",
  ]);
});

test("what has an adapter, gives no name, or tells of a background task is not listed", () => {
  for (const payload of ["state=working:app=codex", "state=working", "state=working:app=a b", "nonsense"])
    expect(programs.report(shell, payload, 1)).toBe(false);
  expect(programs.report(shell, "state=working:app=my-agent:id=7", 1)).toBe(false);
  programs.report(shell, "state=clear:app=never-seen", 1);
  expect(changes).toEqual([]);
});

test("the shell's prompt ends its programs, and a shell that is gone ends them too", () => {
  for (const place of [shell, other]) programs.report(place, "state=idle:app=my-agent", 1);
  programs.prompted(shell, 2);
  expect(programs.list(sessionId).map(({ shellId }) => shellId)).toEqual([2]);
  programs.keepOnly([shell], 3);
  expect(listed()).toEqual([]);
});

test("a shell cannot fill the list with names", () => {
  for (let index = 0; index < 100; index += 1) programs.report(shell, `state=working:app=name-${index}`, index);
  expect(listed()).toHaveLength(8);
});
