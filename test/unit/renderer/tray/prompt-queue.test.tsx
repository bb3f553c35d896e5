// @vitest-environment happy-dom
import { act, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import { SessionId, ShellId } from "../../../../core/protocol/ids.ts";
import type { Receipt } from "../../../../core/protocol/receipts.ts";
import { words } from "../../../../renderer/tray/words/index.ts";
import { formatTime } from "../../../../renderer/ui/format-time.ts";
import { pendingAnswer } from "../../../support/pending-answer.ts";
import { panelSession, renderPanel } from "../../../support/render-panel.tsx";

const session = SessionId.parse("session-0000000a");
const said = words.prompts;
const at = "2026-03-14T10:00:00.000Z";

function receipt(id: number, state: Receipt["state"], more: Partial<Receipt> = {}): Receipt {
  const text = `prompt ${id}`;
  return {
    ...{ id, session, shellId: ShellId.parse(1), agentType: "claude", agentSessionId: "a", text, length: text.length },
    ...{ when: "idle", guard: true, expect: null, by: "bot", state, final: false, reason: null, waitsFor: null },
    ...{ history: [{ state, at, evidence: `evidence ${id}` }], expiresAt: at },
    ...more,
  };
}

async function open(getReceipts: readonly Receipt[], more: { answers?: object; shells?: boolean } = {}) {
  const shells = [{ id: 1, name: "rounding", running: more.shells ?? true, ownerClientId: null }];
  const panel = await renderPanel({
    content: { sessions: [panelSession({ shells })] },
    answers: { getReceipts, getReceipt: { prompt: "the whole\nprompt" }, sendPrompt: { id: 99 }, ...more.answers },
  });
  await panel.user.click(screen.getByRole("tab", { name: words.panel.tabs.agents }));
  const queue = await screen.findByRole("region", { name: said.title }, { timeout: 20_000 });
  const press = (name: string) => panel.user.click(within(queue).getByRole("button", { name }));
  const asked = (operation: string) => panel.calls.filter(([name]) => name === operation).map(([, params]) => params);
  return { ...panel, queue, press, asked };
}
const prompt = (queue: HTMLElement, id: number) => within(queue).getByRole("listitem", { name: said.prompt(id) });
const texts = (element: HTMLElement) => [...element.querySelectorAll("p")].map(({ textContent }) => textContent);
const status = () => screen.getByRole("contentinfo").textContent;

/** Answers of the session to one question for its list after the other. */
function lists(...answers: unknown[]) {
  const left = [...answers];
  const getReceipts = ({ session: of }: { readonly session: string }) => {
    const next = of === session ? left.shift() : [];
    if (next instanceof Error) throw next;
    return next;
  };
  return { left, answers: { getReceipts } };
}
const twoSessions = { sessions: [panelSession(), panelSession({ id: "session-0000000b" })] };

test("an answer that comes after that to a later question does not bring back what was cancelled", async () => {
  let answer: (list: readonly Receipt[]) => void = () => undefined;
  const late = new Promise<readonly Receipt[]>((resolve) => {
    answer = resolve;
  });
  const both = [receipt(2, "queued"), receipt(3, "queued")];
  const { left, answers } = lists(both, late, [receipt(3, "queued")]);
  const { queue, press, change } = await open([], { answers });
  change(twoSessions);
  await waitFor(() => expect(left).toHaveLength(1));
  await press(said.cancel(2));
  const cancelled = () => within(queue).queryByRole("listitem", { name: said.prompt(2) });
  await waitFor(() => expect(cancelled()).toBeNull());
  await act(async () => answer(both));
  expect(cancelled()).toBeNull();
});

test("a list that cannot be read stays as it was", async () => {
  const { answers } = lists([receipt(2, "queued")], new Error("Not now."), new Promise(() => undefined));
  const { queue, change } = await open([], { answers });
  change(twoSessions);
  await waitFor(() => expect(status()).toContain("Not now."));
  expect(queue.isConnected).toBe(true);
  expect(prompt(queue, 2)).toBeTruthy();
});

describe("a prompt that waits", () => {
  test("says what it waits for, from whom it is and until when", async () => {
    const { queue } = await open([
      receipt(1, "written", { length: 100 }),
      receipt(2, "queued", { waitsFor: "for the end of the turn" }),
      receipt(3, "queued"),
      receipt(4, "queued", { shellId: ShellId.parse(7), agentType: "" }),
    ]);
    const expires = formatTime(at);
    expect([1, 2, 3, 4].map((id) => texts(prompt(queue, id)))).toEqual([
      ["prompt 1…", said.about(said.states.written, "bot")],
      ["prompt 2", said.aboutWaiting("for the end of the turn", "bot", expires)],
      ["prompt 3", said.aboutWaiting(said.afterOthers, "bot", expires)],
      ["prompt 4", said.aboutWaiting(said.next, "bot", expires)],
    ]);
    expect(
      within(queue)
        .getAllByRole("heading", { level: 3 })
        .map(({ textContent }) => textContent),
    ).toEqual(["claude", words.shell(7)]);
    expect(within(queue).getByTitle("rounding · orders")).toBeTruthy();
    // What is being written can no longer be changed.
    expect(within(prompt(queue, 1)).queryByRole("button")).toBeNull();
  });

  test("is moved up and down, but not beyond the ends of its queue", async () => {
    const { queue, press, asked } = await open([receipt(2, "queued"), receipt(3, "queued")]);
    const isOff = (name: string) => within(queue).getByRole("button", { name }).getAttribute("aria-disabled");
    expect([2, 3].map((id) => [isOff(said.moveUp(id)), isOff(said.moveDown(id))])).toEqual([
      ["true", "false"],
      ["false", "true"],
    ]);
    await press(said.moveUp(2));
    await press(said.moveDown(3));
    expect(asked("editPrompt")).toEqual([]);
    const lists = asked("getReceipts").length;
    await press(said.moveDown(2));
    await waitFor(() => expect(status()).toContain(said.moved(2, 2, 2)));
    await press(said.moveUp(3));
    await waitFor(() => expect(status()).toContain(said.moved(3, 1, 2)));
    expect(asked("editPrompt")).toEqual([
      { session, id: 2, position: 2 },
      { session, id: 3, position: 1 },
    ]);
    await waitFor(() => expect(asked("getReceipts").length).toBeGreaterThanOrEqual(lists + 2));
    await waitFor(() => expect(document.activeElement?.getAttribute("aria-label")).toBe(said.moveUp(3)));
  });

  test("that the relay does not move is said nothing of", async () => {
    const { press, asked } = await open([receipt(2, "queued"), receipt(3, "queued")], {
      answers: { editPrompt: new Error("It is being written.") },
    });
    await press(said.moveDown(2));
    await waitFor(() => expect(status()).toContain("It is being written."));
    expect(asked("editPrompt")).toHaveLength(1);
    expect(status()).not.toContain(said.moved(2, 2, 2));
  });

  test("is cancelled", async () => {
    const { press, asked } = await open([receipt(2, "queued")]);
    await press(said.cancel(2));
    await waitFor(() => expect(status()).toContain(said.cancelled(2)));
    expect(asked("cancelPrompt")).toEqual([{ session, id: 2 }]);
  });

  test("is edited as a whole, and saved by the button or by Ctrl+Enter", async () => {
    const { queue, user, press, asked } = await open([receipt(2, "queued")]);
    await press(said.edit(2));
    const field = await within(queue).findByRole<HTMLTextAreaElement>("textbox", { name: said.text(2) });
    expect([field.value, Number(field.rows), document.activeElement]).toEqual(["the whole\nprompt", 3, field]);
    expect(within(queue).queryByRole("button", { name: said.edit(2) })).toBeNull();
    await user.type(field, " more");
    await press(said.save);
    await waitFor(() => expect(status()).toContain(said.changed(2)));
    expect(within(queue).queryByRole("textbox")).toBeNull();
    await press(said.edit(2));
    await user.type(await within(queue).findByRole("textbox"), "!{Control>}{Enter}{/Control}");
    await waitFor(() => expect(within(queue).queryByRole("textbox")).toBeNull());
    expect(asked("editPrompt")).toEqual([
      { session, id: 2, text: "the whole\nprompt more" },
      { session, id: 2, text: "the whole\nprompt!" },
    ]);
  });

  test("is moved and saved once, however often it is pressed before the answer", async () => {
    const [moved, saved] = [pendingAnswer(), pendingAnswer()];
    const answers = [moved.result, saved.result];
    const { queue, user, press, asked } = await open([receipt(2, "queued"), receipt(3, "queued")], {
      answers: { editPrompt: () => answers.shift() },
    });
    const isOff = (name: string) => within(queue).getByRole("button", { name }).getAttribute("aria-disabled");
    await press(said.moveDown(2));
    await press(said.moveDown(2));
    await press(said.cancel(2));
    expect([said.moveDown(2), said.edit(2), said.cancel(2)].map(isOff)).toEqual(["true", "true", "true"]);
    expect([asked("editPrompt"), asked("cancelPrompt")]).toEqual([[{ session, id: 2, position: 2 }], []]);
    await moved.give({});
    await waitFor(() => expect(isOff(said.edit(2))).toBe("false"));

    await press(said.edit(2));
    await user.type(await within(queue).findByRole("textbox"), "!");
    await press(said.save);
    await user.keyboard("{Control>}{Enter}{/Control}");
    await press(said.save);
    expect(isOff(said.save)).toBe("true");
    expect(asked("editPrompt").slice(1)).toEqual([{ session, id: 2, text: "the whole\nprompt!" }]);
    await saved.give({});
    await waitFor(() => expect(within(queue).queryByRole("textbox")).toBeNull());
  });

  test("stays as it is by Escape, by the button, and without a text", async () => {
    const { queue, user, press, asked } = await open([receipt(2, "queued")]);
    await press(said.edit(2));
    const field = await within(queue).findByRole("textbox");
    await user.clear(field);
    expect(within(queue).getByRole<HTMLButtonElement>("button", { name: said.save }).disabled).toBe(true);
    await user.type(field, "  {Control>}{Enter}{/Control}");
    await user.type(field, "x{Enter}");
    await user.keyboard("{Escape}");
    expect(within(queue).queryByRole("textbox")).toBeNull();
    await press(said.edit(2));
    await within(queue).findByRole("textbox");
    await press(said.leave);
    expect(within(queue).queryByRole("textbox")).toBeNull();
    expect(asked("editPrompt")).toEqual([]);
  });

  test("stays open in its form where the relay refuses the change", async () => {
    const { queue, press } = await open([receipt(2, "queued")], { answers: { editPrompt: new Error("Too late.") } });
    await press(said.edit(2));
    await within(queue).findByRole("textbox");
    await press(said.save);
    await waitFor(() => expect(status()).toContain("Too late."));
    expect(within(queue).queryByRole("textbox")).not.toBeNull();
  });
});

describe("a prompt that did not arrive", () => {
  const ended = { final: true } as const;

  test("says how it ended, and is sent again under the conditions that it had", async () => {
    const { queue, press, asked } = await open([
      receipt(5, "expired", { ...ended, guard: false, expect: "shell" }),
      receipt(4, "refused", { ...ended, history: [] }),
    ]);
    const summary = within(queue).getByText(said.undelivered(2));
    expect(texts(summary.closest("details") as HTMLElement)).toEqual([
      "prompt 5",
      `${said.states.expired} · evidence 5 · ${said.from("bot")} · ${formatTime(at)}`,
      "prompt 4",
      `${said.states.refused} · ${said.from("bot")}`,
    ]);
    await press(said.sendAgain(5));
    await waitFor(() => expect(status()).toContain(said.sentAgain(5, 99)));
    await press(said.sendAgain(4));
    await waitFor(() => expect(status()).toContain(said.sentAgain(4, 99)));
    const text = "the whole\nprompt";
    expect(asked("sendPrompt")).toEqual([
      { session, shellId: 1, text, guard: false, expect: "shell" },
      { session, shellId: 1, text, guard: true },
    ]);
    expect(asked("getReceipt")).toEqual([
      { session, id: 5 },
      { session, id: 4 },
    ]);
  });

  test("is sent again once, however often it is pressed before the answer", async () => {
    const sent = pendingAnswer();
    const { queue, press, asked } = await open([receipt(5, "expired", ended)], {
      answers: { sendPrompt: () => sent.result },
    });
    await press(said.sendAgain(5));
    await press(said.sendAgain(5));
    const button = within(queue).getByRole("button", { name: said.sendAgain(5) });
    expect(button.getAttribute("aria-disabled")).toBe("true");
    expect([asked("getReceipt").length, asked("sendPrompt").length]).toEqual([1, 1]);
    await sent.give({ id: 99 });
    await waitFor(() => expect(status()).toContain(said.sentAgain(5, 99)));
    await waitFor(() => expect(button.getAttribute("aria-disabled")).toBe("false"));
  });

  test("is not sent again where its shell has ended", async () => {
    const { queue } = await open([receipt(5, "uncertain", ended)], { shells: false });
    expect(within(queue).getByText(said.undelivered(1))).toBeTruthy();
    expect(within(queue).queryByRole("button")).toBeNull();
  });

  test("is not sent again where its text cannot be read", async () => {
    const { press, asked } = await open([receipt(5, "expired", ended)], {
      answers: { getReceipt: new Error("Gone.") },
    });
    await press(said.sendAgain(5));
    await waitFor(() => expect(status()).toContain("Gone."));
    expect(asked("sendPrompt")).toEqual([]);
  });
});

test("without any prompt there is no queue", async () => {
  const { user } = await renderPanel({ content: { sessions: [panelSession()] } });
  await user.click(screen.getByRole("tab", { name: words.panel.tabs.agents }));
  await screen.findByRole("region", { name: words.agents.running }, { timeout: 20_000 });
  expect(screen.queryByRole("region", { name: said.title })).toBeNull();
});
