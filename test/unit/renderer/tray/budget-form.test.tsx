// @vitest-environment happy-dom
import { screen, waitFor, within } from "@testing-library/react";
import { expect, onTestFinished, test } from "vitest";
import { setSpeech } from "../../../../core/phrases.ts";
import { words } from "../../../../renderer/tray/words/index.ts";
import { pendingAnswer } from "../../../support/pending-answer.ts";
import { renderPanel } from "../../../support/render-panel.tsx";

const said = words.costs.budgets;

async function open(budgets: { day: number | null; session: number | null }, answers: object = {}) {
  const panel = await renderPanel({ content: { budgets }, answers: { ...answers } });
  await panel.user.click(screen.getByRole("tab", { name: words.panel.tabs.agents }));
  const region = await screen.findByRole("region", { name: said.title }, { timeout: 20_000 });
  const field = (name: "day" | "session") => within(region).getByLabelText<HTMLInputElement>(new RegExp(said[name]));
  const set = within(region).getByRole<HTMLButtonElement>("button", { name: said.set });
  const asked = () => panel.calls.filter(([name]) => name === "setBudgets").map(([, params]) => params);
  const type = async (name: "day" | "session", text: string) => {
    await panel.user.clear(field(name));
    if (text !== "") await panel.user.type(field(name), text);
  };
  return { ...panel, region, field, set, asked, type };
}

test("the budgets are shown as they are, and nothing can be set before one is changed", async () => {
  const { field, set, region, change } = await open({ day: 5, session: null });
  expect([field("day").value, field("session").value, set.disabled]).toEqual(["5", "", true]);
  expect(within(region).getByText(said.hint).getAttribute("role")).toBeNull();
  // They were set elsewhere.
  change({ budgets: { day: 6.5, session: null } });
  expect([field("day").value, field("session").value]).toEqual(["6.50", ""]);
  change({ budgets: { day: 6.5, session: 2 } });
  expect([field("day").value, field("session").value, set.disabled]).toEqual(["6.50", "2", true]);
});

test("what is typed stays while the other budget is set elsewhere", async () => {
  const { field, type, change } = await open({ day: null, session: null });
  await type("day", "7");
  change({ budgets: { day: null, session: 3 } });
  expect([field("day").value, field("session").value]).toEqual(["7", "3"]);
});

test("both are set at once, with a comma or a point, and an empty field is no limit", async () => {
  const { set, asked, type, user } = await open({ day: 5, session: 1 });
  await type("day", " 2,5 ");
  await type("session", "");
  await user.click(set);
  await waitFor(() => expect(screen.getByRole("contentinfo").textContent).toContain(said.saved));
  expect(asked()).toEqual([{ day: 2.5, session: null }]);
});

test.each(["0", "-1", "x", "1000001"])("the amount %j is refused, and not set by Enter either", async (amount) => {
  const { field, set, asked, type, region, user } = await open({ day: 5, session: null });
  await type("day", amount);
  expect([
    set.disabled,
    field("day").getAttribute("aria-invalid"),
    field("session").getAttribute("aria-invalid"),
  ]).toEqual([true, "true", "false"]);
  expect(within(region).getByRole("alert").textContent).toBe(said.wrong);
  await user.keyboard("{Enter}");
  expect(asked()).toEqual([]);
  await type("day", "1000000");
  expect([set.disabled, within(region).queryByRole("alert")]).toEqual([false, null]);
});

test("in German the amounts are shown and read as German writes them", async () => {
  setSpeech({ language: "en", locale: "de-DE" });
  onTestFinished(() => setSpeech({ language: "en", locale: undefined }));
  const { field, set, asked, type, user } = await open({ day: 5.5, session: 1.125 });
  expect([field("day").value, field("session").value, set.disabled]).toEqual(["5,50", "1,125", true]);
  await type("day", "1.000");
  await user.click(set);
  expect(asked()).toEqual([{ day: 1000, session: 1.125 }]);
});

test("an amount that can be read in two ways is not set, and both ways are said", async () => {
  const { field, set, asked, type, region, user } = await open({ day: 5, session: null });
  await type("day", "2.500");
  expect([set.disabled, field("day").getAttribute("aria-invalid")]).toEqual([true, "true"]);
  expect(within(region).getByRole("alert").textContent).toBe(said.ambiguous("2.500", "2500", "2.50"));
  await user.keyboard("{Enter}");
  expect(asked()).toEqual([]);
});

test("a refusal of the relay is shown, and nothing is said to be saved", async () => {
  const { set, type, user } = await open({ day: 5, session: null }, { setBudgets: new Error("Not now.") });
  await type("day", "6");
  await user.click(set);
  await waitFor(() => expect(screen.getByRole("contentinfo").textContent).toContain("Not now."));
  expect(screen.getByRole("contentinfo").textContent).not.toContain(said.saved);
});

test("budgets are saved once, however often the button is pressed before the answer", async () => {
  const answer = pendingAnswer();
  const { set, asked, type, user } = await open({ day: 5, session: null }, { setBudgets: () => answer.result });
  await type("day", "6");
  await user.click(set);
  await user.click(set);
  expect([asked().length, set.getAttribute("aria-disabled")]).toEqual([1, "true"]);
  await answer.give({});
  await waitFor(() => expect(screen.getByRole("contentinfo").textContent).toContain(said.saved));
});
