// @vitest-environment happy-dom
import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import type { Webhook, WebhookDelivery } from "../../../../../core/protocol/webhooks.ts";
import { words } from "../../../../../renderer/tray/words/index.ts";
import { renderPanel } from "../../../../support/render-panel.tsx";

const texts = words.webhooks;
const to = "https://ntfy.sh";
const hook: Webhook = {
  ...{ id: "3f2a1b7c9d0e", to, session: null, createdAt: "2026-01-02T10:00:00.000Z", waiting: 0, dead: 1 },
  ...{ events: "question.opened,plugin.*", format: "ntfy", contentFree: true, always: false },
  lastError: "the receiver answered 503",
};
const dead: WebhookDelivery = {
  ...{ id: "msg_1", state: "dead", event: "question.opened", title: "claude asks", events: 1, attempts: 10 },
  ...{ createdAt: "2026-01-02T10:00:00.000Z", nextAttemptAt: null, status: 503, error: "the receiver answered 503" },
};

/** Opens the section over a relay that answers so; an answer that is an Error is its refusal. */
async function open(answers: Readonly<Record<string, unknown>> = {}) {
  const panel = await renderPanel({ isSettings: true, answers });
  await screen.findByRole("navigation", { name: words.settings.sections }, { timeout: 20_000 });
  await panel.user.click(screen.getByRole("button", { name: words.settings.names.webhooks }));
  // The section is loaded on demand.
  await screen.findByText(texts.about, {}, { timeout: 20_000 });
  return panel;
}

test("a webhook is added with what was chosen, and its secret is shown once", async () => {
  const { calls, user } = await open({ addWebhook: { ...hook, secret: "whsec_c2VjcmV0", kept: "keychain" } });
  expect(await screen.findByText(texts.none)).toBeDefined();
  await user.click(screen.getByRole("button", { name: texts.add }));
  const add = () => screen.getByRole<HTMLButtonElement>("button", { name: texts.addIt });
  expect(add().disabled).toBe(true);
  await user.type(screen.getByRole("textbox", { name: texts.url }), "https://ntfy.sh/my-topic");
  await user.selectOptions(screen.getByRole("combobox", { name: texts.format }), texts.formats.ntfy);
  await user.click(screen.getByRole("checkbox", { name: texts.eventNames["budget.*"] }));
  await user.click(screen.getByRole("checkbox", { name: texts.eventNames["shell.exited"] }));
  await user.click(screen.getByRole("checkbox", { name: texts.contentFree }));
  await user.click(add());
  const events = "question.opened,agent.idle,agent.error,shell.exited";
  const wanted = { url: "https://ntfy.sh/my-topic", format: "ntfy", events, contentFree: true };
  expect(calls).toContainEqual(["addWebhook", wanted]);
  expect(await screen.findByText("whsec_c2VjcmV0")).toBeDefined();
  await user.click(screen.getByRole("button", { name: words.keys.done }));
  expect(screen.queryByText("whsec_c2VjcmV0")).toBeNull();
});

test("what the relay refuses is said in the form, which keeps what was typed", async () => {
  const { user } = await open({ addWebhook: new Error("url: expected https.") });
  await user.click(await screen.findByRole("button", { name: texts.add }));
  const url = screen.getByRole<HTMLInputElement>("textbox", { name: texts.url });
  await user.type(url, "http://example.com");
  await user.click(screen.getByRole("button", { name: texts.addIt }));
  expect((await screen.findByRole("alert")).textContent).toBe("Expected https.");
  expect(url.value).toBe("http://example.com");
});

test("a user who is not the owner is told so, and is offered nothing", async () => {
  await open({ listWebhooks: new Error("Only the relay's owner may do this.") });
  expect((await screen.findByRole("alert")).textContent).toBe("Only the relay's owner may do this.");
  expect(screen.queryByRole("button", { name: texts.add })).toBeNull();
});

test("a webhook shows its host, events, format and last failure; its dead letters are replayed", async () => {
  const { calls, user } = await open({
    listWebhooks: [hook],
    listWebhookDeliveries: [dead],
    replayWebhook: { replayed: 1 },
  });
  await screen.findByText(texts.deadLetters(1));
  const card = screen.getByRole("list", { name: texts.title });
  for (const text of [to, `${texts.eventNames["question.opened"]} · plugin.*`, texts.withoutText, texts.formats.ntfy]) {
    expect(card.textContent).toContain(text);
  }
  expect(card.textContent).toContain(texts.lastError("The receiver answered 503."));
  await user.click(await screen.findByText(texts.deadLetters(1)));
  await user.click(screen.getByRole("button", { name: texts.replayOf("claude asks") }));
  await user.click(screen.getByRole("button", { name: texts.replayAll }));
  const replays = calls.filter(([name]) => name === "replayWebhook").map(([, params]) => params);
  expect(replays).toEqual([{ webhook: hook.id, delivery: "msg_1" }, { webhook: hook.id }]);
  expect(screen.getAllByText(texts.replayed(1)).length).toBeGreaterThan(0);
});

test.each([
  [{ ok: true, status: 204, error: null }, texts.testArrived],
  [{ ok: false, status: 500, error: "the receiver answered 500" }, texts.testFailed("The receiver answered 500.")],
])("a test says what came of it: %j", async (testWebhook, said) => {
  const { user } = await open({ listWebhooks: [hook], testWebhook });
  await user.click(await screen.findByRole("button", { name: texts.testOf(to) }));
  expect((await screen.findByText(said)).getAttribute("role")).toBe("status");
});

test("removing asks first", async () => {
  const { calls, user } = await open({ listWebhooks: [hook] });
  const removals = () => calls.filter(([name]) => name === "removeWebhook");
  await user.click(await screen.findByRole("button", { name: texts.removeOf(to) }));
  expect(removals()).toEqual([]);
  await user.click(screen.getByRole("button", { name: texts.removeIt }));
  await waitFor(() => expect(removals()).toEqual([["removeWebhook", { webhook: hook.id }]]));
});
