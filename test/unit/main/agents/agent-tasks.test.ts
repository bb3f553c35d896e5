import { expect, test } from "vitest";
import { AgentTasks } from "../../../../main/agents/agent-tasks.ts";
import { parseProgramReport, parseTaskReport } from "../../../../main/agents/program-status.ts";

const base64 = (text: string | Uint8Array) => Buffer.from(text).toString("base64");

function told(...payloads: readonly string[]) {
  const tasks = new AgentTasks();
  for (const [at, payload] of payloads.entries()) {
    const report = parseTaskReport(payload);
    if (report !== undefined) tasks.report(report, at);
  }
  return tasks;
}
const states = (tasks: AgentTasks) => tasks.list().map(({ id, state }) => `${id} ${state}`);

test("a report replaces its task, whose parts follow it in the list", () => {
  const tasks = told(
    `state=working:id=build/test:progress=50:title=${base64("Tests")}:msg=${base64("17 of 34")}:app=vitest`,
    "state=working:id=build-all",
    "state=blocked:kind=permission:id=build:progress=9",
    "state=error:id=lint",
    "state=idle:id=watch",
    "state=done:id=build-all:progress=100",
  );
  expect(states(tasks)).toEqual(["build waiting", "build/test working", "build-all ended", "lint error", "watch idle"]);
  expect(tasks.list()[1]).toEqual({
    id: "build/test",
    state: "working",
    since: new Date(0).toISOString(),
    app: "vitest",
    title: "Tests",
    message: "17 of 34",
    progress: 50,
  });
  expect(tasks.list()[2]).not.toHaveProperty("progress");
  tasks.report({ id: "build/test", said: "working", status: "working" }, 9);
  expect(tasks.list()[1]).toEqual({ id: "build/test", state: "working", since: new Date(0).toISOString() });
});

test("a task's clear takes its parts along, and no other task that begins alike", () => {
  const tasks = told("state=working:id=a", "state=working:id=a/b", "state=working:id=ab", "state=clear:id=a");
  expect(states(tasks)).toEqual(["ab working"]);
});

test("at the prompt results stay; at the program's end nothing runs on", () => {
  const tasks = told("state=working:id=a:progress=3", "state=done:id=b", "state=error:id=c", "state=blocked:id=d");
  expect(tasks.list(true).map(({ id, state, progress }) => [id, state, progress])).toEqual([
    ["a", "ended", undefined],
    ["b", "ended", undefined],
    ["c", "error", undefined],
    ["d", "ended", undefined],
  ]);
  tasks.prompted();
  expect(states(tasks)).toEqual(["b ended", "c error"]);
});

test("of more than 64 tasks the one that was reported longest ago goes", () => {
  const tasks = told(...Array.from({ length: 64 }, (_, index) => `state=working:id=t${index}`), "state=idle:id=t0");
  for (let index = 0; index < 1000; index += 1)
    tasks.report({ id: `new${index % 63}`, said: "idle", status: "idle" }, 1);
  expect(tasks.list()).toHaveLength(64);
  expect(states(tasks)).toContain("t0 idle");
});

test.each([
  "state=working:id=",
  "state=working:id=/",
  "state=working:id=a//b",
  "state=working:id=../..%2f",
  "state=working:id=a b",
  `state=working:id=${"x".repeat(33)}`,
  `state=working:id=${"a/".repeat(8)}b`,
  `state=working:id=${Array(5).fill("x".repeat(31)).join("/")}`,
  "state=dancing:id=a",
  "id=a",
  `state=working:id=a:x=${"1".repeat(4096)}`,
])("%j is a report neither of a task nor of the program", (payload) => {
  expect(parseTaskReport(payload)).toBeUndefined();
  expect(parseProgramReport(payload)).toBeUndefined();
});

test("texts are one line of what the protocol allows; what is no text is left out", () => {
  const report = (fields: string) => parseTaskReport(`state=working:id=a:${fields}`);
  expect(report(`title=${base64("x".repeat(500))}`)?.title).toHaveLength(192);
  expect(report(`msg=${base64("a\u001b[31m\nb\u202ec")}`)?.message).toBe("a [31m bc");
  expect(report(`title=${base64(new Uint8Array([0xff, 0xfe]))}`)).not.toHaveProperty("title");
  expect(report("title=not*base64")).not.toHaveProperty("title");
});

test.each([
  ["state=working:progress=0", 0],
  ["state=blocked:progress=100", 100],
  ["state=working:progress=101", undefined],
  ["state=working:progress=-1", undefined],
  ["state=working:progress=4.5", undefined],
  ["state=working:progress=", undefined],
  ["state=done:progress=50", undefined],
  ["state=idle:progress=50", undefined],
])("%j has the progress %j", (payload, progress) => {
  expect(parseProgramReport(payload)?.progress).toBe(progress);
});
