import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { HookQuestion, HookReport } from "../../../../../core/protocol/agent-hooks.ts";
import { type Agent, type AgentEvent, AgentStatus } from "../../../../../core/protocol/agent-records.ts";
import type { RelayEvent } from "../../../../../core/protocol/events.ts";
import { type SessionId, ShellId } from "../../../../../core/protocol/ids.ts";
import { type Question, SETTLED_SHOWN_MS } from "../../../../../core/protocol/questions.ts";
import { readClaudeHook } from "../../../../../main/agents/hooks/claude-hooks.ts";
import { readGeminiHook } from "../../../../../main/agents/hooks/gemini-hooks.ts";
import { readOpencodeHook } from "../../../../../main/agents/hooks/opencode-hooks.ts";
import { askPerson } from "../../../../../main/relay/questions/ask-person.ts";
import { Questions } from "../../../../../main/relay/questions/questions.ts";
import type { OtherEvent } from "../../../../../main/relay/questions/questions-options.ts";
import { openStore } from "../../../../../main/relay/store/open-store.ts";
import { Store } from "../../../../../main/relay/store/store.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const session = "session-1" as SessionId;
const shell = 1 as ShellId;
const ann = { kind: "user", name: "ann", client: null } as const;
const bob = { kind: "user", name: "bob", client: null } as const;

let folder: ReturnType<typeof temporaryFolder>;
let store: Store;
let agents: Agent[];
let events: RelayEvent[];
let shown: Map<number, Question>;
let record: AgentEvent[];
let inputAt: number;
let screen: string;
let typed: string[];
let otherEvents: OtherEvent[];
let connected: string[];
let questions: Questions;

beforeEach(() => {
  vi.useFakeTimers();
  folder = temporaryFolder();
  store = new Store(openStore(folder.path).database);
  store.sessions.add({ id: session, name: "default", owner: "ann", createdAt: new Date(0).toISOString() });
  [agents, events, record, typed, screen, otherEvents, connected, inputAt] = [[], [], [], [], "", [], [], 0];
  shown = new Map();
  questions = open();
});
afterEach(() => {
  questions[Symbol.dispose]();
  store[Symbol.dispose]();
  folder[Symbol.dispose]();
  vi.useRealTimers();
});

function open(): Questions {
  const opened = new Questions({
    session: {
      id: session,
      apply(diff) {
        if (diff.kind === "question") shown.set(diff.question.id, diff.question);
        if (diff.kind === "question-gone") shown.delete(diff.id);
      },
      emit: (event) => void events.push(event),
    },
    rows: store.questions,
    isRunning: () => true,
    agents: () => agents,
    follow: (sessionId) => follow(sessionId),
    screen: {
      read: async () => screen,
      type: async (_shell, keys) => void typed.push(keys),
      expectsHook: ({ agentType }) => connected.includes(agentType),
      lastInputAt: () => inputAt,
    },
    askedOtherwise: (event) => void otherEvents.push(event),
  });
  opened.restore();
  return opened;
}

function follow(sessionId: string): () => Promise<readonly AgentEvent[]> {
  if (sessionId !== "a-1") throw new Error(`no agent session ${sessionId}`);
  let read = 0;
  return async () => {
    const news = record.slice(read);
    read = record.length;
    return news;
  };
}

/** The agent writes a call, or its result, into its transcript. */
function records(
  type: "tool_call" | "tool_result",
  id: string,
  data: Partial<AgentEvent["data"]> = {},
  text = "",
): void {
  const at = new Date().toISOString();
  record.push({ id: `${type}/${id}`, type, at, text, data: { id, ...data } });
}

function agent(state: AgentStatus, more: Partial<Agent> = {}): Agent {
  const tokenUsage = { input: 0, output: 0, cached: 0, cost: 0 };
  return { shellId: shell, agentType: "claude", model: "", sessionId: "a-1", tokenUsage, state, ...more };
}

function tells(state: AgentStatus, more: Partial<Agent> = {}): void {
  const told = agent(state, more);
  agents = state === "ended" ? [] : [told];
  const type = state === "ended" ? "agent.ended" : state === "waiting" ? "agent.waiting" : "agent.updated";
  questions.heard({ type, data: told });
}

const hookInput = (hook_event_name: string, command = "touch made", more: object = {}) => ({
  session_id: "a-1",
  cwd: "/project",
  hook_event_name,
  tool_name: "Bash",
  tool_input: { command },
  ...more,
});

/** Reports a hook's event, as the operation does. */
function hook(input: object, key = "hook-1", gone = new AbortController(), at = shell) {
  const report = readClaudeHook(input);
  if (report === undefined || report.kind === "limits") throw new Error("the hook's event says nothing");
  return questions.hook({ shell: at, agentType: "claude", key, report }, gone.signal);
}

const allow = { hookSpecificOutput: { hookEventName: "PermissionRequest", decision: { behavior: "allow" } } };
const now = (id: number) => questions.list({ all: true }).find((question) => question.id === id);
const types = () => events.map(({ type }) => type);

describe("a question of a hook", () => {
  test("is open with its options, answered once, and confirmed by the tool's run", async () => {
    const output = hook(hookInput("PermissionRequest"));
    expect(now(1)).toMatchObject({
      state: "open",
      answerable: true,
      title: "Bash: touch made",
      detail: { command: "touch made" },
      source: "hook",
      confidence: "high",
    });
    expect(now(1)?.options.map(({ id }) => id)).toEqual(["yes", "no"]);
    await questions.answer(1, { option: "yes" }, ann);
    expect(await output).toEqual(allow);
    expect(now(1)).toMatchObject({ state: "answered", answeredBy: ann, receipt: { state: "pending" } });
    await hook(hookInput("PostToolUse"), "hook-2");
    expect(now(1)?.receipt).toMatchObject({ state: "confirmed", evidence: expect.stringMatching(/tool ran/) });
    expect(types()).toEqual(["question.opened", "question.answered"]);
    expect(questions.list()).toEqual([]);
    // Clients are shown the proof before it goes.
    expect(shown.get(1)?.receipt?.state).toBe("confirmed");
    await vi.advanceTimersByTimeAsync(SETTLED_SHOWN_MS);
    expect(shown.size).toBe(0);
  });

  test("refuses a second answer and says who answered and what", async () => {
    void hook(hookInput("PermissionRequest"));
    await questions.answer(1, { option: "yes" }, ann);
    await expect(questions.answer(1, { option: "no" }, bob)).rejects.toMatchObject({
      code: "question_closed",
      message: expect.stringMatching(/answered by ann .*: yes \(Yes, this once\)/),
    });
    expect(now(1)?.answeredBy).toEqual(ann);
  });

  test("takes an option by its key and label, and refuses what it does not know", async () => {
    void hook(hookInput("PermissionRequest"));
    for (const given of [{}, { option: "maybe" }, { option: "yes", text: "also" }])
      await expect(questions.answer(1, given, ann)).rejects.toMatchObject({ code: "invalid_params" });
    await questions.answer(1, { option: "N" }, ann);
    expect(now(1)?.answer).toEqual({ option: "no", text: null });
    await expect(questions.answer(7, { option: "yes" }, ann)).rejects.toMatchObject({ code: "unknown_question" });
  });

  test("passes a refusal in words on, and finds it in the transcript", async () => {
    records("tool_call", "c-1", { input: { command: "touch made" } });
    const output = hook(hookInput("PermissionRequest"));
    await questions.answer(1, { text: "use the other folder" }, ann);
    expect(await output).toMatchObject({
      hookSpecificOutput: { decision: { behavior: "deny", message: "use the other folder" } },
    });
    await vi.advanceTimersByTimeAsync(1000);
    expect(now(1)?.receipt?.state).toBe("pending");
    records("tool_result", "c-1", { refused: true }, "The user says:\nuse the other folder");
    await vi.advanceTimersByTimeAsync(1000);
    expect(now(1)?.receipt?.state).toBe("confirmed");
  });

  test("has a refusal that an earlier result contains too confirmed by a later one alone", async () => {
    records("tool_call", "c-0", { input: { command: "touch made" } });
    records("tool_result", "c-0", { isError: true, refused: false }, "no");
    await vi.advanceTimersByTimeAsync(1000);
    records("tool_call", "c-1", { input: { command: "touch made" } });
    void hook(hookInput("PermissionRequest"));
    await questions.answer(1, { text: "no" }, ann);
    await vi.advanceTimersByTimeAsync(9000);
    expect(now(1)?.receipt?.state).toBe("pending");
    records("tool_result", "c-1", { isError: true, refused: false }, "no");
    await vi.advanceTimersByTimeAsync(300);
    expect(now(1)?.receipt?.state).toBe("confirmed");
  });

  test.each([
    ["its call ran in spite of it", "c-1", { isError: false, refused: false }, "no"],
    ["its call ran, failed, and prints the words", "c-1", { isError: true, refused: false }, "Exit code 1\nno"],
    ["its call was refused in other words", "c-1", { isError: true, refused: true }, "not now, says the user"],
    ["another call prints the words", "c-2", { isError: false, refused: false }, "nothing to commit, no\nno"],
    ["another call was refused in these words", "c-2", { isError: true, refused: true }, "no"],
  ])("has a refusal not confirmed where %s, and overruled by the tool's run", async (_, call, data, text) => {
    records("tool_call", "c-1", { input: { command: "touch made" } });
    records("tool_call", "c-2", { input: { command: "git commit" } });
    void hook(hookInput("PermissionRequest"));
    await questions.answer(1, { text: "no" }, ann);
    records("tool_result", call, data, text);
    await vi.advanceTimersByTimeAsync(1000);
    expect(now(1)?.receipt?.state).toBe("pending");
    await hook(hookInput("PostToolUse"), "hook-2");
    expect(now(1)?.receipt?.state).toBe("overruled");
  });

  test("is not confirmed where the agent's record does not show the answer, and stays", async () => {
    void hook(hookInput("PermissionRequest"));
    await questions.answer(1, { option: "yes" }, ann);
    await vi.advanceTimersByTimeAsync(11_000);
    expect(now(1)?.receipt).toMatchObject({
      state: "unconfirmed",
      evidence: expect.stringMatching(/does not show it/),
    });
    expect(questions.list()).toHaveLength(1);
    expect(shown.has(1)).toBe(true);
    await hook(hookInput("PostToolUse"), "hook-2");
    expect(now(1)?.receipt?.state).toBe("confirmed");
    await vi.advanceTimersByTimeAsync(SETTLED_SHOWN_MS);
    expect(shown.has(1)).toBe(false);
  });

  test("is confirmed by the agent's work after a wait, not by a change of an agent that has not waited", async () => {
    tells("working");
    void hook(hookInput("PermissionRequest"));
    await questions.answer(1, { option: "yes" }, ann);
    tells("working");
    expect(now(1)?.receipt?.state).toBe("pending");
    tells("waiting");
    tells("working");
    expect(now(1)?.receipt).toMatchObject({ state: "confirmed", evidence: "the agent goes on to work" });
    void hook(hookInput("PermissionRequest"), "hook-2");
    tells("waiting");
    await questions.answer(2, { option: "yes" }, ann);
    tells("working");
    expect(now(2)?.receipt?.state).toBe("confirmed");
  });

  test("is not confirmed by the agent's work where it may have waited for another question", async () => {
    void hook(hookInput("PermissionRequest"));
    void hook(hookInput("PermissionRequest", "touch other"), "hook-2");
    tells("waiting");
    await questions.answer(1, { option: "yes" }, ann);
    tells("working");
    expect(now(1)?.receipt?.state).toBe("pending");
    void hook(hookInput("PermissionRequest", "touch third"), "hook-3");
    tells("waiting");
    await questions.answer(3, { option: "yes" }, ann);
    tells("working");
    expect([now(1)?.receipt?.state, now(3)?.receipt?.state]).toEqual(["pending", "pending"]);
    await hook(hookInput("PostToolUse"), "hook-4");
    tells("waiting");
    tells("working");
    expect([now(1)?.receipt?.state, now(3)?.receipt?.state]).toEqual(["confirmed", "confirmed"]);
  });

  test.each([
    ["works, is confirmed: what was allowed still runs", "working", "confirmed"],
    ["waits, is not confirmed: its dialog may still be there", "waiting", "unconfirmed"],
    ["is not known to work, is not confirmed", "idle", "unconfirmed"],
  ] as const)("that nothing has proved in time, while its agent %s", async (_what, state, receipt) => {
    tells("working");
    void hook(hookInput("PermissionRequest"));
    await questions.answer(1, { option: "yes" }, ann);
    expect(now(1)?.receipt?.state).toBe("pending");
    tells(state);
    await vi.advanceTimersByTimeAsync(11_000);
    expect(now(1)?.receipt?.state).toBe(receipt);
  });

  test("is not overruled by the end of another one's turn", async () => {
    void hook({ ...hookInput("PermissionRequest"), agent_id: "sub-1" });
    await questions.answer(1, { option: "yes" }, ann);
    for (const input of [hookInput("Stop"), { ...hookInput("SubagentStop"), agent_id: "sub-2" }]) {
      await hook(input, "hook-2");
      await vi.advanceTimersByTimeAsync(1100);
    }
    expect(now(1)?.receipt?.state).toBe("pending");
    await hook({ ...hookInput("SubagentStop"), agent_id: "sub-1" }, "hook-3");
    await vi.advanceTimersByTimeAsync(1100);
    expect(now(1)?.receipt?.state).toBe("overruled");
  });

  test("says when the terminal overruled the answer", async () => {
    void hook(hookInput("PermissionRequest"));
    await questions.answer(1, { option: "no" }, ann);
    await hook(hookInput("PostToolUse"), "hook-2");
    expect(now(1)?.receipt?.state).toBe("overruled");
    void hook(hookInput("PermissionRequest"), "hook-3");
    await questions.answer(2, { option: "yes" }, ann);
    await hook(hookInput("Stop"), "hook-4");
    await vi.advanceTimersByTimeAsync(1100);
    expect(now(2)?.receipt?.state).toBe("overruled");
  });
});

describe("an answer is bound to what the question shows", () => {
  const danger = "rm -rf work";

  test("another event with the key of a question is a question of its own", async () => {
    const shownFirst = hook(hookInput("PermissionRequest", "ls"));
    const other = hook(hookInput("PermissionRequest", danger));
    expect([now(1)?.detail.command, now(2)?.detail.command]).toEqual(["ls", danger]);
    expect(otherEvents).toEqual([{ shell, agentType: "claude", question: 1, asked: 2 }]);
    await questions.answer(1, { option: "yes" }, ann);
    expect(await shownFirst).toEqual(allow);
    await questions.answer(2, { option: "no" }, ann);
    expect(await other).toMatchObject({ hookSpecificOutput: { decision: { behavior: "deny" } } });
  });

  test.each([
    ["its input", hookInput("PermissionRequest", danger)],
    [
      "a part that is not its command",
      hookInput("PermissionRequest", "ls", { tool_input: { command: "ls", timeout: 9 } }),
    ],
    ["its agent session", hookInput("PermissionRequest", "ls", { session_id: "a-2" })],
    ["its thread", hookInput("PermissionRequest", "ls", { agent_id: "sub" })],
    ["its tool", hookInput("PermissionRequest", "ls", { tool_name: "mcp__x__run" })],
    ["its folder", hookInput("PermissionRequest", "ls", { cwd: "/other" })],
  ])("also one that differs in %s alone, after the answer and after a restart too", async (_, input) => {
    void hook(hookInput("PermissionRequest", "ls"));
    await questions.answer(1, { option: "yes" }, ann);
    let output: unknown;
    void hook(input).then((given) => (output = given));
    await vi.advanceTimersByTimeAsync(0);
    expect(output).toBeUndefined();
    expect(now(2)?.state).toBe("open");
    questions[Symbol.dispose]();
    questions = open();
    void hook(hookInput("PermissionRequest", "ls")).then((given) => (output = given));
    await vi.advanceTimersByTimeAsync(0);
    expect(output).toEqual({});
    expect(now(2)?.state).toBe("open");
  });

  test("one of another agent or shell with the same key has nothing to do with it", async () => {
    void hook(hookInput("PermissionRequest", "ls"));
    void hook(hookInput("PermissionRequest", "ls"), "hook-1", new AbortController(), 2 as ShellId);
    expect(questions.list().map(({ shellId }) => shellId)).toEqual([1, 2]);
    expect(now(1)?.digest).not.toBe(now(2)?.digest);
    expect(otherEvents).toEqual([]);
  });

  test("a question that no hook waits for any more is withdrawn when its key asks something else", async () => {
    const gone = new AbortController();
    void hook(hookInput("PermissionRequest", "ls"), "hook-1", gone);
    tells("waiting");
    gone.abort();
    void hook(hookInput("PermissionRequest", danger));
    expect(now(1)).toMatchObject({ state: "withdrawn", closedBecause: "its hook asks something else as question 2" });
    expect(now(2)).toMatchObject({ state: "open", answerable: true });
  });

  test("one that carries another digest is refused, and decides nothing", async () => {
    let output: unknown;
    void hook(hookInput("PermissionRequest", "ls")).then((given) => (output = given));
    void hook(hookInput("PermissionRequest", danger), "hook-2");
    const [first, second] = [now(1)?.digest ?? "", now(2)?.digest ?? ""];
    for (const digest of [second, "", first.slice(1), first.toUpperCase()])
      await expect(questions.answer(1, { option: "yes", digest }, ann)).rejects.toMatchObject({
        code: "question_changed",
        message: expect.stringMatching(/^Question 1 asks something else .* read it again/),
      });
    expect(output).toBeUndefined();
    await questions.answer(1, { option: "yes", digest: first }, ann);
    await vi.advanceTimersByTimeAsync(0);
    expect(output).toEqual(allow);
  });

  test("a question of an earlier version without a digest gets no hook, and is asked anew", async () => {
    void hook(hookInput("PermissionRequest", "ls"));
    questions[Symbol.dispose]();
    const [stored] = store.questions.list(session);
    if (stored === undefined) throw new Error("no question is kept");
    store.questions.remove(session, 1);
    store.questions.add({ question: { ...stored.question, digest: null }, origin: { ...stored.origin, digest: null } });
    questions = open();
    const output = hook(hookInput("PermissionRequest", "ls"));
    expect([now(1)?.state, now(2)?.state]).toEqual(["withdrawn", "open"]);
    await questions.answer(2, { option: "yes" }, ann);
    expect(await output).toEqual(allow);
  });

  test("what a question shows does not change once it can be answered", async () => {
    const dialog = "Allow?\n ❯ 1. Yes\n   2. No";
    const report = readGeminiHook({
      ...{ hook_event_name: "Notification", session_id: "a-1", cwd: "/project", notification_type: "ToolPermission" },
      details: { type: "exec", title: "Confirm", command: "ls" },
    });
    if (report?.kind !== "asks") throw new Error("no question");
    const asks = () => questions.hook({ shell, agentType: "gemini", key: "k", report }, new AbortController().signal);
    await asks();
    const before = now(1)?.digest ?? "";
    screen = dialog;
    await vi.advanceTimersByTimeAsync(200);
    const shownThen = now(1);
    expect(shownThen?.digest).not.toBe(before);
    await expect(questions.answer(1, { option: "1", confirmScreen: true, digest: before }, ann)).rejects.toMatchObject({
      code: "question_changed",
    });
    screen = "Allow rm?\n ❯ 1. Yes\n   2. No";
    await asks();
    await vi.advanceTimersByTimeAsync(1000);
    expect(now(1)).toEqual(shownThen);
    expect(questions.list()).toHaveLength(1);
  });
});

describe("the terminal answers", () => {
  test.each<[string, () => unknown]>([
    ["the tool has run", () => hook(hookInput("PostToolUse"), "hook-2")],
    ["the turn has ended", () => hook(hookInput("Stop"), "hook-2")],
    ["a new prompt was sent", () => hook(hookInput("UserPromptSubmit"), "hook-2")],
    ["the agent works on", () => ["waiting", "working"].map((state) => tells(AgentStatus.parse(state)))],
    ["the agent is idle", () => ["waiting", "idle"].map((state) => tells(AgentStatus.parse(state)))],
  ])("when %s: the question is closed everywhere, and the hook ends without a decision", async (_, act) => {
    const output = hook(hookInput("PermissionRequest"));
    await act();
    await vi.advanceTimersByTimeAsync(300);
    expect(await output).toEqual({});
    expect(now(1)).toMatchObject({ state: "answered", answeredBy: { kind: "terminal" }, receipt: null });
    await expect(questions.answer(1, { option: "yes" }, ann)).rejects.toThrow(/answered in the terminal/);
  });

  test("when the hook ends, within 300 ms", async () => {
    const gone = new AbortController();
    void hook(hookInput("PermissionRequest"), "hook-1", gone);
    gone.abort();
    await expect(questions.answer(1, { option: "yes" }, ann)).rejects.toMatchObject({
      code: "question_not_answerable",
    });
    await vi.advanceTimersByTimeAsync(300);
    expect(now(1)).toMatchObject({ state: "answered", answeredBy: { kind: "terminal" } });
  });

  test("not when only the hook was ended, while the dialog is still there", async () => {
    const gone = new AbortController();
    void hook(hookInput("PermissionRequest"), "hook-1", gone);
    tells("waiting");
    gone.abort();
    await vi.advanceTimersByTimeAsync(5000);
    expect(now(1)).toMatchObject({ state: "open", answerable: false });
    tells("working");
    expect(now(1)?.state).toBe("answered");
  });

  test("only the question whose dialog closed, where the agent has several", async () => {
    void hook(hookInput("PermissionRequest", "one"), "hook-1");
    void hook(hookInput("PermissionRequest", "two", { agent_id: "sub" }), "hook-2");
    tells("waiting");
    tells("working");
    tells("waiting");
    await vi.advanceTimersByTimeAsync(1000);
    expect([now(1)?.state, now(2)?.state]).toEqual(["open", "open"]);
    await hook(hookInput("PostToolUse", "one"), "hook-3");
    expect([now(1)?.state, now(2)?.state]).toEqual(["answered", "open"]);
  });

  test("only the question of its shell, where two have one agent session open, unless the agent is in tmux", async () => {
    void hook(hookInput("PermissionRequest"), "hook-1");
    void hook(hookInput("PermissionRequest"), "hook-2", new AbortController(), 2 as ShellId);
    tells("waiting");
    tells("working");
    await vi.advanceTimersByTimeAsync(1000);
    expect([now(1)?.state, now(2)?.state]).toEqual(["answered", "open"]);
    tells("ended");
    expect(now(2)?.state).toBe("open");
    tells("ended", { inPane: true });
    expect(now(2)?.state).toBe("withdrawn");
  });

  test("nothing of an answer that was given in another shell with the same agent session", async () => {
    void hook(hookInput("PermissionRequest"), "hook-1", new AbortController(), 2 as ShellId);
    await questions.answer(1, { option: "yes" }, ann);
    tells("working");
    tells("ended");
    expect(now(1)?.receipt?.state).toBe("pending");
  });
});

describe("a question is never left", () => {
  test.each<[string, () => unknown]>([
    ["its agent ends", () => tells("ended")],
    [
      "its agent says that it is idle, and ends",
      () => ["waiting", "idle", "ended"].map((state) => tells(AgentStatus.parse(state))),
    ],
    ["its agent session ends", () => hook(hookInput("SessionEnd"), "hook-2")],
    [
      "its shell ends",
      () => questions.heard({ type: "shell.exited", data: { shellId: shell, exitCode: 0, signal: null } }),
    ],
  ])("when %s", async (_, act) => {
    const output = hook(hookInput("PermissionRequest"));
    await act();
    expect(await output).toEqual({});
    expect(now(1)?.state).toBe("withdrawn");
    expect(types()).toEqual(["question.opened", "question.withdrawn"]);
    expect(shown.size).toBe(0);
  });

  test("for longer than a day", async () => {
    void hook(hookInput("PermissionRequest"));
    await vi.advanceTimersByTimeAsync(24 * 3600 * 1000 + 120_000);
    expect(now(1)).toMatchObject({ state: "expired", closedBecause: "not answered in a day" });
  });
});

describe("a restart of the relay", () => {
  test("keeps an open question, which its hook continues", async () => {
    void hook(hookInput("PermissionRequest"));
    questions[Symbol.dispose]();
    questions = open();
    expect(now(1)).toMatchObject({ state: "open", answerable: false });
    const output = hook(hookInput("PermissionRequest"));
    expect(questions.list()).toHaveLength(1);
    await questions.answer(1, { option: "yes" }, ann);
    expect(await output).toEqual(allow);
  });

  test("hears no more once it stops: the store may be closed before the last agent has ended", () => {
    void hook(hookInput("PermissionRequest"));
    questions[Symbol.dispose]();
    store[Symbol.dispose]();
    tells("ended");
    questions.heard({ type: "shell.exited", data: { shellId: shell, exitCode: 0, signal: null } });
    expect(events.map(({ type }) => type)).not.toContain("question.withdrawn");
  });

  test("withdraws a question whose agent is gone, and leaves a settled one settled", async () => {
    void hook(hookInput("PermissionRequest"));
    void hook(hookInput("PermissionRequest", "other"), "hook-2");
    await questions.answer(2, { option: "yes" }, ann);
    questions[Symbol.dispose]();
    questions = open();
    expect(now(2)).toMatchObject({ state: "answered", receipt: { state: "unconfirmed" } });
    expect(await hook(hookInput("PermissionRequest", "other"), "hook-2")).toEqual({});
    await vi.advanceTimersByTimeAsync(31_000);
    expect(now(1)?.state).toBe("withdrawn");
  });
});

describe("the kept questions are bounded", () => {
  test("open ones: a further one is not recorded, and its hook ends without a decision", async () => {
    for (let number = 1; number <= 50; number++) {
      const at = ShellId.parse(1 + (number % 3));
      void hook(hookInput("PermissionRequest", `c${number}`), `h${number}`, new AbortController(), at);
    }
    expect(await hook(hookInput("PermissionRequest", "one more"), "h51")).toEqual({});
    expect(questions.list()).toHaveLength(50);
  });

  test("open ones of a shell: others are still recorded, and what the relay asks itself always is", async () => {
    for (let number = 1; number <= 20; number++) void hook(hookInput("PermissionRequest", `c${number}`), `h${number}`);
    expect(await hook(hookInput("PermissionRequest", "one more"), "h21")).toEqual({});
    const other = ShellId.parse(shell + 1);
    void hook(hookInput("PermissionRequest", "there"), "h22", new AbortController(), other);
    expect(questions.list()).toHaveLength(21);
    const asked = questions.askForRelay({
      ...{ shellId: shell, agentType: "claude", agentSessionId: "a-1", kind: "choice", title: "Spent", text: "" },
      ...{ options: [], risk: { level: "medium", reasons: [] }, rule: "budget/day" },
    });
    expect(asked?.state).toBe("open");
  });

  test("open ones of several shells: another shell is asked some in any case", async () => {
    for (let number = 1; number <= 50; number++) {
      const at = ShellId.parse(1 + (number % 3));
      void hook(hookInput("PermissionRequest", `c${number}`), `h${number}`, new AbortController(), at);
    }
    const other = ShellId.parse(4);
    for (let number = 51; number <= 60; number++)
      void hook(hookInput("PermissionRequest", `c${number}`), `h${number}`, new AbortController(), other);
    expect(questions.list().filter(({ shellId }) => shellId === other)).toHaveLength(5);
  });

  test("closed ones: the oldest go", async () => {
    await closeMany(210);
    const kept = questions.list({ all: true });
    expect([kept.length, kept[0]?.id, kept.at(-1)?.id]).toEqual([200, 11, 210]);
    expect(store.questions.list(session)).toHaveLength(200);
  });

  test("closed ones: those of the shell with the most go, and no answers to others", async () => {
    void hook(hookInput("PermissionRequest"), "h0", new AbortController(), ShellId.parse(2));
    await questions.answer(1, { option: "yes" }, ann);
    await closeMany(210);
    const kept = questions.list({ all: true });
    expect([kept.length, kept[0]?.id, kept[1]?.id]).toEqual([200, 1, 13]);
  });

  async function closeMany(count: number): Promise<void> {
    for (let number = 1; number <= count; number++) {
      void hook(hookInput("PermissionRequest"), `h${number}`);
      await hook(hookInput("Stop"), `s${number}`);
    }
  }
});

describe("a question that only the screen shows", () => {
  const dialog = "Do you want to proceed?\n ❯ 1. Yes\n   2. No, and tell Codex why";
  const waits = { agentType: "codex", sessionId: "" } as const;

  test("says that a hook should have reported it, where its agent is connected", async () => {
    screen = dialog;
    connected = ["claude"];
    tells("waiting");
    await vi.advanceTimersByTimeAsync(1500);
    expect(now(1)).toMatchObject({ source: "screen", text: expect.stringContaining("its hook did not report") });
    tells("idle");
    tells("waiting", waits);
    await vi.advanceTimersByTimeAsync(1500);
    expect(now(2)).toMatchObject({ source: "screen", text: "" });
  });

  test("is opened with low confidence and typed only with consent, while the screen is the same", async () => {
    screen = dialog;
    tells("waiting", waits);
    await vi.advanceTimersByTimeAsync(1500);
    expect(now(1)).toMatchObject({ source: "screen", confidence: "low", rule: "codex/process", detail: { screen } });
    expect(now(1)?.options).toEqual([
      { id: "1", label: "Yes", key: "1" },
      { id: "2", label: "No, and tell Codex why", key: "2" },
    ]);
    await expect(questions.answer(1, { option: "1" }, ann)).rejects.toMatchObject({ code: "question_not_answerable" });
    screen = "another screen";
    const consent = { option: "1", confirmScreen: true };
    await expect(questions.answer(1, consent, ann)).rejects.toMatchObject({ code: "screen_changed" });
    screen = dialog;
    await questions.answer(1, consent, ann);
    expect(typed).toEqual(["1"]);
    tells("working", waits);
    expect(now(1)?.receipt?.state).toBe("pending");
    await vi.advanceTimersByTimeAsync(11_000);
    expect(now(1)?.receipt).toMatchObject({ state: "unconfirmed", evidence: expect.stringMatching(/key was typed/) });
  });

  const asked = async (lines = dialog) => {
    screen = lines;
    records("tool_call", "c-1", { input: { command: "touch made" } });
    await vi.advanceTimersByTimeAsync(10);
    tells("waiting");
    await vi.advanceTimersByTimeAsync(10);
  };
  const no = { option: "2", confirmScreen: true };

  test.each([
    ["1", { refused: false }, "confirmed"],
    ["1", { refused: true }, "overruled"],
    ["2", { refused: true }, "confirmed"],
    ["2", { refused: false }, "overruled"],
  ])("has the answer %s proved by the record of its call alone: %o is %s", async (option, data, state) => {
    records("tool_call", "c-0");
    records("tool_result", "c-0", { refused: true });
    await asked();
    await questions.answer(1, { option, confirmScreen: true }, ann);
    screen = "";
    for (const status of ["working", "idle", "working"] as const) tells(status);
    await vi.advanceTimersByTimeAsync(1000);
    expect(now(1)?.receipt?.state).toBe("pending");
    records("tool_result", "c-1", data);
    await vi.advanceTimersByTimeAsync(300);
    expect(now(1)?.receipt?.state).toBe(state);
  });

  test("is not confirmed by a record that does not say whether the call was refused, nor by one of several calls", async () => {
    await asked();
    records("tool_call", "c-2");
    await vi.advanceTimersByTimeAsync(10);
    await questions.answer(1, no, ann);
    screen = "";
    records("tool_result", "c-1", { refused: true });
    await vi.advanceTimersByTimeAsync(11_000);
    expect(now(1)?.receipt?.state).toBe("unconfirmed");
    expect(questions.list()).toHaveLength(1);
  });

  test.each([
    ['User has answered your questions: "Use tabs or spaces?"="spaces". You can now continue.', "unconfirmed"],
    ['User has answered your questions: "Use tabs or spaces?"="tabs". You can now continue.', "confirmed"],
    ['{"answers":{"tabs":{"answers":["spaces"]}}}', "unconfirmed"],
    ['{"answers":{"indent":{"answers":["tabs"]}}}', "confirmed"],
    ["User answered:\n  Use tabs or spaces? → spaces", "unconfirmed"],
    ["User answered:\n  Use tabs or spaces? → tabs", "confirmed"],
    ["User selected: tabs", "confirmed"],
  ])(
    "has a choice proved by the answer in the result, not by a word of its question: %s is %s",
    async (text, state) => {
      await asked("Use tabs or spaces?\n ❯ 1. tabs\n   2. spaces");
      await questions.answer(1, { option: "1", confirmScreen: true }, ann);
      screen = "";
      records("tool_result", "c-1", { refused: false }, text);
      await vi.advanceTimersByTimeAsync(11_000);
      expect(now(1)?.receipt?.state).toBe(state);
    },
  );

  test("has a late proof taken when the agent goes on, and at its end", async () => {
    await asked();
    await questions.answer(1, no, ann);
    screen = "";
    await vi.advanceTimersByTimeAsync(11_000);
    records("tool_result", "c-1", { refused: true });
    tells("ended");
    await vi.advanceTimersByTimeAsync(0);
    expect(now(1)?.receipt?.state).toBe("confirmed");
  });

  test("is not answered by a key that comes after another one has closed its dialog", async () => {
    await asked();
    inputAt = Date.now();
    const refused = expect(questions.answer(1, no, ann)).rejects.toMatchObject({ code: "screen_changed" });
    await vi.advanceTimersByTimeAsync(400);
    screen = "rm -rf work?\n ❯ 1. Yes\n   2. No";
    await vi.advanceTimersByTimeAsync(1000);
    await refused;
    expect(typed).toEqual([]);
    screen = dialog;
    await questions.answer(1, no, ann);
    expect(typed).toEqual(["2"]);
  });

  test("of two answers has one typed, and nothing else is typed by programs until the dialog has gone", async () => {
    await asked();
    const answers = Promise.allSettled([questions.answer(1, no, ann), questions.answer(1, no, bob)]);
    await vi.advanceTimersByTimeAsync(0);
    expect((await answers).map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
    expect(typed).toEqual(["2"]);
    expect(questions.isOpenIn(shell)).toBe(true);
    screen = "done";
    await vi.advanceTimersByTimeAsync(100);
    expect(questions.isOpenIn(shell)).toBe(false);
  });

  test("says so when its dialog is still there after the key", async () => {
    await asked();
    await questions.answer(1, no, ann);
    await vi.advanceTimersByTimeAsync(2500);
    expect(now(1)?.receipt).toMatchObject({ state: "unconfirmed", evidence: expect.stringMatching(/still there/) });
    expect(questions.isOpenIn(shell)).toBe(false);
  });

  test("is answered while a bullet blinks and the lines above its dialog change", async () => {
    const rule = "─".repeat(40);
    const shows = (above: string) => `${above}\n${rule}\n Bash command\n\n   touch made\n\n${dialog}`;
    await asked(shows("● Running…"));
    screen = shows("  Running…\n✻ Baking (12 s)");
    await questions.answer(1, no, ann);
    expect(typed).toEqual(["2"]);
  });

  test("is opened as soon as its dialog is there, and later only where its agent reports to the relay", async () => {
    tells("waiting", waits);
    await vi.advanceTimersByTimeAsync(500);
    expect(questions.list()).toEqual([]);
    screen = dialog;
    await vi.advanceTimersByTimeAsync(100);
    expect(now(1)?.state).toBe("open");
    tells("idle", waits);
    await hook(hookInput("UserPromptSubmit"));
    tells("waiting");
    await vi.advanceTimersByTimeAsync(900);
    expect(now(2)).toBeUndefined();
    await vi.advanceTimersByTimeAsync(200);
    expect(now(2)?.source).toBe("screen");
  });

  test("with more options than digits is answered in the terminal, and none is left out", async () => {
    const list = (count: number) =>
      Array.from({ length: count }, (_, index) => `${index === 0 ? "❯" : " "} ${index + 1}. Option`).join("\n");
    screen = `Which one?\n${list(10)}`;
    tells("waiting", waits);
    await vi.advanceTimersByTimeAsync(1500);
    expect(now(1)).toMatchObject({ options: [], answerable: false });
    tells("working", waits);
    screen = `Which one?\n${list(9)}`;
    tells("waiting", waits);
    await vi.advanceTimersByTimeAsync(1500);
    expect(now(2)?.options).toHaveLength(9);
    tells("working", waits);
    // Without a marked option it is a list in a text.
    screen = "Which one?\n1. Option\n2. Option";
    tells("waiting", waits);
    await vi.advanceTimersByTimeAsync(1500);
    expect(now(3)).toMatchObject({ options: [], answerable: false });
  });

  test("that is longer than what is shown says so, and is answered in the terminal", async () => {
    const rule = "─".repeat(40);
    screen = `${rule}\n${` echo ${"long".repeat(60)}\n`.repeat(50)}${dialog}`;
    tells("waiting", waits);
    await vi.advanceTimersByTimeAsync(1500);
    expect(now(1)).toMatchObject({ options: [], answerable: false });
    expect(now(1)?.risk.reasons).toEqual(["read from the screen only", "longer than what is shown"]);
  });

  test("is closed when the agent goes on, and replaced by its hook's", async () => {
    tells("waiting");
    await vi.advanceTimersByTimeAsync(1500);
    void hook(hookInput("PermissionRequest"));
    expect([now(1)?.state, now(2)?.source]).toEqual(["withdrawn", "hook"]);
    tells("working");
    expect(questions.list()).toEqual([]);
  });

  test.each(["working", "idle"] as const)("is closed by the first sign that its agent is %s", async (state) => {
    screen = dialog;
    tells("waiting", waits);
    await vi.advanceTimersByTimeAsync(1500);
    tells(state, waits);
    await vi.advanceTimersByTimeAsync(200);
    expect(now(1)).toMatchObject({ state: "answered", answeredBy: { kind: "terminal" } });
  });

  test("is closed for the next dialog, where its agent was not seen to go on between them", async () => {
    await asked();
    tells("waiting");
    await vi.advanceTimersByTimeAsync(1500);
    expect(questions.list({ all: true })).toHaveLength(1);
    screen = "rm -rf work?\n ❯ 1. Yes\n   2. No";
    tells("waiting");
    await vi.advanceTimersByTimeAsync(1500);
    expect(now(1)).toMatchObject({ state: "answered", answeredBy: { kind: "terminal" } });
    expect(now(2)).toMatchObject({ state: "open", detail: { screen } });
  });

  test("is not opened where a hook told of it first, or the agent does not wait any more", async () => {
    void hook(hookInput("PermissionRequest"));
    tells("waiting");
    await vi.advanceTimersByTimeAsync(1500);
    tells("working");
    tells("waiting");
    tells("idle");
    await vi.advanceTimersByTimeAsync(1500);
    expect(questions.list({ all: true })).toHaveLength(1);
  });
});

test("waiting for a question ends with the next one in the shell, at once where one is open, or with the time", async () => {
  const waited = questions.waitForOpen(shell, 5000);
  void hook(hookInput("PermissionRequest"));
  expect((await waited).id).toBe(1);
  expect((await questions.waitForOpen(shell, 5000)).id).toBe(1);
  const elsewhere = questions.waitForOpen(2 as ShellId, 5000);
  const refused = expect(elsewhere).rejects.toMatchObject({ code: "wait_timeout" });
  await vi.advanceTimersByTimeAsync(5000);
  await refused;
});

test("whatever races, one transition decides, the hook is answered once, and losers are told", async () => {
  const act = fc.constantFrom("yes", "no", "terminal", "hook gone", "agent ended", "agent works", "restart");
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 1, maxLength: 8 }), async (acts) => {
      const before = questions.list({ all: true }).at(-1)?.id ?? 0;
      const key = `race-${before}`;
      const gone = new AbortController();
      const outputs: unknown[] = [];
      const ask = () => void hook(hookInput("PermissionRequest"), key, gone).then((output) => outputs.push(output));
      ask();
      tells("waiting");
      let wins = 0;
      let restarted = false;
      const tries = acts.map(async (what) => {
        if (what === "terminal") await hook(hookInput("PostToolUse"), "x");
        else if (what === "hook gone") gone.abort();
        else if (what === "agent ended") tells("ended");
        else if (what === "agent works") tells("working");
        else if (what === "restart") {
          questions[Symbol.dispose]();
          questions = open();
          restarted = true;
        } else {
          await questions.answer(before + 1, { option: what }, ann).then(
            () => (wins += 1),
            (error: unknown) => {
              expect(error).toMatchObject({ code: expect.stringMatching(/^question_(closed|not_answerable)$/) });
            },
          );
        }
      });
      await Promise.all(tries);
      await vi.advanceTimersByTimeAsync(40_000);
      const after = now(before + 1);
      expect(wins).toBeLessThanOrEqual(1);
      expect(wins === 1).toBe(after?.answeredBy?.kind === "user");
      expect(outputs.length).toBeLessThanOrEqual(1);
      if (!restarted) expect(outputs).toHaveLength(after?.state === "open" && !gone.signal.aborted ? 0 : 1);
      // Nothing but a user's answer ever decides for the agent.
      const decided = outputs.filter((output) => JSON.stringify(output) !== "{}");
      expect(decided.length).toBe(wins);
      tells("ended");
      expect(now(before + 1)?.state).not.toBe("open");
      const ends = events.filter(
        (event) => event.type !== "question.opened" && JSON.stringify(event.data).includes(`"id":${before + 1},`),
      );
      expect(ends).toHaveLength(1);
    }),
    { numRuns: 300 },
  );
});

describe("a question that a program asks people", () => {
  const asks = (agentType: string) =>
    askPerson(
      questions,
      { shell, agentType, question: "Deploy?", options: ["yes", "no"], waitMs: 60_000 },
      new AbortController().signal,
    );

  test.each([
    ["a program that reports itself under that name", "program"],
    ["an agent whose session is not known", "cline"],
  ])("is settled by nothing that %s does", async (_, agentType) => {
    const nameless = { agentType, sessionId: "" };
    const answered = asks(agentType);
    tells("waiting", nameless);
    tells("working", nameless);
    tells("ended", nameless);
    await vi.advanceTimersByTimeAsync(1000);
    expect(now(1)?.state).toBe("open");
    await questions.answer(1, { option: "1" }, ann);
    expect(await answered).toMatchObject({ answer: "yes", answeredBy: "ann" });
  });

  test("takes no question of the agent in its shell away, and keeps none from being asked", async () => {
    const nameless = { agentType: "cline", sessionId: "" };
    void asks("cline");
    screen = "Run ls?\n ❯ 1. Yes\n   2. No";
    tells("waiting", nameless);
    await vi.advanceTimersByTimeAsync(2000);
    void asks("cline");
    expect(questions.list().map(({ source, state }) => [source, state])).toEqual([
      ["protocol", "open"],
      ["screen", "open"],
      ["protocol", "open"],
    ]);
  });
});

describe("a question of a hook that takes no answer", () => {
  const dialog = "Tips:\n1. Ask\n2. Edit\n│ ● 1. Allow once │\n│   2. No (esc) │";
  const asks = () =>
    questions.hook(
      { shell, agentType: "gemini", key: "hook-1", report: { kind: "asks", question: geminiQuestion() } },
      new AbortController().signal,
    );

  function geminiQuestion(): HookQuestion {
    const report = readGeminiHook({
      hook_event_name: "Notification",
      session_id: "a-1",
      cwd: "/project",
      notification_type: "ToolPermission",
      details: { type: "exec", title: "Confirm Shell Command", command: "touch made", rootCommand: "touch" },
    });
    if (report?.kind !== "asks") throw new Error("no question");
    return report.question;
  }

  test("has the options of the dialog once that is there, and is typed only with consent", async () => {
    screen = "Tips:\n1. Ask\n2. Edit";
    expect(await asks()).toEqual({});
    expect(now(1)).toMatchObject({ title: "Run: touch made", source: "hook", answerable: false, options: [] });
    await expect(questions.answer(1, { option: "1", confirmScreen: true }, ann)).rejects.toMatchObject({
      code: "invalid_params",
    });
    await vi.advanceTimersByTimeAsync(500);
    expect(now(1)?.answerable).toBe(false);
    screen = dialog;
    await vi.advanceTimersByTimeAsync(100);
    expect(now(1)).toMatchObject({ answerable: true, detail: { command: "touch made", screen: dialog } });
    expect(now(1)?.options.map(({ label }) => label)).toEqual(["Allow once", "No (esc)"]);
    await expect(questions.answer(1, { option: "1" }, ann)).rejects.toMatchObject({ code: "question_not_answerable" });
    await questions.answer(1, { option: "1", confirmScreen: true }, ann);
    expect(typed).toEqual(["1"]);
  });

  const report = (input: object) => {
    const read = readGeminiHook({ session_id: "a-1", cwd: "/project", ...input });
    if (read === undefined) throw new Error("the hook's event says nothing");
    return questions.hook({ shell, agentType: "gemini", key: "hook-2", report: read }, new AbortController().signal);
  };
  const refuse = async () => {
    records("tool_call", "c-1", { input: { command: "touch made" } });
    records("tool_call", "c-2", { input: { command: "touch other" } });
    screen = dialog;
    await vi.advanceTimersByTimeAsync(10);
    await asks();
    await vi.advanceTimersByTimeAsync(200);
    await questions.answer(1, { option: "2", confirmScreen: true }, ann);
    screen = "";
  };

  test("has a refusal confirmed by the call's status in the transcript, not by what the agent does then", async () => {
    await refuse();
    tells("working", { agentType: "gemini" });
    tells("idle", { agentType: "gemini" });
    await report({ hook_event_name: "AfterAgent" });
    records("tool_result", "c-2", { refused: true });
    await vi.advanceTimersByTimeAsync(3000);
    expect(now(1)?.receipt?.state).toBe("pending");
    records("tool_result", "c-1", { refused: true });
    await vi.advanceTimersByTimeAsync(300);
    expect(now(1)?.receipt?.state).toBe("confirmed");
  });

  test("has a refusal overruled by the command's run", async () => {
    await refuse();
    await report({ hook_event_name: "AfterTool", tool_input: { command: "touch made" } });
    expect(now(1)?.receipt?.state).toBe("overruled");
  });

  test("is not read from the screen after its end", async () => {
    screen = dialog;
    await asks();
    questions.withdraw(1, "its agent has ended");
    await vi.advanceTimersByTimeAsync(1000);
    expect(now(1)).toMatchObject({ state: "withdrawn", answerable: false, options: [] });
  });

  test("is left to the terminal where no dialog appears", async () => {
    await asks();
    await vi.advanceTimersByTimeAsync(11_000);
    screen = dialog;
    await vi.advanceTimersByTimeAsync(1000);
    expect(now(1)).toMatchObject({ state: "open", answerable: false });
    expect(vi.getTimerCount()).toBeLessThanOrEqual(1);
  });
});

describe("a question by an agent's protocol", () => {
  const reply = { output: { decision: "cancel" }, allows: false } as const;

  function asks() {
    const read = readClaudeHook(hookInput("PermissionRequest"));
    if (read?.kind !== "asks") throw new Error("no question");
    const question = { ...read.question, call: "t/1", reply: () => reply };
    return tell({ kind: "asks", question });
  }

  function tell(report: HookReport) {
    return questions.hook(
      { shell, agentType: "codex", source: "protocol", key: "t/1", report },
      new AbortController().signal,
    );
  }

  test("names its source, and closes as answered in the terminal at once when the agent has another answer", async () => {
    const output = asks();
    expect(now(1)).toMatchObject({ state: "open", answerable: true, source: "protocol", confidence: "high" });
    await tell({ kind: "settled", agentSessionId: "a-1", call: "t/other" });
    expect(now(1)?.state).toBe("open");
    await tell({ kind: "settled", agentSessionId: "a-1", call: "t/1" });
    expect(now(1)).toMatchObject({ state: "answered", answeredBy: { kind: "terminal" } });
    expect(await output).toEqual({});
  });

  test("has a refusal confirmed by the end of the turn, unless the tool ran in it", async () => {
    void asks();
    await questions.answer(1, { option: "no" }, ann);
    await tell({ kind: "turn", agentSessionId: "a-1", thread: "" });
    expect(now(1)?.receipt?.state).toBe("pending");
    await vi.advanceTimersByTimeAsync(1000);
    expect(now(1)?.receipt?.state).toBe("confirmed");
  });

  test("has a refusal overruled by the tool's run, also one that is reported after the turn's end", async () => {
    void asks();
    await questions.answer(1, { option: "no" }, ann);
    await tell({ kind: "turn", agentSessionId: "a-1", thread: "" });
    await tell({ kind: "ran", agentSessionId: "a-1", call: "t/1" });
    await vi.advanceTimersByTimeAsync(1000);
    expect(now(1)?.receipt?.state).toBe("overruled");
  });
});

describe("an agent that tells of the answers that it takes", () => {
  const opencode = { agentType: "opencode", sessionId: "ses_1" };
  const tell = (type: string, properties: object, gone = new AbortController()) => {
    const report = readOpencodeHook({
      type,
      properties: { sessionID: "ses_1", ...properties },
      root: "ses_1",
      cwd: "/p",
    });
    if (report === undefined) throw new Error("the event says nothing");
    return questions.hook({ shell, agentType: "opencode", key: type, report }, gone.signal);
  };
  const asks = (gone?: AbortController) =>
    tell("permission.asked", { id: "per_1", permission: "bash", metadata: { command: "make" } }, gone);
  const replied = (reply: string) => tell("permission.replied", { requestID: "per_1", reply });

  test.each([
    ["once", "confirmed"],
    ["reject", "overruled"],
  ])("proves an answer by its own: %s", async (reply, state) => {
    const output = asks();
    await questions.answer(1, { option: "yes" }, ann);
    expect(await output).toEqual({ reply: "once" });
    await replied(reply);
    expect(now(1)?.receipt).toMatchObject({ state });
  });

  test("closes its question in the terminal, and the one that waits gets no answer", async () => {
    const output = asks();
    await replied("once");
    expect(await output).toEqual({});
    expect(now(1)).toMatchObject({ state: "answered", answeredBy: { kind: "terminal" } });
  });

  test("keeps its question while the connection alone is lost, and withdraws it when the agent is gone", async () => {
    const gone = new AbortController();
    tells("working", opencode);
    void asks(gone);
    gone.abort();
    await vi.advanceTimersByTimeAsync(5000);
    expect(now(1)).toMatchObject({ state: "open", answerable: false });
    const again = new AbortController();
    void asks(again);
    expect(now(1)).toMatchObject({ state: "open", answerable: true });
    again.abort();
    agents = [];
    await vi.advanceTimersByTimeAsync(5000);
    expect(now(1)).toMatchObject({ state: "withdrawn", closedBecause: "its agent has ended" });
  });

  test("opens no question for a connection that is gone already", async () => {
    const gone = new AbortController();
    gone.abort();
    expect(await asks(gone)).toEqual({});
    expect(types()).toEqual([]);
  });
});
