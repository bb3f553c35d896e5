import { expect, test } from "vitest";
import type { Question } from "../../../../../core/protocol/questions.ts";
import {
  type CardKind,
  cardKindOf,
  codeInLabel,
  countChanges,
  subjectOf,
} from "../../../../../renderer/tray/now/card-kinds.ts";
import { questionOf } from "../../../../support/asked-question.ts";

const shown: readonly (readonly [CardKind, Partial<Question>])[] = [
  ["command", {}],
  ["change", { detail: { diff: "-a\n+b" } }],
  ["change", { detail: { files: ["a"] } }],
  ["use", { detail: { input: "{}" } }],
  ["plan", { kind: "plan" }],
  ["screen", { source: "screen", kind: "choice" }],
  ["budget", { source: "governor", kind: "choice" }],
];
test.each(shown)("a card of the kind %s shows %j", (kind, parts) => {
  expect(cardKindOf(questionOf(parts))).toBe(kind);
});

test("the subject is what follows the tool in the title, else the command, else the title", () => {
  expect(subjectOf({ title: "Bash: npm test", detail: {} })).toBe("npm test");
  expect(subjectOf({ title: "Allow?", detail: { command: "make\nmake install" } })).toBe("make");
  expect(subjectOf({ title: "Which version?", detail: {} })).toBe("Which version?");
});

test("the heads of a change are no lines of it", () => {
  expect(countChanges("--- a\n+++ b\n-one\n+two\n+three\n same")).toEqual({ added: 2, removed: 1 });
  expect(countChanges("---\n+++")).toEqual({ added: 1, removed: 1 });
});

test.each([
  ["Yes, and always allow npm install in this project", "rm -rf dist &&\n  npm install --no-save", "npm install"],
  ["Yes, and always allow Bash(npm run test:*) in this project, for you", "npm run test:unit", "Bash(npm run test:*)"],
  ["Yes, and always allow commands that begin with make", "make release", "make"],
  ["Yes, and do not ask again in this agent session", "echo in", undefined],
  ["Yes, and always allow WebFetch in this project", undefined, undefined],
])("of %j what it names of a command is code", (label, command, code) => {
  expect(codeInLabel(label, command)).toBe(code);
});

test("of a command with thousands of words the label's are found at once", () => {
  const label = "Yes, and allow the folder /x in this project, for you";
  const before = performance.now();
  expect(codeInLabel(label, "a ".repeat(2000))).toBeUndefined();
  expect(codeInLabel(label, `${"a ".repeat(1900)}folder /x`)).toBe("folder /x");
  expect(performance.now() - before).toBeLessThan(500);
});
