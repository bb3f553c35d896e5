import { beforeEach, expect, test } from "vitest";
import { SessionId, ShellId } from "../../../../core/protocol/ids.ts";
import type { AgentChange } from "../../../../main/agents/agents-options.ts";
import { ChangePace } from "../../../../main/agents/change-pace.ts";
import { parseTaskReport } from "../../../../main/agents/program-status.ts";
import { ReportedPrograms } from "../../../../main/agents/reported-programs.ts";

const sessionId = SessionId.parse("session-1");
const shell = { sessionId, shellId: ShellId.parse(1) };
const other = { sessionId, shellId: ShellId.parse(2) };

let changes: AgentChange[];
let programs: ReportedPrograms;
let now: number;
let timers: (() => void)[];
beforeEach(() => {
  changes = [];
  now = 0;
  timers = [];
  const after = (_ms: number, task: () => void) => {
    timers.push(task);
    return () => {};
  };
  programs = new ReportedPrograms({
    isKnown: (app) => app === "codex",
    onChange: (change) => changes.push(change),
    pace: new ChangePace({ now: () => now, after }),
  });
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

const reportTask = (payload: string, last?: string) => {
  const task = parseTaskReport(payload);
  if (task !== undefined) programs.reportTask(shell, task, { last, at: now });
};
const tasks = () => programs.list(sessionId)[0]?.tasks?.map(({ id, state, progress }) => [id, state, progress]);

test("a program's tasks are those under its name, or of the program that reported itself last", () => {
  programs.report(shell, "state=working:app=my-agent:progress=40", 1);
  reportTask("state=working:id=build/test:progress=7:app=my-agent");
  reportTask("state=done:id=build", "my-agent");
  reportTask("state=working:id=stray", "never-seen");
  reportTask("state=working:id=stray");
  expect(programs.list(sessionId)[0]?.progress).toBe(40);
  expect(tasks()).toEqual([
    ["build", "ended", undefined],
    ["build/test", "working", 7],
  ]);
  programs.report(shell, "state=clear:app=my-agent", 2);
  expect(changes.at(-1)).toMatchObject({
    type: "agent.ended",
    agent: { tasks: [{ state: "ended" }, { state: "ended" }] },
  });
});

test("a program that changes all the time is told of a few times a second, and at last as it is", () => {
  for (let turn = 0; turn <= 1000; turn += 1)
    programs.report(shell, `state=working:app=my-agent:progress=${turn % 100}:msg=${btoa(String(turn))}`, turn);
  for (let turn = 0; turn < 1000; turn += 1) {
    programs.report(shell, "state=clear:app=my-agent", turn);
    programs.report(shell, "state=working:app=my-agent:progress=99", turn);
  }
  expect(changes.length).toBeLessThan(30);
  expect(timers).toHaveLength(1);
  for (const run of timers) run();
  expect(changes.at(-1)?.agent.progress).toBe(99);
});
