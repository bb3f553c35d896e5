import { expect, test } from "vitest";
import type { RelayEvent } from "../../../../../core/protocol/events.ts";
import type { ShellId } from "../../../../../core/protocol/ids.ts";
import type { Question } from "../../../../../core/protocol/questions.ts";
import {
  noticeOfBudget,
  noticeOfEvent,
  noticeOfQuestion,
} from "../../../../../main/desktop/notifications/agent-notices.ts";
import { shellRecord } from "../../relay/small-session.ts";

const agent = {
  shellId: 2 as ShellId,
  agentType: "codex",
  model: "gpt-5-codex",
  sessionId: "x",
  tokenUsage: { input: 0, output: 0, cached: 0, cost: 0 },
};
const event = (type: "agent.waiting" | "agent.ended" | "agent.updated"): RelayEvent => ({ type, data: agent });

test("an agent that waits or ended is worth a notification that names its shell; an update is not", () => {
  const shells = [shellRecord(2, { title: "migrations" })];
  expect(noticeOfEvent(event("agent.waiting"), shells)).toEqual({
    kind: "waiting",
    shell: 2,
    title: "codex waits for you",
    body: "In migrations",
  });
  expect(noticeOfEvent(event("agent.ended"), shells)).toMatchObject({ kind: "ended", title: "codex ended" });
  expect(noticeOfEvent(event("agent.updated"), shells)).toBeUndefined();
});

test("a notification calls the shell what its tile is called", () => {
  const shells = [shellRecord(2, { title: "⠙ Split the users table", cwd: "/srv/db" })];
  expect(noticeOfEvent(event("agent.waiting"), shells)?.body).toBe("In Split the users table");
  expect(noticeOfEvent(event("agent.waiting"), shells, () => "plans")?.body).toBe("In plans");
  expect(noticeOfEvent(event("agent.ended"), shells)?.body).toBe("In db");
});

test("a budget's notification says whose it is and how far it is spent", () => {
  const spent = { subject: "", unit: "dollars", of: "2026-03-14", spent: 4, limit: 5 } as const;
  expect(noticeOfBudget({ ...spent, scope: "day", percent: 80 }, "api").title).toBe("Today's budget: 80% spent");
  expect(noticeOfBudget({ ...spent, scope: "session", percent: 100 }, "api").title).toBe("The budget of api is spent");
  const tokens = { ...spent, scope: "model", of: "2026-03-14 gpt", unit: "tokens", percent: 100 } as const;
  expect(noticeOfBudget(tokens, "api", "en")).toEqual({
    title: "Today's budget of gpt is spent",
    body: "4 of 5 tokens.",
  });
  const doubtful = { ...spent, scope: "day", percent: 100, uncertain: true } as const;
  expect(noticeOfBudget({ ...doubtful, approximate: 1.5 }, "api", "en").body).toBe(
    "$4.00 of $5.00 at list prices. About $1.50 of it was priced as a similar model.",
  );
  expect(noticeOfBudget({ ...doubtful, unpriced: true }, "api", "en").body).toBe(
    "$4.00 of $5.00 at list prices. Calls of models without a price are not in it; a budget in tokens counts them.",
  );
});

const yes = { id: "yes", label: "Yes, this once", key: "y" };
const always = { id: "always-1", label: "Yes, and always allow it", key: "" };
const no = { id: "no", label: "No", key: "n" };
const question = (fields: Partial<Question>) =>
  ({
    id: 7,
    shellId: 2,
    agentType: "claude",
    kind: "permission",
    title: "Bash: rm -rf build",
    text: "Starts from nothing",
    detail: { command: "rm -rf build" },
    options: [yes, always, no],
    risk: { level: "high", reasons: ["deletes files"] },
    answerable: true,
    source: "hook",
    ...fields,
  }) as Question;

test("a question's notification says what is asked, and offers what does not last", () => {
  expect(noticeOfQuestion(question({}), [shellRecord(2, { title: "tests" })])).toEqual({
    kind: "waiting",
    shell: 2,
    title: "claude asks: Bash: rm -rf build",
    body: "Starts from nothing\nrm -rf build\nHigh risk: deletes files\nIn tests",
    question: { id: 7, options: [yes, no] },
  });
});

test("a long question of a program stands in its notification once", () => {
  const text = `Shall I deploy?\n${"The tests passed. ".repeat(20)}`;
  const asked: Partial<Question> = {
    agentType: "program",
    kind: "choice",
    detail: {},
    risk: { level: "low", reasons: [] },
  };
  const long = noticeOfQuestion(question({ ...asked, title: "Shall I deploy? The tests…", text }), []);
  expect(long.title).toBe("A program asks you");
  expect(long.body).toMatch(/^Shall I deploy\?\nThe tests/);
  const short = noticeOfQuestion(question({ ...asked, title: "Shall I deploy?", text: "" }), []);
  expect([short.title, short.body]).toEqual(["A program asks: Shall I deploy?", ""]);
});

test("a notification that cannot show the whole of what is asked has no answer buttons", () => {
  const long = noticeOfQuestion(question({ detail: { command: "x".repeat(400) } }), []);
  expect(long.question?.options).toEqual([]);
  expect(long.body?.length).toBeLessThan(400);
  expect(noticeOfQuestion(question({ detail: { diff: "+a\n".repeat(10) } }), []).question?.options).toEqual([]);
  expect(noticeOfQuestion(question({ answerable: false }), []).question?.options).toEqual([]);
});

test("a notification has buttons only where it shows all that an answer lets happen, and they carry the question's digest", () => {
  const options = (fields: Partial<Question>) => noticeOfQuestion(question(fields), []).question?.options;
  expect(options({ detail: { input: '{\n "sql": "DROP TABLE users"\n}' } })).toEqual([yes, no]);
  expect(noticeOfQuestion(question({ detail: { input: '{\n "sql": "DROP"\n}' } }), []).body).toContain('"sql": "DROP"');
  expect(options({ detail: { input: "x".repeat(400) } })).toEqual([]);
  const { body } = noticeOfQuestion(question({ detail: { diff: "+a", files: ["/project/a"] } }), []);
  expect(body).toContain("/project/a\n+a");
  expect(options({ detail: { diff: "+a", files: ["/project/a".repeat(40)] } })).toEqual([]);
  expect(noticeOfQuestion(question({ digest: "d" }), []).question).toMatchObject({ id: 7, digest: "d" });
});

test("a question that was read from the screen shows what stands before its options, and is answered where the screen is", () => {
  const screen = "╭───╮\n│ Allow codex to run this? │\n│   alembic upgrade head │\n│ ❯ 1. Yes │\n│   2. No │\n╰───╯";
  const {
    title,
    body,
    question: about,
  } = noticeOfQuestion(
    question({ title: "codex waits for you", text: "permission prompt", source: "screen", detail: { screen } }),
    [],
  );
  expect([title, body]).toEqual(["codex waits for you", "Allow codex to run this?\nalembic upgrade head"]);
  expect(about?.options).toEqual([]);
});

test("a permission has no button for what lasts, however few its options are", () => {
  const options = (...given: (typeof yes)[]) => noticeOfQuestion(question({ options: given }), []).question?.options;
  expect(options(always, no)).toEqual([no]);
  expect(options(always)).toEqual([]);
  expect(options(yes, no)).toEqual([yes, no]);
});

test("a plan has no button that switches off further questions", () => {
  const accept = { id: "yes-accept-edits", label: "Yes, and accept edits", key: "" };
  const notice = noticeOfQuestion(question({ kind: "plan", options: [yes, accept, no] }), []);
  expect(notice.question?.options.map(({ id }) => id)).toEqual(["yes", "no"]);
});
