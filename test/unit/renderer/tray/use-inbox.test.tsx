// @vitest-environment happy-dom
import { act, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { SessionId } from "../../../../core/protocol/ids.ts";
import { Question } from "../../../../core/protocol/questions.ts";
import { OutcomeUnknown } from "../../../../renderer/tray/host.ts";
import { words } from "../../../../renderer/tray/words/index.ts";
import { SETTLED_AFTER_MS } from "../../../../renderer/ui/stands-still.ts";
import { words as shared } from "../../../../renderer/ui/words.ts";
import { questionOf } from "../../../support/asked-question.ts";
import { panelSession, renderPanel } from "../../../support/render-panel.tsx";

beforeEach(() => {
  // Cards take presses a moment after they came: a test passes that moment itself.
  vi.useFakeTimers({ shouldAdvanceTime: true });
  onTestFinished(() => void vi.useRealTimers());
});
const settle = () => act(() => vi.advanceTimersByTimeAsync(SETTLED_AFTER_MS));
const question = questionOf({ session: SessionId.parse("session-0000000a") });
const content = { sessions: [panelSession({ questions: [question] })] };
const card = () => screen.getByRole("group", { name: words.inbox.sentences.command.name("claude", "npm install") });

test("a question cannot be answered again after the panel was hidden while its answer is on its way", async () => {
  let take: (question: object) => void = () => undefined;
  const sent = new Promise<object>((resolve) => {
    take = resolve;
  });
  const { calls, user } = await renderPanel({ content, answers: { answerQuestion: sent } });
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

test("an answer that the relay does not confirm in time has a receipt that says so, until it is dismissed or known", async () => {
  const unknown = new OutcomeUnknown(words.browser.outcomeUnknown);
  const answered = {
    ...{ ...question, state: "answered", answeredBy: { kind: "user", name: "ann", client: null } },
    answer: { option: "yes", text: null },
    receipt: { state: "confirmed", evidence: "it ran", at: "2026-01-01T00:02:00.000Z" },
  };
  const { calls, change, user } = await renderPanel({
    content,
    answers: { answerQuestion: unknown, getQuestions: [answered] },
  });
  await settle();
  act(() => card().focus());
  await user.keyboard("1");
  const receipt = () => within(card()).getByRole("status").textContent;
  await waitFor(() => expect(receipt()).toBe(words.browser.outcomeUnknown));
  await user.keyboard("1");
  expect(calls.filter(([name]) => name === "answerQuestion")).toHaveLength(1);
  await user.click(within(card()).getByRole("button", { name: shared.question.dismiss }));
  expect(within(card()).getByRole("button", { name: "Yes, this once" })).toBeDefined();

  // The answer did arrive, which the relay tells before there is proof, and then with it.
  await settle();
  act(() => card().focus());
  await user.keyboard("1");
  await waitFor(() => expect(receipt()).toBe(words.browser.outcomeUnknown));
  change({ sessions: [panelSession({ questions: [Question.parse({ ...answered, receipt: null })] })] });
  expect(receipt()).not.toContain(words.inbox.lost(""));
  expect(receipt()).not.toBe(words.browser.outcomeUnknown);
  change({ sessions: [panelSession()] });
  await waitFor(() => expect(receipt()).toContain("Confirmed"));
  expect(receipt()).not.toContain(words.inbox.lost(""));
});
