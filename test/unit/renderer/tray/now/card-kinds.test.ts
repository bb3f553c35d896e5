import { describe, expect, test } from "vitest";
import type { Question } from "../../../../../core/protocol/questions.ts";
import {
  type CardKind,
  cardKindOf,
  cardOptions,
  codeInLabel,
  countChanges,
  subjectOf,
} from "../../../../../renderer/tray/now/card-kinds.ts";
import { questionOf } from "../../../../support/asked-question.ts";

const options = (...all: readonly (readonly [id: string, label: string])[]) =>
  all.map(([id, label], index) => ({ id, label, key: String(index + 1) }));
const sorted = (question: Parameters<typeof questionOf>[0]) => {
  const { primary, others, persistent } = cardOptions(questionOf(question));
  return [primary?.id, others.map(({ id }) => id), persistent.map(({ id, digit }) => `${id}=${digit}`)];
};

describe("options are sorted by what they lead to, and keep the digits of the agent's list", () => {
  test.each([
    [
      "a permission",
      { options: options(["yes", "Yes, this once"], ["always-1", "Yes, and always allow npm"], ["no", "No"]) },
      ["yes", ["no"], ["always-1=2"]],
    ],
    [
      "a plan",
      {
        kind: "plan",
        options: options(["yes", "Yes, ask before edits"], ["yes-accept-edits", "Yes, accept edits"], ["no", "No"]),
      },
      ["yes", ["no"], ["yes-accept-edits=2"]],
    ],
    [
      "a dialog on the screen",
      {
        source: "screen",
        kind: "choice",
        options: options(["1", "Yes"], ["2", "Yes, and don't ask again"], ["3", "No"]),
      },
      ["1", ["3"], ["2=2"]],
    ],
    ["a list in which No is first", { options: options(["no", "No"], ["yes", "Yes"]) }, [undefined, ["no", "yes"], []]],
    [
      "a refusal for good",
      { options: options(["yes", "Yes"], ["never-1", "No, and always refuse the host"], ["no", "No"]) },
      ["yes", ["no"], ["never-1=2"]],
    ],
    [
      "a budget",
      {
        source: "governor",
        kind: "choice",
        options: options(["more", "Allow 5 dollars more"], ["stop", "Stop the turn"], ["run", "Let it run"]),
      },
      ["more", ["stop"], ["run=3"]],
    ],
    ["a choice", { kind: "choice", options: options(["a", "Always"], ["b", "No"]) }, [undefined, ["a", "b"], []]],
  ] as const)("%s", (_, question, expected) => {
    expect(sorted({ ...question, options: [...question.options] })).toEqual(expected);
  });
});

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
