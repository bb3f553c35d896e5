// @vitest-environment happy-dom
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, onTestFinished, test, vi } from "vitest";
import { SessionId } from "../../../../../core/protocol/ids.ts";
import type { RelayAway } from "../../../../../renderer/tray/host.ts";
import { words } from "../../../../../renderer/tray/words/index.ts";
import { SETTLED_AFTER_MS } from "../../../../../renderer/ui/stands-still.ts";
import { createStore } from "../../../../../renderer/ui/store.ts";
import { words as shared } from "../../../../../renderer/ui/words.ts";
import { questionOf } from "../../../../support/asked-question.ts";
import { panelSession, renderPanel } from "../../../../support/render-panel.tsx";

const question = questionOf({ session: SessionId.parse("session-0000000a") });

test("while the relay does not answer a card takes no answer and keeps what was typed, and the bar says why", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  onTestFinished(() => void vi.useRealTimers());
  const away = createStore<RelayAway | undefined>(undefined);
  const { calls, user, page } = await renderPanel({
    content: { sessions: [panelSession({ questions: [question] })] },
    connection: { away, retry: async () => undefined },
  });
  const card = within(screen.getByRole("group", { name: words.inbox.sentences.command.name("claude", "npm install") }));
  const said = shared.question;
  const settle = () => act(() => vi.advanceTimersByTimeAsync(SETTLED_AFTER_MS));
  await settle();
  const panel = page.container.querySelector<HTMLElement>(".panel");
  expect(panel?.dataset.away).toBeUndefined();
  act(() => away.set({ lastAnswer: undefined }));
  expect(panel?.dataset.away).toBe("true");
  expect(screen.getByRole("contentinfo").textContent).toContain(words.connection.title);

  const yes = card.getByRole("button", { name: "Yes, this once" });
  expect(yes.getAttribute("aria-disabled")).toBe("true");
  await user.click(yes);
  act(() => yes.focus());
  await user.keyboard("1");
  fireEvent.contextMenu(yes);
  const lines = screen.getAllByRole("menuitem").map(({ textContent }) => textContent);
  expect(lines.join()).not.toContain("Yes, this once");
  await user.keyboard("{Escape}");
  await user.click(card.getByRole("button", { name: said.refuseInWords }));
  await user.type(card.getByRole("textbox", { name: said.refuseLabel }), "not now{Enter}");
  expect(calls.filter(([name]) => name === "answerQuestion")).toEqual([]);

  act(() => away.set(undefined));
  await settle();
  expect(yes.getAttribute("aria-disabled")).toBe("false");
  await user.type(card.getByRole("textbox", { name: said.refuseLabel }), "{Enter}");
  await waitFor(() => expect(calls).toContainEqual(["answerQuestion", expect.objectContaining({ text: "not now" })]));
});
