import { describe, expect, onTestFinished, test, vi } from "vitest";
import { speak } from "../../../../renderer/ui/language.ts";
import { sortOptions } from "../../../../renderer/ui/question-options.ts";
import { questionOf } from "../../../support/asked-question.ts";

const options = (...all: readonly (readonly [id: string, label: string])[]) =>
  all.map(([id, label], index) => ({ id, label, key: String(index + 1) }));
const sorted = (question: Parameters<typeof questionOf>[0]) => {
  const { primary, others, persistent } = sortOptions(questionOf(question));
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

test("options have their labels in the language of the page, and are sorted as in English", async () => {
  vi.stubGlobal("document", { documentElement: { lang: "en" } });
  onTestFinished(async () => {
    await speak({ language: "en", locale: undefined });
    vi.unstubAllGlobals();
  });
  await speak({ language: "de", locale: undefined });
  const session = "Yes, and do not ask again in this agent session";
  const all = options(["no", "No"], ["yes", "Yes, this once"], ["always-1", session]);
  const { primary, others, persistent } = sortOptions(questionOf({ options: all }));
  expect(primary).toBeUndefined();
  expect(others.map(({ label }) => label)).toEqual(["Nein", "Ja, dieses eine Mal"]);
  expect(persistent.map(({ label }) => label)).toEqual(["Ja, und in dieser Agentensitzung nicht mehr fragen"]);
});
