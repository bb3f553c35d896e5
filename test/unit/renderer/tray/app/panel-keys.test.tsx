// @vitest-environment happy-dom
import { act, screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { SessionId } from "../../../../../core/protocol/ids.ts";
import { words } from "../../../../../renderer/tray/words/index.ts";
import { words as shared } from "../../../../../renderer/ui/words.ts";
import { questionOf } from "../../../../support/asked-question.ts";
import { panelSession, renderPanel } from "../../../../support/render-panel.tsx";

const two = { sessions: [panelSession(), panelSession({ id: "session-0000000b", name: "migrations" })] };
const tab = (place: "now" | "sessions") => screen.getByRole("tab", { name: words.panel.tabs[place] });
const isAt = (place: "now" | "sessions") => tab(place).getAttribute("aria-selected") === "true";
const row = (session: string) =>
  screen.getByRole("button", {
    name: words.running.session(session, words.sessions.shells(2), words.people.count(1)),
  });
const dialog = (session: string) => screen.findByRole("dialog", { name: words.invite.title(session) });

test("Ctrl N begins a new session, but not in a text field", async () => {
  const { user } = await renderPanel({ content: two });
  await user.click(screen.getByRole("combobox", { name: words.search.label }));
  await user.keyboard("{Control>}n{/Control}");
  expect(isAt("now")).toBe(true);
  act(() => tab("now").focus());
  await user.keyboard("{Control>}n{/Control}");
  expect(isAt("sessions")).toBe(true);
  await screen.findByRole("textbox", { name: words.sessions.newName });
});

test("Ctrl I invites to the session of the row that has the focus", async () => {
  const { user } = await renderPanel({ content: two });
  act(() => row("migrations").focus());
  await user.keyboard("{Control>}i{/Control}");
  await dialog("migrations");
});

test("elsewhere Ctrl I invites to the only session, and leads to the sessions where there are several", async () => {
  const { user, change } = await renderPanel({ content: two });
  act(() => tab("now").focus());
  await user.keyboard("{Control>}i{/Control}");
  expect([isAt("sessions"), screen.queryByRole("dialog")]).toEqual([true, null]);
  change({ sessions: [panelSession()] });
  act(() => tab("sessions").focus());
  await user.keyboard("{Control>}i{/Control}");
  await dialog("orders");
});

test("Ctrl B leads to the budgets", async () => {
  const { user, calls } = await renderPanel({ content: two });
  act(() => tab("now").focus());
  await user.keyboard("{Control>}b{/Control}");
  expect(calls).toContainEqual(["panel.showSettings", { section: "agents", setting: "budgetDay" }]);
});

test("F6 goes to the places, and back to the row that had the focus", async () => {
  const { user } = await renderPanel({ content: two });
  act(() => row("migrations").focus());
  await user.keyboard("{F6}");
  expect(document.activeElement).toBe(tab("now"));
  await user.keyboard("{F6}");
  expect(document.activeElement).toBe(row("migrations"));
});

test("Ctrl with the digit of No says no in words, and with another digit does nothing", async () => {
  const options = [
    { id: "yes", label: "Yes, this once", key: "1" },
    { id: "no", label: "No", key: "3" },
  ];
  const asked = questionOf({ session: SessionId.parse("session-0000000a"), options });
  const { user, calls } = await renderPanel({ content: { sessions: [panelSession({ questions: [asked] })] } });
  const card = screen.getByRole("group", { name: words.inbox.sentences.command.name("claude", "npm install") });
  const field = () => within(card).queryByRole("textbox", { name: shared.question.refuseLabel });
  act(() => card.focus());
  await user.keyboard("{Control>}1{/Control}");
  expect(field()).toBeNull();
  await user.keyboard("{Control>}3{/Control}");
  expect(field()).toBe(document.activeElement);
  expect(calls.some(([operation]) => operation === "answerQuestion")).toBe(false);
});
