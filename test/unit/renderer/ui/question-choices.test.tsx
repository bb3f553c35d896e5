// @vitest-environment happy-dom
import { cleanup, render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test } from "vitest";
import { QuestionChoices } from "../../../../renderer/ui/question-choices.tsx";
import { words } from "../../../../renderer/ui/words.ts";

afterEach(cleanup);

const options = ["Red", "Blue"].map((label, index) => ({
  id: String(index + 1),
  label,
  description: `The ${label} one`,
  key: String(index + 1),
}));
const choices = [
  { question: "Which colour?", options, multiple: false, acceptsText: true },
  { question: "Which parts?", options, multiple: true, acceptsText: false },
];

test("each question is a group of options, and all are answered at once", async () => {
  const given: string[][] = [];
  render(<QuestionChoices choices={choices} answer={(answers) => given.push(answers)} />);
  const user = userEvent.setup();
  const send = screen.getByRole<HTMLButtonElement>("button", { name: words.question.send });
  const colour = within(screen.getByRole("group", { name: "Which colour?" }));
  const parts = within(screen.getByRole("group", { name: "Which parts?" }));
  await user.click(colour.getByRole("radio", { name: /^Red/ }));
  expect(send.disabled).toBe(true);
  await user.click(parts.getByRole("checkbox", { name: /^Blue/ }));
  await user.click(parts.getByRole("checkbox", { name: /^Red/ }));
  await user.click(send);
  await user.type(colour.getByRole("textbox", { name: words.question.answerLabel }), "green");
  expect(colour.getByRole<HTMLInputElement>("radio", { name: /^Red/ }).checked).toBe(false);
  await user.click(parts.getByRole("checkbox", { name: /^Red/ }));
  await user.click(send);
  expect(given).toEqual([
    ["1", "1+2"],
    ["=green", "2"],
  ]);
});

test.each(["radio", "checkbox"])("Enter on a %s answers nothing; in the field for own words it does", async (role) => {
  const given: string[][] = [];
  render(<QuestionChoices choices={choices} answer={(answers) => given.push(answers)} />);
  const user = userEvent.setup();
  await user.click(screen.getByRole("checkbox", { name: /^Blue/ }));
  await user.click(screen.getByRole("radio", { name: /^Red/ }));
  screen.getByRole(role, { name: /^Red/ }).focus();
  await user.keyboard("{Enter}");
  expect(given).toEqual([]);
  await user.type(screen.getByRole("textbox", { name: words.question.answerLabel }), "green{Enter}");
  expect(given).toEqual([["=green", "2"]]);
});
