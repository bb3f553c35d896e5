import { expect, test } from "vitest";
import type { Question } from "../../../../../core/protocol/questions.ts";
import { keptMessages } from "../../../../../main/relay/questions/kept-messages.ts";
import { question } from "../../../../support/asked-question.ts";

const closed = { ...question, closedAt: "2026-11-24T10:00:05.000Z" };
const person = { kind: "user", name: "ann", client: null } as const;
const pending = { state: "overruled", evidence: "the call ran", at: closed.closedAt } as const;

test.each<[string, Question, string]>([
  [
    "by option",
    { ...closed, state: "answered", answeredBy: person, answer: { option: "yes", text: null } },
    "user: Yes (ann)",
  ],
  [
    "in words",
    { ...closed, state: "answered", answeredBy: person, answer: { option: "no", text: "use trash" } },
    "user: No: use trash (ann)",
  ],
  [
    "in the terminal, without its option",
    { ...closed, state: "answered", answeredBy: { ...person, kind: "terminal" }, answer: null },
    "user: Answered (in the terminal)",
  ],
  [
    "against the agent's record",
    { ...closed, state: "answered", answeredBy: person, answer: { option: "no", text: null }, receipt: pending },
    "user: No (ann) [overruled: the call ran]",
  ],
  ["not at all", { ...closed, state: "withdrawn", closedBecause: "the agent ended" }, "system: the agent ended"],
])("a question that was answered %s is two messages", (_, asked, said) => {
  const [first, second, ...others] = keptMessages([asked], "claude", "a-1");
  expect(first).toMatchObject({ role: "system", kind: "question", at: question.askedAt });
  expect(first?.text).toBe("Run a command?\n\nIt cleans up.\n\nrm -r out");
  expect(`${second?.role}: ${second?.text}`).toBe(said);
  expect(second).toMatchObject({ kind: "answer", at: closed.closedAt });
  expect(others).toEqual([]);
});

test("an open question is one message, and several are in the order of their time", () => {
  const later = { ...question, id: 8, askedAt: "2026-11-24T10:00:02.000Z" };
  const answered = { ...closed, state: "answered", answeredBy: person, answer: { option: "yes", text: null } } as const;
  expect(keptMessages([later, answered], "claude", "a-1").map(({ id }) => id)).toEqual([
    "question:session-1:7",
    "question:session-1:8",
    "answer:session-1:7",
  ]);
});
