import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { HookReply, HookReport } from "../../../../core/protocol/agent-hooks.ts";
import { CodexQuestions, type CodexTerminal } from "../../../../main/agents/protocols/codex-questions.ts";
import { CodexAppServer } from "../../../support/codex-app-server.ts";
import { until } from "../../../support/until.ts";

let folder: string;
let home: string;
let server: CodexAppServer;
let terminals: CodexTerminal[];
let reports: { terminal: CodexTerminal; key: string; report: HookReport; signal: AbortSignal }[];
let decide: (output: HookReply["output"]) => void;
let questions: CodexQuestions<CodexTerminal>;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "cx-"));
  home = join(folder, "home");
  server = await CodexAppServer.start(home, join(folder, "s"));
  server.threads.add("t-1");
  terminals = [{ thread: "t-1", home, cwd: "/project" }];
  reports = [];
  questions = new CodexQuestions({
    terminals: () => terminals,
    report: (terminal, key, report, signal) => {
      reports.push({ terminal, key, report, signal });
      return new Promise((resolve) => {
        decide = resolve;
        if (report.kind !== "asks") resolve({});
      });
    },
  });
});
afterEach(async () => {
  questions[Symbol.dispose]();
  await server[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

const request = (id: number, more: object = {}) => ({
  id,
  method: "item/commandExecution/requestApproval",
  params: {
    threadId: "t-1",
    turnId: "turn",
    itemId: "call-1",
    command: "make",
    availableDecisions: ["accept", "cancel"],
    ...more,
  },
});
const kinds = () => reports.map(({ report }) => report.kind);
const followed = (count = 1) => until("the thread is followed", () => server.called("thread/resume").length >= count);

async function asked(): Promise<void> {
  questions.update();
  await followed();
  server.send(request(7));
  await until("the question", () => kinds().includes("asks"));
}

test("a request of a followed thread is reported, and the answer is the reply to it", async () => {
  await asked();
  expect(reports).toMatchObject([{ terminal: { thread: "t-1" }, report: { question: { title: "Run: make" } } }]);
  expect(server.called("initialized")).toHaveLength(1);
  decide({ decision: "accept" });
  await until("the reply", () => server.replies().length === 1);
  expect(server.replies()).toEqual([{ id: 7, result: { decision: "accept" } }]);
});

test("a request that another client has answered is settled, and a later answer is not sent", async () => {
  await asked();
  server.send({ method: "serverRequest/resolved", params: { threadId: "t-1", requestId: 7 } });
  await until("the report", () => kinds().includes("settled"));
  expect(reports.at(-1)?.report).toEqual({ kind: "settled", agentSessionId: "t-1", call: "t-1/call-1" });
  decide({ decision: "accept" });
  server.send(request(8, { itemId: "call-2" }));
  await until("the next question", () => kinds().filter((kind) => kind === "asks").length === 2);
  decide({ decision: "cancel" });
  await until("the reply", () => server.replies().length > 0);
  expect(server.replies()).toEqual([{ id: 8, result: { decision: "cancel" } }]);
});

test("nothing is sent without a decision", async () => {
  await asked();
  decide({});
  server.send(request(8, { itemId: "call-2" }));
  await until("the next question", () => reports.length === 2);
  decide({ decision: "accept" });
  await until("the reply", () => server.replies().length > 0);
  expect(server.replies().map(({ id }) => id)).toEqual([8]);
});

test("what a tool call and a turn have come to is reported", async () => {
  await asked();
  const item = (status: string) => ({ threadId: "t-1", item: { id: "call-1", type: "commandExecution", status } });
  server.send({ method: "item/completed", params: item("declined") });
  server.send({ method: "item/completed", params: item("failed") });
  server.send({ method: "turn/completed", params: { threadId: "t-1", turn: {} } });
  await until("the reports", () => reports.length === 3);
  expect(reports.slice(1).map(({ report }) => report)).toEqual([
    { kind: "ran", agentSessionId: "t-1", call: "t-1/call-1" },
    { kind: "turn", agentSessionId: "t-1", thread: "t-1" },
  ]);
});

test("of two approvals of one tool call, the answer to one settles that alone, and the call's run both", async () => {
  questions.update();
  await followed();
  server.send(request(7, { approvalId: "a" }));
  server.send(request(8, { approvalId: "b" }));
  server.send({ method: "serverRequest/resolved", params: { threadId: "t-1", requestId: 7 } });
  const item = { id: "call-1", type: "commandExecution", status: "completed" };
  server.send({ method: "item/completed", params: { threadId: "t-1", item } });
  await until("the reports", () => reports.length === 6);
  expect(reports.map(({ report }) => report)).toMatchObject([
    { kind: "asks", question: { call: "t-1/a" } },
    { kind: "asks", question: { call: "t-1/b" } },
    { kind: "settled", call: "t-1/a" },
    { kind: "ran", call: "t-1/call-1" },
    { kind: "ran", call: "t-1/a" },
    { kind: "ran", call: "t-1/b" },
  ]);
});

test("a sub-agent's request belongs to the terminal of its root, with the files that its item has told", async () => {
  questions.update();
  await followed();
  server.threads.add("t-2");
  server.send({ method: "thread/started", params: { thread: { id: "t-2", sessionId: "t-1" } } });
  server.send({ method: "thread/status/changed", params: { threadId: "t-2", status: { type: "active" } } });
  await followed(2);
  const changes = [{ path: "/project/a.txt", kind: { type: "add" }, diff: "+a" }];
  server.send({ method: "item/started", params: { threadId: "t-2", item: { id: "c", type: "fileChange", changes } } });
  server.send({ id: "x", method: "item/fileChange/requestApproval", params: { threadId: "t-2", itemId: "c" } });
  await until("the question", () => reports.length === 1);
  expect(reports[0]).toMatchObject({
    terminal: { thread: "t-1" },
    report: { question: { agentSessionId: "t-1", thread: "t-2", detail: { files: ["/project/a.txt"] } } },
  });
});

test("threads of other terminals are neither followed nor asked about", async () => {
  questions.update();
  await followed();
  server.threads.add("t-other");
  server.send({ method: "thread/status/changed", params: { threadId: "t-other", status: { type: "active" } } });
  server.send(request(6, { threadId: "t-other" }));
  server.send(request(7));
  await until("the question", () => reports.length === 1);
  expect(reports[0]?.terminal.thread).toBe("t-1");
  expect(JSON.stringify(server.called("thread/resume"))).not.toContain("t-other");
});

test("a thread that the server has not loaded is never loaded by it, and followed as soon as it is", async () => {
  server.threads.clear();
  terminals.push({ thread: "t-2", home, cwd: "/project" });
  questions.update();
  await until("the loaded threads", () => server.called("thread/loaded/list").length === 1);
  server.threads.add("t-2");
  server.send({ method: "thread/status/changed", params: { threadId: "t-2", status: { type: "active" } } });
  await followed();
  questions.update();
  server.send({ method: "thread/status/changed", params: { threadId: "t-2", status: { type: "notLoaded" } } });
  server.send({ method: "thread/status/changed", params: { threadId: "t-2", status: { type: "active" } } });
  await followed(2);
  expect(server.called("thread/resume").map(({ params }) => params)).toMatchObject([
    { threadId: "t-2" },
    { threadId: "t-2" },
  ]);
});

test("a thread that is refused at first is followed later", async () => {
  questions.update();
  await followed();
  server.threads.clear();
  server.send({ method: "thread/status/changed", params: { threadId: "t-1", status: { type: "notLoaded" } } });
  server.send({ method: "thread/started", params: { thread: { id: "t-1", sessionId: "t-1" } } });
  await until("the refusal", () => {
    questions.update();
    return server.called("thread/resume").length > 2;
  });
});

test("a request is reported once its thread's terminal is known", async () => {
  terminals = [{ thread: "t-0", home, cwd: "/project" }];
  server.threads.add("t-0");
  questions.update();
  await followed();
  server.send(request(7));
  server.send({ method: "turn/completed", params: { threadId: "t-0" } });
  await until("what was sent after it", () => kinds().includes("turn"));
  expect(kinds()).toEqual(["turn"]);
  terminals = [{ thread: "t-1", home, cwd: "/project" }];
  questions.update();
  await until("the question", () => kinds().includes("asks"));
});

test("a connection that ends ends the wait; the next one continues the question", async () => {
  await asked();
  server.drop();
  await until("the end of the wait", () => reports[0]?.signal.aborted);
  const before = server.called("thread/resume").length;
  await until("another connection", () => {
    questions.update();
    return server.called("thread/resume").length > before;
  });
  server.send(request(0));
  await until("the question again", () => reports.length === 2);
  expect(reports[1]?.key).toBe(reports[0]?.key);
  decide({ decision: "accept" });
  await until("the reply", () => server.replies().length === 1);
});

test("the thread of a terminal that has ended is left, and its connection with the last one", async () => {
  terminals.push({ thread: "t-2", home, cwd: "/project" });
  server.threads.add("t-2");
  questions.update();
  await followed(2);
  terminals.pop();
  questions.update();
  await until("the thread is left", () => server.called("thread/unsubscribe").length === 1);
  expect(server.called("thread/unsubscribe")).toMatchObject([{ params: { threadId: "t-2" } }]);
  await asked();
  terminals = [];
  questions.update();
  await until("the end of the wait", () => reports[0]?.signal.aborted);
});

test("bytes that are no messages change nothing", async () => {
  questions.update();
  await followed();
  for (const text of ["", "{", "null", "[]", '"x"', '{"id":{}}', '{"method":7}']) server.sendText(text);
  for (const method of ["thread/started", "serverRequest/resolved", "item/completed", "item/started", "turn/completed"])
    for (const params of [undefined, null, 1, {}, { threadId: 1 }, { threadId: "t-1", item: null }])
      server.send({ method, params });
  server.send(request(7));
  await until("the question", () => kinds().includes("asks"));
});

test("without an app server nothing happens until there is one", async () => {
  await server[Symbol.asyncDispose]();
  questions.update();
  server = await CodexAppServer.start(home, join(folder, "s2"));
  server.threads.add("t-1");
  await asked();
});
