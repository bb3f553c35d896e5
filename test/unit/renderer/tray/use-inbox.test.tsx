// @vitest-environment happy-dom
import { act, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { SessionId } from "../../../../core/protocol/ids.ts";
import { words } from "../../../../renderer/tray/words/index.ts";
import { SETTLED_AFTER_MS } from "../../../../renderer/ui/stands-still.ts";
import { questionOf } from "../../../support/asked-question.ts";
import { panelSession, renderPanel } from "../../../support/render-panel.tsx";

beforeEach(() => {
  // Cards take presses a moment after they came: a test passes that moment itself.
  vi.useFakeTimers({ shouldAdvanceTime: true });
  onTestFinished(() => void vi.useRealTimers());
});
const settle = () => act(() => vi.advanceTimersByTimeAsync(SETTLED_AFTER_MS));
const card = () => screen.getByRole("group", { name: words.inbox.sentences.command.name("claude", "npm install") });

test("a question cannot be answered again after the panel was hidden while its answer is on its way", async () => {
  const question = questionOf({ session: SessionId.parse("session-0000000a") });
  let take: (question: object) => void = () => undefined;
  const sent = new Promise<object>((resolve) => {
    take = resolve;
  });
  const { calls, user } = await renderPanel({
    content: { sessions: [panelSession({ questions: [question] })] },
    answers: { answerQuestion: sent },
  });
  await settle();
  act(() => card().focus());
  await user.keyboard("1");
  const hidden = vi.spyOn(document, "hidden", "get").mockReturnValue(true);
  onTestFinished(() => hidden.mockRestore());
  const tell = () => act(() => void document.dispatchEvent(new Event("visibilitychange")));
  tell();
  hidden.mockReturnValue(false);
  tell();
  await settle();
  await user.keyboard("1");
  expect(within(card()).getByRole("status").textContent).toBe(words.inbox.sending);
  expect(calls.filter(([name]) => name === "answerQuestion")).toHaveLength(1);
  await act(async () => take({ ...question, state: "answered" }));
  await waitFor(() => expect(card().textContent).not.toContain(words.inbox.sending));

  // Once the answer has arrived, hiding the panel leaves what the relay tells.
  hidden.mockReturnValue(true);
  tell();
  expect(card().dataset.waits).toBe("true");
});
