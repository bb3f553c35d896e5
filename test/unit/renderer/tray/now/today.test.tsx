// @vitest-environment happy-dom
import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { words } from "../../../../../renderer/tray/words/index.ts";
import { renderPanel } from "../../../../support/render-panel.tsx";

test.each([
  [4.99, undefined],
  [5, undefined],
  [5.01, "true"],
])("a day that has cost $%d of $5 is amber as soon as that waits for the user: %s", async (costToday, over) => {
  await renderPanel({ content: { costToday, budgets: { day: 5, session: null } } });
  const sum = within(screen.getByRole("region", { name: words.today.title })).getByText(/^\$/, { selector: "strong" });
  expect(sum.dataset.over).toBe(over);
  expect(screen.queryAllByRole("group", { name: words.requests.budget.sentence }).length).toBe(over ? 1 : 0);
});
