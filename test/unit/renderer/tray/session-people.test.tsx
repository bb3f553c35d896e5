// @vitest-environment happy-dom
import { act, screen, waitFor, within } from "@testing-library/react";
import { expect, onTestFinished, test, vi } from "vitest";
import { ClientId, ShellId } from "../../../../core/protocol/ids.ts";
import type { PanelSession } from "../../../../preload/channels.ts";
import { words } from "../../../../renderer/tray/words/index.ts";
import { SETTLED_AFTER_MS } from "../../../../renderer/ui/stands-still.ts";
import { roleWords } from "../../../../renderer/ui/words.ts";
import { pendingAnswer } from "../../../support/pending-answer.ts";
import { panelClient, panelSession, renderPanel } from "../../../support/render-panel.tsx";

const own = panelClient({ id: 1, name: "ann", role: "admin", clientKind: "desktop" });
const lin = panelClient({ id: 2, name: "Lin" });
const mira: PanelSession["awayGuests"][number] = {
  ...{ id: "guest-1", name: "Mira", role: "reader", device: "Firefox" },
  ...{ since: "2026-01-01T00:00:00.000Z", lastSeenAt: "2026-01-01T00:00:00.000Z", invite: null, clients: [] },
  expiresAt: "2099-01-01T00:00:00.000Z",
};

/** The people that the page of sessions lists for a session with these parts, by name; undefined: no list. */
async function listed(parts: Partial<PanelSession>): Promise<readonly (string | undefined)[] | undefined> {
  const { user } = await renderPanel({ content: { sessions: [panelSession(parts)] } });
  await user.click(screen.getByRole("tab", { name: words.panel.tabs.sessions }));
  const list = screen.queryByRole("list", { name: words.people.peopleIn("orders") });
  return (list === null ? undefined : within(list).getAllByRole("heading", { level: 3 }))?.map(
    ({ textContent }) => textContent?.split(" ")[0],
  );
}

test.each<readonly [string, Partial<PanelSession>, readonly string[] | undefined]>([
  ["an owner who is alone is not listed", { clients: [own] }, undefined],
  ["a person without an owner's rights is, with the role", { clients: [{ ...own, role: "writer" }] }, ["ann"]],
  ["with others, all of them are listed", { clients: [own, lin] }, ["ann", "Lin"]],
  ["so it is with a guest who is away", { clients: [own], awayGuests: [mira] }, ["ann", "Mira"]],
  ["people are listed where the user is not", { clients: [lin], self: undefined }, ["Lin"]],
])("%s", async (_, parts, expected) => {
  expect(await listed(parts)).toEqual(expected);
});

test("a guest who is away has the colour that is theirs", async () => {
  const { user } = await renderPanel({
    content: { sessions: [panelSession({ awayGuests: [{ ...mira, colour: 4 }] })] },
  });
  await user.click(screen.getByRole("tab", { name: words.panel.tabs.sessions }));
  const list = screen.getByRole("list", { name: words.people.peopleIn("orders") });
  expect(list.querySelector<HTMLElement>('.avatar[title="Mira"]')?.dataset.hue).toBe("4");
});

test("the row of the user says once where it is", async () => {
  const { user } = await renderPanel({ content: { sessions: [panelSession({ clients: [own, lin] })] } });
  await user.click(screen.getByRole("tab", { name: words.panel.tabs.sessions }));
  const list = screen.getByRole("list", { name: words.people.peopleIn("orders") });
  const [first] = within(list).getAllByRole("listitem");
  expect(first?.textContent).toContain(words.people.thisApp);
  expect(first?.textContent).not.toContain(words.people.app);
});

test("what a person asks is answered in the row of that person; what asks others is not there", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  onTestFinished(() => void vi.useRealTimers());
  const expiresAt = "2099-01-01T00:00:00.000Z";
  const from = { clientId: ClientId.parse(2), name: "Lin" };
  const session = panelSession({
    clients: [own, { ...lin, role: "reader" }, panelClient({ id: 3, name: "Ada" })],
    roleRequests: [{ id: 7, from, role: "writer", expiresAt }],
    adoptRequests: [
      { id: 8, from, shellId: ShellId.parse(2), to: ClientId.parse(1), expiresAt },
      { id: 9, from, shellId: ShellId.parse(1), to: ClientId.parse(3), expiresAt },
    ],
  });
  const { user, calls } = await renderPanel({ content: { sessions: [session] } });
  await user.click(screen.getByRole("tab", { name: words.panel.tabs.sessions }));
  const [mine, hers] = within(screen.getByRole("list", { name: words.people.peopleIn("orders") })).getAllByRole(
    "listitem",
  );
  expect(within(mine ?? document.body).queryByRole("button", { name: words.requests.notNow })).toBeNull();
  const { requests } = words;
  expect(hers?.textContent).toContain(requests.role.name("Lin"));
  expect(hers?.textContent).toContain(requests.adopt.name("Lin", "tests"));
  expect(hers?.textContent).not.toContain(requests.adopt.name("Lin", "rounding"));
  const press = (name: string) => user.click(within(hers ?? document.body).getByRole("button", { name }));
  const asked = () => calls.filter(([name]) => name.startsWith("answer"));
  // Presses count once the buttons have stood still.
  await act(() => vi.advanceTimersByTimeAsync(SETTLED_AFTER_MS + 200));
  await press(requests.role.let("Lin"));
  await press(requests.adopt.give("Lin"));
  expect(asked()).toEqual([
    ["answerRoleRequest", { session: "session-0000000a", request: 7, allow: true }],
    ["answerAdopt", { session: "session-0000000a", request: 8, allow: true }],
  ]);
});

test("a request in a person's row has a name, is answered once, and leaves the focus in that row", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  onTestFinished(() => void vi.useRealTimers());
  const from = { clientId: ClientId.parse(2), name: "Lin" };
  const session = panelSession({
    clients: [own, { ...lin, role: "reader" }],
    roleRequests: [{ id: 7, from, role: "writer", expiresAt: "2099-01-01T00:00:00.000Z" }],
  });
  const { user, calls, change } = await renderPanel({
    content: { sessions: [session] },
    answers: { answerRoleRequest: { allowed: true } },
  });
  await user.click(screen.getByRole("tab", { name: words.panel.tabs.sessions }));
  const request = screen.getByRole("group", { name: words.requests.role.name("Lin") });
  await act(() => vi.advanceTimersByTimeAsync(SETTLED_AFTER_MS + 200));
  const [allow, refuse] = within(request).getAllByRole("button");
  await user.click(allow ?? document.body);
  await user.click(refuse ?? document.body);
  expect(calls.filter(([name]) => name === "answerRoleRequest")).toEqual([
    ["answerRoleRequest", { session: "session-0000000a", request: 7, allow: true }],
  ]);
  change({ sessions: [{ ...session, roleRequests: [] }] });
  const label = words.people.roleOf("Lin", roleWords.reader);
  expect(document.activeElement).toBe(screen.getByRole("button", { name: label }));
});

test("a role is given once, and its button opens no other one before the answer", async () => {
  const answer = pendingAnswer();
  const { user, calls } = await renderPanel({
    content: { sessions: [panelSession({ clients: [own, { ...lin, role: "reader" }] })] },
    answers: { changeRole: () => answer.result },
  });
  await user.click(screen.getByRole("tab", { name: words.panel.tabs.sessions }));
  const button = screen.getByRole("button", { name: words.people.roleOf("Lin", roleWords.reader) });
  await user.click(button);
  await user.click(screen.getByRole("radio", { name: roleWords.writer }));
  expect(button.getAttribute("aria-disabled")).toBe("true");
  await user.click(button);
  expect(screen.queryByRole("dialog")).toBeNull();
  await answer.give({});
  await waitFor(() => expect(button.getAttribute("aria-disabled")).toBe("false"));
  expect(calls.filter(([name]) => name === "changeRole")).toHaveLength(1);
});

test("the question before somebody is disconnected stays until the answer, and asks the relay once", async () => {
  const answer = pendingAnswer();
  const { user, calls } = await renderPanel({
    content: { sessions: [panelSession({ clients: [own, lin] })] },
    answers: { disconnectClient: () => answer.result },
  });
  const { label, action } = words.people.disconnect;
  await user.click(screen.getByRole("tab", { name: words.panel.tabs.sessions }));
  await user.click(screen.getByRole("button", { name: label("Lin") }));
  const press = within(screen.getByRole("dialog")).getByRole("button", { name: action });
  await user.click(press);
  await user.click(press);
  expect(press.getAttribute("aria-disabled")).toBe("true");
  await answer.give({});
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(calls.filter(([name]) => name === "disconnectClient")).toHaveLength(1);
});
