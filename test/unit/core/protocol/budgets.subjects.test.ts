import { expect, test } from "vitest";
import { type BudgetScope, subjectProblem } from "../../../../core/protocol/budgets.ts";

const session = "V1StGXR8_Z5jdHi6B-myT";

test.each<[BudgetScope, readonly string[], readonly string[]]>([
  ["day", [""], ["2026-11-24", session]],
  [
    "shell",
    ["", `${session}/3`],
    ["3", "nope", session, `${session}/`, `${session}/0`, `${session}/3/4`, "/3", "short/3"],
  ],
  ["session", ["", session], ["nope", `${session}/3`, "a session", "*"]],
  ["agent", ["", "ses_1", "01a1fc09-3354-7e42-8c65-f6df7ca02110"], [" ", "two words", "a\nb"]],
  ["model", ["", "gpt-6", "gpt-6*", "*"], ["g*t", "gpt**", "gpt 6"]],
  [
    "window",
    ["", "5h", "week", "1d", "90m", "claude 5h", "codex 5h spark"],
    ["banana", "7d", "24h", "60m", "5", "h", "0h"],
  ],
])("a budget of the scope %s has a subject of its form", (scope, good, bad) => {
  for (const subject of good) expect([subject, subjectProblem({ scope, subject })]).toEqual([subject, undefined]);
  for (const subject of bad) expect([subject, typeof subjectProblem({ scope, subject })]).toEqual([subject, "string"]);
});
