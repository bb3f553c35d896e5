// @vitest-environment happy-dom
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { AuditEntry } from "../../../../../core/protocol/audit.ts";
import type { PanelSession } from "../../../../../preload/channels.ts";
import { words } from "../../../../../renderer/tray/words/index.ts";
import { panelClient, panelSession, renderPanel } from "../../../../support/render-panel.tsx";

let next = 100;
function entry(parts: Partial<AuditEntry>): AuditEntry {
  next -= 1;
  return {
    ...{ id: next, at: new Date(Date.UTC(2026, 2, 14, 14, 0, next)).toISOString(), kind: "call", who: "Mira" },
    ...{ credential: "guest", from: "127.0.0.1", session: "session-0000000a", action: "closeShell" },
    ...{ params: { shell: 2 }, outcome: "ok", client: 4, durationMs: 2, count: 1 },
    ...parts,
  };
}

const log = [
  entry({}),
  entry({ action: "resizeShell", params: { shell: 2, cols: 80, rows: 24 } }),
  entry({ who: "ann", credential: "user", action: "setBudgets", params: { day: 1 }, session: null }),
  entry({ action: "createShell", params: {}, outcome: "role_forbids" }),
  entry({ action: "answerQuestion", params: { id: 1, option: "yes" } }),
];

async function open(answers = {}) {
  const guest = panelClient({ id: 4, name: "Mira", guest: true });
  const session = panelSession({ clients: [...panelSession().clients, guest] });
  const panel = await renderPanel({ content: { sessions: [session] }, answers: { audit: log, ...answers } });
  await panel.user.click(screen.getByRole("tab", { name: words.panel.tabs.activity }));
  // The place is loaded on demand.
  await screen.findByText(/closed tests/, {}, { timeout: 20_000 });
  const choose = (name: string, option: string) =>
    panel.user.selectOptions(screen.getByRole("combobox", { name }), option);
  return { ...panel, choose };
}

const rows = () =>
  screen
    .getAllByRole("listitem")
    .filter(({ className }) => className === "activity-row")
    .map((row) => row.querySelector("p")?.textContent);

test("what happened stands in sentences; own keys and resizes are shown when they are asked for", async () => {
  const { user } = await open();
  expect(rows()).toEqual([
    "Mira closed tests",
    "You set the budget of each day to $1.00",
    "Mira opened a shell",
    "Mira answered an agent with “yes”",
  ]);
  await user.click(screen.getByRole("switch", { name: words.activity.noise }));
  expect(rows()).toContain("Mira resized tests");
});

test("a person whose role was changed has a name, connected or away", async () => {
  const params = { session: "session-0000000a", role: "reader" };
  const guest = { ...params, guest: "9f2c4e61a0b3" };
  const kai: PanelSession["awayGuests"][number] = {
    ...{ id: guest.guest, name: "Kai", role: "reader", device: "Firefox", invite: null, clients: [] },
    ...{ since: "2026-01-01T00:00:00.000Z", lastSeenAt: "2026-01-01T00:00:00.000Z" },
    expiresAt: "2099-01-01T00:00:00.000Z",
  };
  const user = { who: "ann", credential: "user" } as const;
  const changed = [
    entry({ ...user, action: "changeRole", params: { ...params, client: 4 } }),
    entry({ ...user, action: "changeGuestRole", params: guest }),
  ];
  const { change } = await open({ audit: [...log, ...changed] });
  const clients = [...panelSession().clients, panelClient({ id: 4, name: "Mira", guest: true })];
  change({ sessions: [panelSession({ clients, awayGuests: [kai] })] });
  expect(rows().slice(-2)).toEqual(["You gave Mira the role can watch", "You gave Kai the role can watch"]);
});

test("filters choose by kind and person, and the relay is asked for failures and sessions", async () => {
  const { calls, choose } = await open();
  await choose(words.activity.kind, words.activity.kinds.answers);
  expect(rows()).toEqual(["Mira answered an agent with “yes”"]);
  await choose(words.activity.kind, words.activity.kinds.all);
  await choose(words.activity.person, words.activity.you);
  expect(rows()).toEqual(["You set the budget of each day to $1.00"]);
  await choose(words.activity.person, words.activity.everybody);
  await choose(words.activity.kind, words.activity.kinds.failures);
  await choose(words.activity.session, "orders");
  const asked = expect.objectContaining({ session: "session-0000000a", outcome: "failed" });
  await waitFor(() => expect(calls).toContainEqual(["audit", asked]));
  expect(rows()).toEqual(["Mira opened a shell"]);
  expect(screen.getByText(words.activity.refused, { exact: false })).toBeTruthy();
});

test("the filter by session offers closed sessions of the listed entries, and keeps the chosen one", async () => {
  const closed = "session-0000000c";
  const audit = ({ session }: { readonly session?: string }) =>
    session === undefined ? [...log, entry({ session: closed }), entry({ session: closed })] : [];
  const { calls, choose } = await open({ audit });
  const filter = screen.getByRole<HTMLSelectElement>("combobox", { name: words.activity.session });
  const offered = () => [...filter.options].map(({ text }) => text);
  expect(offered()).toEqual([words.activity.allSessions, "orders", closed]);
  await choose(words.activity.session, closed);
  await waitFor(() => expect(calls).toContainEqual(["audit", expect.objectContaining({ session: closed })]));
  expect(await screen.findByText(words.activity.noMatch)).toBeTruthy();
  expect(offered()).toEqual([words.activity.allSessions, "orders", closed]);
});

test("a page of a former filter that comes late is none of the new filter's", async () => {
  const newest = Array.from({ length: 200 }, () => entry({}));
  const refused = entry({ action: "createShell", params: {}, outcome: "role_forbids" });
  const late = entry({ action: "answerQuestion", params: { id: 1, option: "yes" }, outcome: "role_forbids" });
  let answer: (page: readonly AuditEntry[]) => void = () => undefined;
  const older = new Promise<readonly AuditEntry[]>((resolve) => {
    answer = resolve;
  });
  const audit = ({ outcome, before }: { readonly outcome?: string; readonly before?: number }) =>
    outcome === "failed" ? [refused] : before === undefined ? newest : older;
  const { calls, choose } = await open({ audit });
  const wanted = expect.objectContaining({ before: newest.at(-1)?.id });
  await waitFor(() => expect(calls).toContainEqual(["audit", wanted]));
  await choose(words.activity.kind, words.activity.kinds.failures);
  await waitFor(() => expect(rows()).toEqual(["Mira opened a shell"]));
  await act(async () => answer([late]));
  expect(rows()).toEqual(["Mira opened a shell"]);
});

test("Details shows the entry of the audit log", async () => {
  const { user } = await open();
  const row = screen.getAllByRole("listitem").find(({ textContent }) => textContent?.includes("budget"));
  await user.click(within(row ?? document.body).getByRole("button", { name: words.activity.details }));
  expect(screen.getByRole("region", { name: words.activity.rawEntry }).textContent).toContain('setBudgets {"day":1}');
  await user.click(screen.getByRole("button", { name: words.activity.hideDetails }));
  expect(screen.queryByRole("region", { name: words.activity.rawEntry })).toBeNull();
});

test("the arrow keys go through the rows, and what can be done with one begins with its session", async () => {
  const { user, calls } = await open();
  const details = screen.getAllByRole("button", { name: words.activity.details });
  act(() => details[0]?.focus());
  await user.keyboard("{Control>}k{/Control}");
  const lines = screen.getAllByRole("menuitem").map(({ textContent }) => textContent);
  expect(lines).toEqual([words.bar.open("orders"), `${words.activity.details}⏎`]);
  await user.keyboard("{Enter}");
  expect(calls).toContainEqual(["panel.open", { id: "session-0000000a" }]);
  await user.keyboard("{ArrowDown}");
  expect(document.activeElement).toBe(details[1]);
  // The budget is of no session.
  await user.keyboard("{Control>}k{/Control}");
  expect(screen.queryByRole("menu")).toBeNull();
});

test("the entry of the audit log keeps the arrow keys, which scroll it, and the menu for its text", async () => {
  const { user } = await open();
  await user.click(screen.getAllByRole("button", { name: words.activity.details })[0] ?? document.body);
  const raw = screen.getByRole("region", { name: words.activity.rawEntry });
  act(() => raw.focus());
  await user.keyboard("{ArrowDown}");
  expect(document.activeElement).toBe(raw);
  fireEvent.contextMenu(raw);
  expect(screen.queryByRole("menu")).toBeNull();
});

test("Export saves the rows that are shown", async () => {
  const { user, calls, choose } = await open({ "panel.save": { file: "activity.csv" } });
  await choose(words.activity.person, words.activity.you);
  await user.click(screen.getByRole("button", { name: words.activity.export }));
  const [, saved] = calls.find(([name]) => name === "panel.save") ?? [];
  const text = String(Reflect.get(Object(saved), "text")).split("\r\n");
  expect(text.length).toBe(3);
  expect(text[1]).toContain("You set the budget of each day to $1.00,,setBudgets,ok,1,");
  await screen.findByText(words.activity.exported("activity.csv"));
});

test("past notifications are a kind of activity", async () => {
  const { choose } = await open();
  await choose(words.activity.kind, words.activity.kinds.notifications);
  await screen.findByText(words.activity.noNotifications);
});
