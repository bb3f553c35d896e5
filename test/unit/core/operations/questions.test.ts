import { expect, test } from "vitest";
import { questionOperations } from "../../../../core/operations/questions.ts";
import { ExpectedProgram } from "../../../../core/protocol/receipts.ts";

const session = "session-1";
const messages = (given: object) =>
  questionOperations.askPerson.params.safeParse({ session, ...given }).error?.issues.map(({ code }) => code);

test("a question or a label that is too long is refused before anything is made of it", () => {
  const long = "\u0301a".repeat(450_000);
  const before = performance.now();
  expect(messages({ question: long })).toEqual(["too_big"]);
  expect(messages({ question: "Which?", options: [long, "b"] })).toEqual(["too_big"]);
  expect(messages({ question: "Which?", options: Array.from({ length: 100_000 }, () => "a") })).toEqual(["too_big"]);
  expect(performance.now() - before).toBeLessThan(400);
});

test("labels that look alike are refused", () => {
  expect(messages({ question: "Which?", options: ["yes", "YES"] })).toEqual(["custom"]);
  expect(messages({ question: "\u200b" })).toEqual(["custom"]);
});

test("a pattern that is too long is not compiled", () => {
  expect(ExpectedProgram.safeParse("[".repeat(1001)).error?.issues.map(({ code }) => code)).toEqual(["too_big"]);
});
