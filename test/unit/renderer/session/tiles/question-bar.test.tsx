// @vitest-environment happy-dom
import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { QuestionBar } from "../../../../../renderer/session/tiles/question-bar.tsx";
import { words } from "../../../../../renderer/session/words/index.ts";
import { questionOf, renderView } from "../../../../support/render-view.tsx";

const title = "Bash: npm install";

test("a question is a group with its agent's name, and its options are buttons that answer it", async () => {
  const { calls, user } = renderView(<QuestionBar shell={1} />, { mirror: { questions: [questionOf()] } });
  const bar = within(screen.getByRole("group", { name: words.tiles.question.label("claude", title) }));
  await user.click(bar.getByRole("button", { name: "Yes, this once" }));
  expect(calls).toEqual([["answerQuestion", { id: 1, option: "yes", confirmScreen: false }]]);
});

test("who watches sees the question without its buttons", () => {
  renderView(<QuestionBar shell={1} />, { scene: "reader", mirror: { questions: [questionOf()] } });
  expect(screen.getByText(words.tiles.question.waits)).toBeDefined();
  expect(screen.queryByRole("button", { name: "No" })).toBeNull();
});
