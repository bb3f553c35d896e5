import { expect, test } from "vitest";
import { answerText } from "../../../../../core/protocol/questions.ts";
import { chosenAnswer } from "../../../../../main/relay/questions/chosen-answer.ts";
import { questionOf } from "../../../../support/asked-question.ts";

const option = (id: string, label: string) => ({ id, label, description: "", key: id });
const colours = [option("1", "Red"), option("2", "Blue"), option("3", "Red + Blue")];
const question = questionOf({
  options: [],
  acceptsText: false,
  choices: [
    { question: "Which colour?", options: colours, multiple: false, acceptsText: true },
    { question: "Which parts?", options: colours, multiple: true, acceptsText: false },
  ],
});
const chosen = (...answers: string[]) => chosenAnswer(question, { answers }).answers;

test.each([
  [
    ["2", "1"],
    [["2"], ["1"]],
  ],
  [
    ["blue", "RED"],
    [["2"], ["1"]],
  ],
  [
    ["Red + Blue", "Red + Blue"],
    [["3"], ["3"]],
  ],
  [
    ["1", "2+1"],
    [["1"], ["2", "1"]],
  ],
  [
    ["1", "Blue + red + 2"],
    [["1"], ["2", "1"]],
  ],
])("the answers %j choose the options %j", (answers, options) => {
  expect(chosen(...answers)).toEqual(options.map((each) => ({ options: each, text: null })));
});

test("words that name no option are an answer where the question takes one", () => {
  expect(chosen("1+2", "1")?.[0]).toEqual({ options: [], text: "1+2" });
  expect(() => chosen("1", "green")).toThrow(/^answers: expected some of 1 \(Red\).* for "Which parts\?", got "green"/);
  expect(() => chosen("1", "1+green")).toThrow(/got "1\+green"/);
});

test("each of the questions is answered, and by nothing else", () => {
  expect(() => chosen("1")).toThrow("answers: expected 2 answers, one for each of the question's choices.");
  expect(() => chosen("1", "1", "1")).toThrow(/expected 2 answers/);
  expect(() => chosenAnswer(question, { option: "1" })).toThrow(/expected 2 answers/);
  expect(() => chosenAnswer(question, { option: "1", answers: ["1", "1"] })).toThrow(/exactly one of option, text and/);
  expect(() => chosenAnswer(question, {})).toThrow(/exactly one of/);
  expect(() => chosenAnswer(questionOf(), { answers: ["yes"] })).toThrow(/^answers: this question takes one of yes/);
});

test("an answer is read by its labels", () => {
  const answer = chosenAnswer(question, { answers: ["none", "1+2"] });
  expect(answerText({ ...question, answer })).toBe("none; Red, Blue");
  expect(answerText({ ...questionOf(), answer: { option: "no", text: null } })).toBe("No");
  expect(answerText({ ...questionOf(), answer: { option: null, text: null } })).toBeUndefined();
});

test("a form's answer is what it shows, whatever the options are called", () => {
  const named = (...labels: string[]) => labels.map((label, at) => option(String(at + 1), label));
  const tricky = questionOf({
    options: [],
    choices: [
      { question: "How many?", options: named("1", "10", "2"), multiple: false, acceptsText: true },
      { question: "Delete?", options: named("Cache", "Logs", "1+2"), multiple: true, acceptsText: true },
    ],
  });
  const given = (...answers: string[]) => chosenAnswer(tricky, { answers }).answers;
  expect(given("2", "1+2")).toEqual([
    { options: ["2"], text: null },
    { options: ["1", "2"], text: null },
  ]);
  expect(given("=2", "=1+2")).toEqual([
    { options: [], text: "2" },
    { options: [], text: "1+2" },
  ]);
  expect(given("10", "3")).toEqual([
    { options: ["2"], text: null },
    { options: ["3"], text: null },
  ]);
});

test("a digit chooses by the place in the list, as in the panel, and a key stays what it is", () => {
  const options = [
    { ...option("yes", "Yes, this once"), key: "y" },
    { ...option("always-1", "Yes, and always allow it"), key: "" },
    { ...option("no", "No"), key: "n" },
  ];
  const chooses = (given: string) => chosenAnswer(questionOf({ options }), { option: given }).option;
  expect(["1", "2", "3"].map(chooses)).toEqual(["yes", "always-1", "no"]);
  expect(["y", "N", "always-1"].map(chooses)).toEqual(["yes", "no", "always-1"]);
  for (const none of ["0", "4", ""]) expect(() => chooses(none)).toThrow(/^option: expected one of yes/);
  // A question from before an update has a number as the key of another option.
  const before = options.map((one) => (one.id === "always-1" ? { ...one, key: "1" } : one));
  expect(() => chosenAnswer(questionOf({ options: before }), { option: "1" })).toThrow(/give the id of one/);
});

test("the exact id of an option is that option, and words that several options have are refused", () => {
  const options = [
    { ...option("allow", "2"), key: "1" },
    { ...option("Deny", "allow"), key: "2" },
    { ...option("later", "LATER on"), key: "3" },
  ];
  const chooses = (given: string) => chosenAnswer(questionOf({ options }), { option: given }).option;
  expect(["allow", "3", "later ON", "deny"].map(chooses)).toEqual(["allow", "later", "later", "Deny"]);
  expect(() => chooses("2")).toThrow('option: "2" may mean allow (2) or Deny (allow): give the id of one.');
  expect(() => chooses("ALLOW")).toThrow(/^option: "ALLOW" may mean allow \(2\) or Deny \(allow\)/);
  const choices = [{ question: "Now?", options, multiple: true, acceptsText: true }];
  const answer = (given: string) => chosenAnswer(questionOf({ options: [], choices }), { answers: [given] });
  expect(() => answer("later + 2")).toThrow(/^answers: "2" may mean/);
});
