// @vitest-environment happy-dom
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { QuestionReceipt as Receipt } from "../../../../../core/protocol/questions.ts";
import { QuestionBar } from "../../../../../renderer/session/tiles/question-bar.tsx";
import { words } from "../../../../../renderer/session/words/index.ts";
import { words as sharedWords } from "../../../../../renderer/ui/words.ts";
import { questionOf } from "../../../../support/asked-question.ts";
import { pendingAnswer } from "../../../../support/pending-answer.ts";
import { renderView } from "../../../../support/render-view.tsx";
import { untilStill } from "../../../../support/until-still.ts";

const title = "Bash: npm install";

test("a question is a group with its agent's name, and its options are buttons that answer it", async () => {
  const { calls, user } = renderView(<QuestionBar shell={1} />, { mirror: { questions: [questionOf()] } });
  const bar = within(screen.getByRole("group", { name: words.tiles.question.label("claude", title) }));
  await user.click(await untilStill(bar.getByRole("button", { name: "Yes, this once" })));
  expect(calls).toEqual([["answerQuestion", { id: 1, option: "yes", confirmScreen: false }]]);
});

test("a question is answered once by a double click, and again where the answer was refused", async () => {
  const given: unknown[] = [];
  const answerQuestion = async (answer: object) => {
    given.push(Reflect.get(answer, "option"));
    throw new Error("The connection was lost.");
  };
  const { user } = renderView(<QuestionBar shell={1} />, {
    mirror: { questions: [questionOf()] },
    host: { answerQuestion },
  });
  const yes = await untilStill(screen.getByRole("button", { name: "Yes, this once" }));
  fireEvent.click(yes);
  fireEvent.click(yes);
  expect(given).toEqual(["yes"]);
  await act(async () => undefined);
  await user.click(screen.getByRole("button", { name: "No" }));
  expect(given).toEqual(["yes", "no"]);
});

test("while an answer is on its way, the question shows that", async () => {
  const answer = pendingAnswer();
  const { user } = renderView(<QuestionBar shell={1} />, {
    mirror: { questions: [questionOf()] },
    host: { answerQuestion: () => answer.result },
  });
  const bar = screen.getByRole("group", { name: words.tiles.question.label("claude", title) });
  await user.click(await untilStill(within(bar).getByRole("button", { name: "No" })));
  expect(bar.getAttribute("aria-disabled")).toBe("true");
  await answer.give({});
  await waitFor(() => expect(bar.getAttribute("aria-disabled")).toBe("false"));
});

test("one answer is primary, and what outlasts the question stands apart below, with a second step", async () => {
  const options = [
    { id: "yes", label: "Yes, this once", key: "1" },
    { id: "always-1", label: "Yes, and always allow npm", key: "2" },
    { id: "no", label: "No", key: "3" },
  ];
  const { calls, page, user } = renderView(<QuestionBar shell={1} />, {
    mirror: { questions: [questionOf({ options })] },
  });
  const labels = (selector: string) => [...page.container.querySelectorAll(selector)].map((one) => one.textContent);
  expect(labels(".primary")).toEqual(["Yes, this once"]);
  expect(labels("[data-option]")).toEqual(["Yes, this once", "No", "Yes, and always allow npm"]);
  expect(labels(".question-persistent .quiet")).toEqual(["Yes, and always allow npm"]);
  const always = await untilStill(screen.getByRole("button", { name: "Yes, and always allow npm", expanded: false }));
  const confirm = () => screen.queryByRole("button", { name: sharedWords.question.allowPersistent });
  await user.click(always);
  await user.click(always);
  expect([confirm(), calls]).toEqual([null, []]);
  await user.click(always);
  await user.click(await untilStill(confirm() ?? document.body));
  expect(calls).toEqual([["answerQuestion", { id: 1, option: "always-1", confirmScreen: false }]]);
});

test("who watches sees the question without its buttons", () => {
  renderView(<QuestionBar shell={1} />, { scene: "reader", mirror: { questions: [questionOf()] } });
  expect(screen.getByText(sharedWords.question.forWriters)).toBeDefined();
  expect(screen.queryByRole("button", { name: "No" })).toBeNull();
});

test("what a program asks has no risk, and a long question is said once", async () => {
  const text = `Deploy to production? ${"Backups are verified. ".repeat(20)}`;
  const asked = questionOf({
    agentType: "program",
    kind: "choice",
    title: `${text.slice(0, 199)}…`,
    text,
    risk: { level: "low", reasons: [] },
  });
  const { page, user } = renderView(<QuestionBar shell={1} />, { mirror: { questions: [asked] } });
  expect(page.container.textContent).toContain(`${sharedWords.question.program} asks: Deploy`);
  expect(page.container.querySelector(".question-risk")).toBeNull();
  await user.click(await untilStill(screen.getByRole("button", { expanded: false, name: /^Show/ })));
  expect(page.container.textContent.split("Deploy to production?").length).toBe(2);
});

const said = sharedWords.question;
const answered = (id: number, option: string, state: Receipt["state"], at: string, command: string) =>
  questionOf({
    id,
    title: `Bash: ${command}`,
    state: "answered",
    answeredBy: { kind: "user", name: "root", client: null },
    answer: { option, text: null },
    closedAt: at,
    receipt: { state, evidence: "the record", at },
  });
const first = answered(1, "yes", "unconfirmed", "2026-01-01T00:01:00.000Z", "npm publish");
const second = (state: Receipt["state"]) => answered(2, "no", state, "2026-01-01T00:02:00.000Z", "rm -rf build");
const group = (command: string) =>
  screen.queryByRole("group", { name: words.tiles.question.label("claude", `Bash: ${command}`) });

test("the newest answer is shown, and an older one does not come back as its outcome", () => {
  const { change } = renderView(<QuestionBar shell={1} />, { mirror: { questions: [first, second("pending")] } });
  const sentence = said.answeredWith("root", "No");
  expect(screen.getByText(said.receipt.pending(sentence))).toBeDefined();
  expect(group("npm publish")).toBeNull();
  change({ questions: [first, second("confirmed")] });
  expect(screen.getByText(said.receipt.confirmed(sentence, "the record"))).toBeDefined();
  change({ questions: [first] });
  expect(screen.queryByRole("group")).toBeNull();
});

test("an answered question is marked as nothing that waits, and is dismissed for good", async () => {
  const { change, page, user } = renderView(<QuestionBar shell={1} />, { mirror: { questions: [first] } });
  expect(page.container.querySelector(".dot.wait")).toBeNull();
  await user.click(screen.getByRole("button", { name: said.dismiss }));
  expect(screen.queryByRole("group")).toBeNull();
  change({ questions: [{ ...first }] });
  expect(screen.queryByRole("group")).toBeNull();
  change({ questions: [first, questionOf({ id: 3, title: "Bash: make" })] });
  expect(group("make")).not.toBeNull();
  expect(page.container.querySelector(".dot.wait")).not.toBeNull();
});

test("an open question stands before answers, the oldest first, with the number of the others", () => {
  const questions = [first, questionOf({ id: 3, title: "Bash: make" }), questionOf({ id: 4, title: "Bash: ls" })];
  renderView(<QuestionBar shell={1} />, { mirror: { questions } });
  expect(group("make")).not.toBeNull();
  expect(screen.getByText(words.tiles.question.more("Medium risk: uses the network", 1))).toBeDefined();
  expect(screen.queryByRole("button", { name: said.dismiss })).toBeNull();
});
