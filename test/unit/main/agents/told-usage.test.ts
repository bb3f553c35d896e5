import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { SessionId, ShellId } from "../../../../core/protocol/ids.ts";
import { readToldEvents, ToldUsages } from "../../../../main/agents/told-usage.ts";

const AT = "2026-11-26T15:19:57.225Z";

beforeEach(() => void vi.useFakeTimers({ now: Date.parse("2026-11-26T15:20:00Z") }));
afterEach(() => void vi.useRealTimers());

/** An export as the programs send it, with one event. */
function exported(attributes: Readonly<Record<string, string | number>>): unknown[] {
  const values = Object.entries(attributes).map(([key, value]) => ({
    key,
    value:
      typeof value === "number"
        ? { [Number.isInteger(value) ? "intValue" : "doubleValue"]: value }
        : { stringValue: value },
  }));
  const record = { timeUnixNano: "0", body: { stringValue: "claude_code.x" }, attributes: values };
  return [{ resource: { attributes: [] }, scopeLogs: [{ scope: { name: "x" }, logRecords: [record] }] }];
}

function ref(shell: number) {
  return { sessionId: SessionId.parse("agents-test-session"), shellId: ShellId.parse(shell) };
}

/** The same, with values that cannot be written as texts. */
function withObjects(logs: unknown[]): unknown[] {
  return JSON.parse(
    JSON.stringify(logs).replaceAll(/"stringValue":"[^"]*"/g, '"kvlistValue":{"toString":1,"valueOf":1}'),
  );
}

/** As Claude Code 2.1.330 tells of a call. */
const claudeCall = {
  ...{ "session.id": "4503c48e", "event.name": "api_request", "event.timestamp": AT, model: "claude-opus-5-5" },
  ...{ input_tokens: 11, output_tokens: 60, cache_read_tokens: 5000, cache_creation_tokens: 1100, cost_usd: 0.010219 },
};

test("a call of Claude Code has its tokens as the transcript counts them, and the agent's own cost", () => {
  expect(readToldEvents(exported(claudeCall))).toEqual([
    {
      ...{ agentType: "claude", sessionId: "4503c48e", at: Date.parse(AT) },
      state: { status: "working", detail: "the model was called" },
      call: { input: 1111, output: 60, cached: 5000, cost: 0.010219 },
    },
  ]);
});

test("numbers in texts, as versions before 2.1 write them, are the same", () => {
  const texts = Object.fromEntries(Object.entries(claudeCall).map(([key, value]) => [key, String(value)]));
  expect(readToldEvents(exported(texts))).toEqual(readToldEvents(exported(claudeCall)));
});

test("an answer of Codex counts once, where it has its tokens", () => {
  const codex = { "conversation.id": "01a2", "event.name": "codex.sse_event", "event.timestamp": AT };
  const done = { ...codex, "event.kind": "response.completed" };
  expect(readToldEvents(exported(done))).toEqual([]);
  expect(readToldEvents(exported({ ...codex, "event.kind": "response.output_text.delta" }))).toEqual([]);
  const counts = { input_token_count: "2100", output_token_count: "45", cached_token_count: "1050" };
  expect(readToldEvents(exported({ ...done, ...counts }))).toMatchObject([
    { agentType: "codex", sessionId: "01a2", call: { input: 1050, output: 45, cached: 1050 } },
  ]);
});

test.each([
  ["a prompt of Claude Code", { "event.name": "user_prompt", "session.id": "a" }, "working"],
  ["a prompt of Codex", { "event.name": "codex.user_prompt", "conversation.id": "a" }, "working"],
  ["an error", { "event.name": "api_error", "session.id": "a", error: "529 overloaded" }, "error"],
])("%s is evidence of a state, and no call", (_name, attributes, status) => {
  const [event] = readToldEvents(exported(attributes));
  expect([event?.state?.status, event?.call]).toEqual([status, undefined]);
});

test.each([
  ["no object", [1, null, "x", []]],
  ["no records", [{}, { scopeLogs: [{}] }, { scopeLogs: "x" }, { scopeLogs: [{ logRecords: [{}] }] }]],
  ["another program", exported({ "event.name": "http.request", "session.id": "a" })],
  ["no conversation", exported({ ...claudeCall, "session.id": "" })],
  ["an object for a text", withObjects(exported(claudeCall))],
])("%s says nothing", (_name, logs) => {
  expect(readToldEvents(logs)).toEqual([]);
});

test.each(["Infinity", "-1", "1e300", "NaN", "many"])("a count of %s is none", (count) => {
  const [event] = readToldEvents(exported({ ...claudeCall, input_tokens: count, cost_usd: count }));
  expect(event?.call).toEqual({ input: 1100, output: 60, cached: 5000, cost: 0 });
});

test.each(["", "yesterday", "+275760-09-13T00:00:00Z", "2026-11-27T15:20:00Z", "1970-01-01T00:00:00Z"])(
  "a time that cannot be is now: %s",
  (at) => {
    const [event] = readToldEvents(exported({ ...claudeCall, "event.timestamp": at }));
    expect(event?.at).toBe(Date.parse("2026-11-26T15:20:00Z"));
  },
);

test("what an error says is one line without characters that act", () => {
  const error = `a\u001b[31m\nb${"c".repeat(500)}`;
  const [event] = readToldEvents(exported({ "event.name": "api_error", "session.id": "a", error }));
  expect(event?.state?.detail).toMatch(/^a[^\p{Cc}]+$/u);
  expect(event?.state?.detail.length).toBeLessThanOrEqual(201);
});

test("what a shell tells counts for what ran in that shell only, summed since the first call", () => {
  const told = new ToldUsages();
  const [one, other] = [ref(1), ref(2)];
  const call = { input: 1, output: 2, cached: 3 };
  const key = { agentType: "claude", sessionId: "c" };
  told.add(one, { ...key, at: Date.parse(AT), call: { ...call, cost: 0.5 } });
  told.add(one, { ...key, at: Date.parse(AT) + 1000, call: { ...call, cost: 0.25 } });
  told.add(one, { ...key, at: 0, state: { status: "working", detail: "" } });
  expect(told.of(one, key)).toEqual({ since: AT, calls: 2, input: 2, output: 4, cached: 6, cost: 0.75 });
  expect(told.of(other, key)).toBeUndefined();
});

test("the sums of at most 50 conversations of a shell are kept, those told of last, whatever other shells tell", () => {
  const told = new ToldUsages();
  const [shell, other] = [ref(1), ref(2)];
  const key = (id: number) => ({ agentType: "claude", sessionId: `c${id}` });
  const call = { input: 1, output: 1, cached: 1 };
  told.add(other, { ...key(0), at: 0, call });
  for (let id = 0; id <= 50; id++) told.add(shell, { ...key(id), at: 0, call });
  expect([0, 1, 50].map((id) => told.of(shell, key(id)) !== undefined)).toEqual([false, true, true]);
  expect(told.of(other, key(0))).toBeDefined();
  for (let id = 3; id <= 201; id++) told.add(ref(id), { ...key(0), at: 0, call });
  expect([told.of(shell, key(50)), told.of(other, key(0))]).toEqual([expect.anything(), undefined]);
});
