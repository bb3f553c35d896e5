// @vitest-environment happy-dom
import { act, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { SessionId } from "../../../../../core/protocol/ids.ts";
import { words } from "../../../../../renderer/tray/words/index.ts";
import { SETTLED_AFTER_MS } from "../../../../../renderer/ui/stands-still.ts";
import { words as shared } from "../../../../../renderer/ui/words.ts";
import { questionOf } from "../../../../support/asked-question.ts";
import { panelSession, type RenderedPanel, renderPanel } from "../../../../support/render-panel.tsx";

const calm = { sessions: [panelSession()] };
const commands = ["npm install", "make"] as const;
const questions = commands.map((command, index) =>
  questionOf({
    session: SessionId.parse("session-0000000a"),
    id: index + 1,
    title: `Bash: ${command}`,
    detail: { command },
    askedAt: `2026-01-01T00:0${index}:00.000Z`,
    options: [
      { id: "yes", label: "Yes, this once", key: "1" },
      { id: "no", label: "No", key: "3" },
    ],
  }),
);
const asking = (count: number) => ({ sessions: [panelSession({ questions: questions.slice(0, count) })] });
const card = (command: (typeof commands)[number] = "npm install") =>
  // A search hides the cards.
  screen.queryByRole("group", { name: words.inbox.sentences.command.name("claude", command), hidden: true });
const answered = ({ calls }: RenderedPanel) =>
  calls.filter(([name]) => name === "answerQuestion").map(([, params]) => Reflect.get(Object(params), "id"));
const hasFocus = async (element: () => Element | null) => {
  await waitFor(() => expect(element()).not.toBeNull());
  await waitFor(() => expect(document.activeElement).toBe(element()));
};

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  onTestFinished(() => void vi.useRealTimers());
});
const settle = () => act(() => vi.advanceTimersByTimeAsync(SETTLED_AFTER_MS));

test.each([
  ["a row of", calm],
  ["nothing but the places of", {}],
])(
  "a question that comes to %s an open panel is answered by a digit, and not by one of that moment",
  async (_, before) => {
    const panel = await renderPanel({ content: before });
    await waitFor(() => expect(document.activeElement).not.toBe(document.body));
    panel.change(asking(1));
    await hasFocus(card);
    await panel.user.keyboard("1");
    expect(answered(panel)).toEqual([]);
    await settle();
    await panel.user.keyboard("1");
    expect(answered(panel)).toEqual([1]);
  },
);

test("a question takes the focus from no field, and from no item that the user went to", async () => {
  const panel = await renderPanel({ content: calm });
  const field = screen.getByRole("combobox", { name: words.search.label });
  await panel.user.type(field, "1");
  panel.change(asking(1));
  await waitFor(() => expect(card()).not.toBeNull());
  await settle();
  await panel.user.keyboard("2");
  expect([document.activeElement, answered(panel)]).toEqual([field, []]);
  expect(field).toHaveProperty("value", "12");
  await panel.user.keyboard("{Escape}");
  panel.change(calm);
  const invite = screen.getByRole("button", { name: words.invite.title("orders") });
  invite.focus();
  panel.change(asking(1));
  await waitFor(() => expect(card()).not.toBeNull());
  await settle();
  expect(document.activeElement).toBe(invite);
});

test("a question leaves the focus on the card of another one, and takes it when that one is dismissed", async () => {
  const closed = questions.map((question) => ({ ...question, state: "answered" }));
  const panel = await renderPanel({ content: asking(1), answers: { getQuestions: closed } });
  await hasFocus(card);
  panel.change(asking(2));
  await waitFor(() => expect(card("make")).not.toBeNull());
  await settle();
  expect(document.activeElement).toBe(card());
  await panel.user.keyboard("1");
  const dismiss = await within(card() ?? document.body).findByRole("button", { name: shared.question.dismiss });
  panel.change({ sessions: [panelSession({ questions: questions.slice(1) })] });
  expect(answered(panel)).toEqual([1]);
  await panel.user.click(dismiss);
  await hasFocus(() => card("make"));
  await panel.user.keyboard("1");
  expect(answered(panel)).toEqual([1]);
  await settle();
  await panel.user.keyboard("1");
  expect(answered(panel)).toEqual([1, 2]);
});

/** The first question with the answer that someone else gave, of which no proof has come. */
const receipt = {
  ...(questions[0] ?? expect.unreachable("there are two")),
  state: "answered" as const,
  answeredBy: { kind: "user" as const, name: "Mira", client: null },
  answer: { option: "yes", text: null },
  receipt: { state: "unconfirmed" as const, evidence: "the screen did not change", at: "2026-01-01T00:02:00.000Z" },
};
const withReceipt = { sessions: [panelSession({ questions: [receipt, ...questions.slice(1)] })] };

test("the receipt of somebody else's answer above what waits has neither the focus nor the room of the open card", async () => {
  await renderPanel({ content: withReceipt });
  await hasFocus(() => card("make"));
  expect([card()?.dataset.open, card()?.tabIndex]).toEqual(["false", -1]);
  expect([card("make")?.dataset.open, card("make")?.tabIndex]).toEqual(["true", 0]);
});

test("a card that becomes a receipt keeps the focus until the panel is hidden and shown again", async () => {
  const panel = await renderPanel({ content: asking(2) });
  await hasFocus(card);
  panel.change(withReceipt);
  await settle();
  expect(document.activeElement).toBe(card());
  const hidden = vi.spyOn(document, "hidden", "get");
  onTestFinished(() => hidden.mockRestore());
  for (const isHidden of [true, false]) {
    hidden.mockReturnValue(isHidden);
    act(() => void document.dispatchEvent(new Event("visibilitychange")));
  }
  await hasFocus(() => card("make"));
});

test("the panel forgets with its hiding which item the user went to: what waits then has the focus", async () => {
  const panel = await renderPanel({ content: calm });
  screen.getByRole("button", { name: words.invite.title("orders") }).focus();
  const hidden = vi.spyOn(document, "hidden", "get");
  onTestFinished(() => hidden.mockRestore());
  for (const isHidden of [true, false]) {
    hidden.mockReturnValue(isHidden);
    act(() => void document.dispatchEvent(new Event("visibilitychange")));
  }
  panel.change(asking(1));
  await hasFocus(card);
});

test("what changes while a press moves the focus does not take it from the field that is pressed", async () => {
  const panel = await renderPanel({ content: asking(1) });
  await hasFocus(card);
  const field = screen.getByRole("combobox", { name: words.search.label });
  const first = card() ?? expect.unreachable("it is shown");
  // As in a browser, nothing has the focus between its loss and its arrival; the page changes then.
  Object.defineProperty(document, "activeElement", { configurable: true, get: () => document.body });
  onTestFinished(() => void Reflect.deleteProperty(document, "activeElement"));
  first.dispatchEvent(new FocusEvent("focusout", { bubbles: true, relatedTarget: field }));
  const focus = vi.spyOn(HTMLElement.prototype, "focus");
  onTestFinished(() => focus.mockRestore());
  panel.change(asking(2));
  await waitFor(() => expect(card("make")).not.toBeNull());
  expect(focus).not.toHaveBeenCalled();
});
