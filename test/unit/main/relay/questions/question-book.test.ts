import { expect, test } from "vitest";
import { closedError } from "../../../../../main/relay/questions/question-book.ts";
import { question } from "../../../../support/asked-question.ts";

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
