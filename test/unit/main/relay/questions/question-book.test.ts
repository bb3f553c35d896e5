import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { SessionId, ShellId } from "../../../../../core/protocol/ids.ts";
import { closedError, QuestionBook } from "../../../../../main/relay/questions/question-book.ts";
import { originOf } from "../../../../../main/relay/questions/question-digest.ts";
import { EventLog } from "../../../../../main/relay/session/event-log.ts";
import { openStore } from "../../../../../main/relay/store/open-store.ts";
import { Store } from "../../../../../main/relay/store/store.ts";
import { question } from "../../../../support/asked-question.ts";
import { temporaryFolder } from "../temporary-folder.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test.each([
  ["large", { text: "x".repeat(32_000), detail: { input: "x".repeat(64_000), diff: "x".repeat(64_000) } }, 200],
  ["small", { text: "", detail: {} }, 6000],
])("%s questions of one shell push no events of others out of the log", (_size, parts, count) => {
  using folder = temporaryFolder();
  using store = new Store(openStore(folder.path).database);
  const id = SessionId.parse("session-1");
  store.sessions.add({ id, name: "default", owner: "ann", createdAt: new Date(0).toISOString() });
  const log = new EventLog();
  using book = new QuestionBook({ id, apply: () => undefined, emit: (event) => log.append(event) }, store.questions);
  const ask = (shell: number) => {
    const asked = { ...question, ...parts, shellId: ShellId.parse(shell) };
    const opened = book.open(asked, originOf(asked));
    if (opened !== undefined) book.close(opened.id, { state: "withdrawn", because: "its turn has ended" });
    return opened;
  };
  expect(ask(2)).toBeDefined();
  for (let round = 0; round < count; round++) ask(1);
  expect(ask(1)).toBeUndefined();
  expect(log.after(0)).toMatchObject({ dropped: 0 });
  expect(ask(2)).toBeDefined();
  vi.advanceTimersByTime(10_000);
  expect(ask(1)).toBeDefined();
});

test("the error of a closed question quotes a long answer by its beginning, with an ellipsis", () => {
  const closed = {
    ...question,
    state: "answered" as const,
    answeredBy: { kind: "user" as const, name: "ann", client: null },
    answer: { option: null, text: `${"x".repeat(198)}😀😀` },
    closedAt: "2026-11-24T10:00:05.000Z",
  };
  expect(closedError(closed).message).toBe(
    `Question 7 was answered by ann at 2026-11-24T10:00:05.000Z: "${"x".repeat(198)}…".`,
  );
});
