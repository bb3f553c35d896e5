import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { RemoteError } from "../../../../../core/protocol/errors.ts";
import type { RelayEvent } from "../../../../../core/protocol/events.ts";
import type { SessionId, ShellId } from "../../../../../core/protocol/ids.ts";
import type { PolicyVerdict } from "../../../../../core/protocol/policies.ts";
import { readClaudeHook } from "../../../../../main/agents/hooks/claude-hooks.ts";
import type { QuestionPolicies } from "../../../../../main/relay/questions/policy-decision.ts";
import { Questions } from "../../../../../main/relay/questions/questions.ts";
import { openStore } from "../../../../../main/relay/store/open-store.ts";
import { Store } from "../../../../../main/relay/store/store.ts";
import { until } from "../../../../support/until.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const session = "session-1" as SessionId;
const shell = 1 as ShellId;
const ann = { kind: "user", name: "ann", client: null } as const;
const ALLOWED: PolicyVerdict = { would: "allow", policy: 7, because: "policy 7 allows it" };

let folder: ReturnType<typeof temporaryFolder>;
let store: Store;
let events: RelayEvent[];
let told: Parameters<QuestionPolicies["answered"]>[0][];
let verdict: PolicyVerdict | undefined;
let questions: Questions;
beforeEach(() => {
  folder = temporaryFolder();
  store = new Store(openStore(folder.path).database);
  store.sessions.add({ id: session, name: "default", owner: "ann", createdAt: new Date(0).toISOString() });
  [events, told, verdict] = [[], [], ALLOWED];
  questions = new Questions({
    session: { id: session, apply: () => undefined, emit: (event) => void events.push(event) },
    rows: store.questions,
    isRunning: () => true,
    agents: () => [],
    follow: () => async () => [],
    screen: { read: async () => "", type: async () => undefined, lastInputAt: () => 0 },
    policies: { decide: async () => verdict, isEmpty: () => false, answered: (answer) => told.push(answer) },
  });
});
afterEach(() => {
  questions[Symbol.dispose]();
  store[Symbol.dispose]();
  folder[Symbol.dispose]();
});

function ask(signal = new AbortController().signal) {
  const report = readClaudeHook({
    ...{ session_id: "a-1", cwd: "/project", hook_event_name: "PermissionRequest" },
    ...{ tool_name: "Bash", tool_input: { command: "ls" } },
  });
  if (report === undefined || report.kind === "limits") throw new Error("no question");
  return questions.hook({ shell, agentType: "claude", key: "hook-1", report }, signal);
}
const types = () => events.map(({ type }) => type);
const allow = { hookSpecificOutput: { hookEventName: "PermissionRequest", decision: { behavior: "allow" } } };

test("what a policy allows is answered in its name, and no one is asked", async () => {
  expect(await ask()).toEqual(allow);
  expect(types()).toEqual(["question.answered"]);
  const [question] = questions.list({ all: true });
  expect(question).toMatchObject({
    state: "answered",
    answer: { option: "yes" },
    answeredBy: { kind: "policy", policy: 7 },
  });
  expect(told).toMatchObject([{ policy: 7, outcome: "ok" }]);
});

test("a question whose answer by a policy fails is announced, and a person answers it", async () => {
  const close = vi.spyOn(store.questions, "close").mockImplementation(() => {
    throw new RemoteError("storage_failed", "The disk is full.");
  });
  const output = ask();
  await until("the failed answer", () => told.length > 0);
  expect(told).toMatchObject([{ policy: 7, outcome: "storage_failed" }]);
  expect(types()).toEqual(["question.opened"]);
  expect(questions.list()).toMatchObject([{ id: 1, state: "open", answerable: true }]);
  close.mockRestore();
  await questions.answer(1, { option: "yes" }, ann);
  expect(await output).toEqual(allow);
});

test.each([[undefined], [{ would: "ask", policy: 3, because: "it always asks" } as const]])(
  "what the policies leave to a person is asked: %j",
  async (undecided) => {
    verdict = undecided;
    const output = ask();
    await until("the question", () => types().includes("question.opened"));
    expect(told).toEqual([]);
    await questions.answer(1, { option: "no" }, ann);
    expect(await output).not.toEqual(allow);
  },
);

test("a hook that has ended while the policies decided asks nothing", async () => {
  const gone = new AbortController();
  const output = ask(gone.signal);
  gone.abort();
  await output;
  expect([questions.list({ all: true }), told]).toEqual([[], []]);
});
