// @vitest-environment happy-dom
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { ClientId } from "../../../../../core/protocol/ids.ts";
import { SETTLED_SHOWN_MS } from "../../../../../core/protocol/questions.ts";
import { words } from "../../../../../renderer/tray/words/index.ts";
import { SETTLED_AFTER_MS } from "../../../../../renderer/ui/stands-still.ts";
import { words as shared } from "../../../../../renderer/ui/words.ts";
import { panelClient, panelSession, renderPanel } from "../../../../support/render-panel.tsx";

beforeEach(() => {
  // Cards take presses a moment after they came: a test passes that moment itself.
  vi.useFakeTimers({ shouldAdvanceTime: true });
  onTestFinished(() => void vi.useRealTimers());
});
const settle = () => act(() => vi.advanceTimersByTimeAsync(SETTLED_AFTER_MS));

describe("a request", () => {
  const asks = panelSession({
    clients: [...panelSession().clients, panelClient({ id: 4, name: "Mira", role: "reader", guest: true })],
    roleRequests: [
      {
        id: 8,
        from: { clientId: ClientId.parse(4), name: "Mira" },
        role: "writer",
        expiresAt: "2099-01-01T00:00:00.000Z",
      },
    ],
  });
  const ofMira = () => screen.getByRole("group", { name: words.requests.role.name("Mira") });
  const spent = { sessions: [], costToday: 7, budgets: { day: 5, session: null } };
  const ofBudget = () => screen.getByRole("group", { name: words.requests.budget.sentence });

  test("is answered by the digit of an answer, which its button shows", async () => {
    const { calls, user } = await renderPanel({ content: { sessions: [asks] } });
    await settle();
    const refuse = within(ofMira()).getByRole("button", { name: words.requests.notNow });
    expect(refuse.getAttribute("aria-keyshortcuts")).toBe("2");
    ofMira().focus();
    await user.keyboard("2");
    expect(calls).toContainEqual(["answerRoleRequest", { session: "session-0000000a", request: 8, allow: false }]);
  });

  test("offers in its menu what its buttons do, and what lasts behind the second step", async () => {
    const { calls, user } = await renderPanel({ content: { ...spent, sessions: [asks] } });
    await settle();
    const lines = () => screen.getAllByRole("menuitem").map(({ textContent }) => textContent);
    fireEvent.contextMenu(ofMira());
    expect(lines().slice(1)).toEqual([`${words.requests.role.let("Mira")}1`, `${words.requests.notNow}2`]);
    await user.click(screen.getByRole("menuitem", { name: new RegExp(`^${words.requests.notNow}`) }));
    expect(calls).toContainEqual(["answerRoleRequest", { session: "session-0000000a", request: 8, allow: false }]);
    act(() => ofBudget().focus());
    await user.keyboard("{Control>}k{/Control}");
    await user.click(screen.getByRole("menuitem", { name: new RegExp(`^${words.requests.budget.none}`) }));
    expect(within(ofBudget()).getByRole("button", { name: shared.question.allowPersistent })).toBeDefined();
    expect(calls.filter(([name]) => name === "setBudgets")).toEqual([]);
    fireEvent.contextMenu(ofBudget());
    expect(lines()).toHaveLength(1);
  });

  test("keeps its place with the answer, and goes a while after it has lost the focus", async () => {
    const { change, user } = await renderPanel({
      content: { sessions: [asks], logins: [] },
      answers: { answerRoleRequest: { allowed: true } },
    });
    await settle();
    ofMira().focus();
    await user.keyboard("1");
    const receipt = words.requests.answered(words.requests.role.let("Mira"));
    await waitFor(() => expect(within(ofMira()).getByRole("status").textContent).toBe(receipt));
    change({ sessions: [panelSession()] });
    expect([document.activeElement, ofMira().dataset.waits]).toEqual([ofMira(), "false"]);
    await act(() => vi.advanceTimersByTimeAsync(SETTLED_SHOWN_MS));
    expect(within(ofMira()).getByRole("button", { name: shared.question.dismiss })).toBeDefined();
    act(() => screen.getByRole("combobox", { name: words.search.label }).focus());
    await act(() => vi.advanceTimersByTimeAsync(SETTLED_SHOWN_MS));
    expect(screen.queryByRole("group", { name: words.requests.role.name("Mira") })).toBeNull();
    expect(screen.getByText(words.inbox.calm)).toBeDefined();
  });

  test.each([
    ["2099-01-01T00:00:00.000Z", words.requests.overtaken],
    ["2020-01-01T00:00:00.000Z", shared.question.expired],
  ])("that closes while it has the focus stays, and no digit reaches the next one (%s)", async (expiresAt, receipt) => {
    const roleRequests = asks.roleRequests.map((request) => ({ ...request, expiresAt }));
    const { calls, change, user } = await renderPanel({ content: { ...spent, sessions: [{ ...asks, roleRequests }] } });
    await settle();
    act(() => within(ofMira()).getByRole("button", { name: words.requests.notNow }).focus());
    change({ sessions: [panelSession()] });
    expect(within(ofMira()).getByRole("status").textContent).toBe(receipt);
    expect([document.activeElement, ofMira().dataset.waits]).toEqual([ofMira(), "false"]);
    await settle();
    await user.keyboard("1");
    expect(calls.filter(([name]) => name === "setBudgets")).toEqual([]);
    await user.click(within(ofMira()).getByRole("button", { name: shared.question.dismiss }));
    expect(screen.queryByRole("group", { name: words.requests.role.name("Mira") })).toBeNull();
  });

  test("says that another answer was first, where the relay refuses the one that was given here", async () => {
    let refuse: (reason: Error) => void = () => undefined;
    const sent = new Promise((_, reject) => {
      refuse = reject;
    });
    const { change, user } = await renderPanel({
      content: { ...spent, sessions: [asks] },
      answers: { answerRoleRequest: sent },
    });
    await settle();
    act(() => ofMira().focus());
    await user.keyboard("1");
    change({ sessions: [panelSession()] });
    await act(async () => refuse(new Error("There is no such request.")));
    const receipt = words.inbox.lost(words.requests.overtaken);
    await waitFor(() => expect(within(ofMira()).getByRole("status").textContent).toBe(receipt));
    expect(document.activeElement).toBe(ofMira());
  });

  test("takes digits once it has been open for a moment, also where it did not move", async () => {
    const { calls, user } = await renderPanel({ content: { ...spent, sessions: [asks] } });
    await settle();
    act(() => ofBudget().focus());
    await user.keyboard("1");
    expect(calls.filter(([name]) => name === "setBudgets")).toEqual([]);
    await settle();
    await user.keyboard("1");
    expect(calls.filter(([name]) => name === "setBudgets")).toHaveLength(1);
  });

  test("says in its line that the answer is being sent, until the relay has taken it", async () => {
    let take: (result: unknown) => void = () => undefined;
    const sent = new Promise((resolve) => {
      take = resolve;
    });
    const { user } = await renderPanel({
      content: { ...spent, sessions: [asks] },
      answers: { answerRoleRequest: sent },
    });
    act(() => ofMira().focus());
    await settle();
    await user.keyboard("1");
    act(() => ofBudget().focus());
    const receipt = words.requests.answered(words.requests.role.let("Mira"));
    expect(ofMira().dataset.open).toBe("false");
    expect(ofMira().textContent).toContain(words.inbox.sending);
    expect(ofMira().textContent).not.toContain(receipt);
    await act(async () => take({ allowed: true }));
    await waitFor(() => expect(ofMira().textContent).toContain(receipt));
  });

  test("cannot be answered again after the panel was hidden while its answer is on its way", async () => {
    const { calls, user } = await renderPanel({
      content: { sessions: [asks] },
      answers: { answerRoleRequest: new Promise(() => undefined) },
    });
    await settle();
    act(() => ofMira().focus());
    await user.keyboard("1");
    const hidden = vi.spyOn(document, "hidden", "get").mockReturnValue(true);
    onTestFinished(() => hidden.mockRestore());
    act(() => void document.dispatchEvent(new Event("visibilitychange")));
    hidden.mockReturnValue(false);
    act(() => void document.dispatchEvent(new Event("visibilitychange")));
    await settle();
    await user.keyboard("1");
    expect(within(ofMira()).getByRole("status").textContent).toBe(words.inbox.sending);
    expect(calls.filter(([name]) => name === "answerRoleRequest")).toHaveLength(1);
  });

  test("keeps its receipt and the focus while the user is in another window", async () => {
    const { change, user } = await renderPanel({
      content: { sessions: [asks] },
      answers: { answerRoleRequest: { allowed: true } },
    });
    await settle();
    act(() => ofMira().focus());
    await user.keyboard("1");
    change({ ...spent, sessions: [panelSession()] });
    fireEvent.focusOut(ofMira(), { relatedTarget: null });
    await act(() => vi.advanceTimersByTimeAsync(2 * SETTLED_SHOWN_MS));
    expect(document.activeElement).toBe(ofMira());
  });

  test("goes at once when its receipt is dismissed, and waits again where its answer is refused", async () => {
    const answers: Record<string, unknown> = { answerRoleRequest: new Error("Not the owner.") };
    const { change, user } = await renderPanel({ content: { sessions: [asks] }, answers });
    await settle();
    const allow = () => user.click(within(ofMira()).getByRole("button", { name: words.requests.role.let("Mira") }));
    await allow();
    await waitFor(() => expect(screen.getByRole("contentinfo").textContent).toContain("Not the owner."));
    expect(ofMira().dataset.waits).toBe("true");
    answers.answerRoleRequest = { allowed: true };
    await settle();
    await allow();
    change({ sessions: [panelSession()] });
    await user.click(await screen.findByRole("button", { name: shared.question.dismiss }));
    expect(screen.queryByRole("group", { name: words.requests.role.name("Mira") })).toBeNull();
  });

  test("takes a second step for what lasts, in which no digit counts and which Escape leaves", async () => {
    const { calls, user } = await renderPanel({ content: spent });
    await settle();
    ofBudget().focus();
    const told = ofBudget().querySelector("[aria-live]");
    expect(told?.textContent).toBe("");
    await user.keyboard("3");
    expect(told?.textContent).toBe(`${words.requests.budget.none}. ${words.requests.budget.lasts}`);
    const confirm = () => within(ofBudget()).queryByRole("button", { name: shared.question.allowPersistent });
    expect(confirm()).not.toBeNull();
    expect(ofBudget().textContent).toContain(words.requests.budget.lasts);
    await user.keyboard("13{Escape}");
    expect([confirm(), told?.textContent]).toEqual([null, ""]);
    expect(calls.filter(([name]) => name === "setBudgets")).toEqual([]);
    await user.keyboard("3");
    await settle();
    await user.click(confirm() ?? document.body);
    expect(calls).toContainEqual(["setBudgets", { day: null, session: null }]);
  });

  test("of a program that logs in leads with Enter to the API keys, and is not answered by it", async () => {
    const since = "2026-01-01T00:00:00.000Z";
    const expiresAt = "2099-01-01T00:00:00.000Z";
    const login = { code: "K7QF-2M9D", name: "service", address: "192.0.2.14", since, expiresAt };
    const { calls, user } = await renderPanel({ content: { logins: [login] } });
    act(() => screen.getByRole("group", { name: words.requests.login.name("service") }).focus());
    expect(screen.getByRole("contentinfo").textContent).toContain(words.bar.keys);
    await user.keyboard("{Enter}");
    expect(calls).toContainEqual(["panel.showSettings", { section: "keys" }]);
    expect(calls.map(([name]) => name)).not.toContain("answerLogin");
  });

  test("keeps the focus where a digit is pressed on one of its buttons: the next digit answers no other card", async () => {
    const { calls, user } = await renderPanel({ content: { ...spent, sessions: [asks] } });
    await settle();
    act(() => ofBudget().focus());
    await settle();
    act(() => within(ofBudget()).getByRole("button", { name: words.requests.budget.look }).focus());
    await user.keyboard("1");
    await waitFor(() => expect(within(ofBudget()).getByRole("status")).toBeDefined());
    expect(document.activeElement).toBe(ofBudget());
    await user.keyboard("1");
    expect(calls.filter(([name]) => name === "answerRoleRequest")).toEqual([]);
  });

  test("waits again where a budget that was raised is exceeded too, beside the receipt of the first", async () => {
    const { change, user } = await renderPanel({ content: spent });
    await settle();
    act(() => ofBudget().focus());
    await user.keyboard("1");
    change({ costToday: 16, budgets: { day: 15, session: null } });
    const cards = screen.getAllByRole("group", { name: words.requests.budget.sentence });
    expect(cards.map(({ dataset }) => dataset.waits)).toEqual(["false", "true"]);
  });
});
