// @vitest-environment happy-dom
import { act, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import type { Agent } from "../../../../../core/protocol/agent-records.ts";
import { ClientId, SessionId, ShellId } from "../../../../../core/protocol/ids.ts";
import type { MachineOverview } from "../../../../../core/protocol/machines.ts";
import type { Question } from "../../../../../core/protocol/questions.ts";
import { words } from "../../../../../renderer/tray/words/index.ts";
import { speak } from "../../../../../renderer/ui/language.ts";
import { SETTLED_AFTER_MS } from "../../../../../renderer/ui/stands-still.ts";
import { words as shared } from "../../../../../renderer/ui/words.ts";
import { questionOf } from "../../../../support/asked-question.ts";
import { panelClient, panelSession, renderPanel, usualDesktop } from "../../../../support/render-panel.tsx";

const SESSION = "session-0000000a";
const question = (parts: Partial<Question> = {}) =>
  questionOf({
    session: SessionId.parse(SESSION),
    options: [
      { id: "yes", label: "Yes, this once", key: "1" },
      { id: "always-1", label: "Yes, and always allow npm install here", key: "2" },
      { id: "no", label: "No", key: "3" },
    ],
    ...parts,
  });
const asking = (...questions: readonly Question[]) => ({ sessions: [panelSession({ questions: [...questions] })] });
const card = (command = "npm install") =>
  screen.getByRole("group", { name: words.inbox.sentences.command.name("claude", command) });

beforeEach(() => {
  // Cards take presses a moment after they came: a test passes that moment itself.
  vi.useFakeTimers({ shouldAdvanceTime: true });
  onTestFinished(() => void vi.useRealTimers());
});
const settle = () => act(() => vi.advanceTimersByTimeAsync(SETTLED_AFTER_MS));

describe("a question", () => {
  test("is answered by a digit, once its card has the focus and has stood still", async () => {
    const { calls, user } = await renderPanel({ content: asking(question()) });
    card().focus();
    await user.keyboard("1");
    expect(calls.filter(([name]) => name === "answerQuestion")).toEqual([]);
    await settle();
    await user.keyboard("1");
    expect(calls).toContainEqual(["answerQuestion", expect.objectContaining({ id: 1, option: "yes" })]);
  });

  test("is not answered by Enter, neither on its card nor on a button: Enter shows the terminal", async () => {
    const { calls, user } = await renderPanel({ content: asking(question()) });
    await settle();
    card().focus();
    await user.keyboard("{Enter}");
    within(card()).getByRole("button", { name: "Yes, this once" }).focus();
    await user.keyboard("{Enter}");
    const open = ["panel.open", { id: SESSION, shell: 1 }];
    expect(calls.filter(([name]) => name !== "panel.usage" && !/^(get|list)/.test(name))).toEqual([open, open]);
    expect(screen.getByRole("contentinfo").textContent).toContain(words.inbox.showTerminal);
    await user.keyboard(" ");
    expect(calls).toContainEqual(["answerQuestion", expect.objectContaining({ option: "yes" })]);
  });

  test("takes a second step for what lasts, which Escape leaves", async () => {
    const { calls, user } = await renderPanel({ content: asking(question()) });
    await settle();
    card().focus();
    const told = card().querySelector("[aria-live]");
    await user.keyboard("2");
    expect(told?.textContent).toContain("Yes, and always allow npm install here");
    const confirm = () => within(card()).queryByRole("button", { name: shared.question.allowPersistent });
    expect(confirm()).not.toBeNull();
    // The digits are those of the first step.
    await user.keyboard("1");
    expect(calls.some(([name]) => name === "answerQuestion")).toBe(false);
    await user.keyboard("{Escape}");
    expect(confirm()).toBeNull();
    expect(document.activeElement).toBe(card());
    await user.keyboard("2");
    await settle();
    await user.click(within(card()).getByRole("button", { name: shared.question.allowPersistent }));
    expect(calls).toContainEqual(["answerQuestion", expect.objectContaining({ option: "always-1" })]);
  });

  test("keeps the focus where what lasts is pressed: no digit reaches the card above", async () => {
    const second = question({ id: 2, title: "Bash: make", detail: { command: "make" } });
    const { user } = await renderPanel({ content: asking(question(), second) });
    await settle();
    act(() => card("make").focus());
    await settle();
    await user.click(within(card("make")).getByRole("button", { name: /^Yes, and always/ }));
    expect(within(card("make")).getByRole("button", { name: shared.question.allowPersistent })).toBeDefined();
    expect(document.activeElement).toBe(card("make"));
  });

  test("has one primary answer, and shows its risk as a word with the reasons", async () => {
    const { page } = await renderPanel({ content: asking(question()) });
    expect(page.container.querySelectorAll("main .button.primary").length).toBe(1);
    expect(card().querySelector(".now-risk")?.textContent).toBe(`${shared.question.risk.medium}· uses the network`);
  });

  test("has the labels and reasons that Patchbay makes in the language of the page", async () => {
    onTestFinished(() => speak({ language: "en", locale: undefined }));
    await speak({ language: "de", locale: undefined });
    await renderPanel({ content: asking(question()) });
    const names = ["Ja, dieses eine Mal", "Nein", "Yes, and always allow npm install here"];
    for (const name of names) expect(within(card()).getByRole("button", { name })).toBeDefined();
    expect(card().querySelector(".now-risk")?.textContent).toContain("nutzt das Netzwerk");
  });

  test("is open while it has the focus, and a line otherwise; its receipt keeps its place and the focus", async () => {
    const second = question({
      id: 2,
      title: "Bash: make",
      detail: { command: "make" },
      askedAt: "2026-01-01T00:01:00.000Z",
    });
    const answered: Partial<Question> = {
      state: "answered",
      answeredBy: { kind: "user", name: "ann", client: null },
      answer: { option: "yes", text: null },
      receipt: { state: "confirmed", evidence: "it ran", at: "2026-01-01T00:02:00.000Z" },
    };
    const done = question(answered);
    const { user, calls, change } = await renderPanel({
      content: asking(question(), second),
      answers: { answerQuestion: done, getQuestions: [done] },
    });
    await settle();
    const isOpen = (command?: string) => card(command).dataset.open;
    expect([isOpen(), isOpen("make")]).toEqual(["true", "false"]);
    card().focus();
    await user.keyboard("1");
    change(asking(second));
    await waitFor(() => expect(within(card()).getByRole("status").textContent).toContain("Confirmed"));
    expect(document.activeElement).toBe(card());
    await user.keyboard("1");
    expect(calls.filter(([name]) => name === "answerQuestion").length).toBe(1);
    await user.keyboard("{ArrowDown}");
    expect([isOpen(), isOpen("make"), document.activeElement]).toEqual(["false", "true", card("make")]);
  });
});

test("requests have their card beside the questions, and the number is that of all", async () => {
  const session = panelSession({
    clients: [...panelSession().clients, panelClient({ id: 4, name: "Mira", role: "reader", guest: true })],
    questions: [question()],
    adoptRequests: [
      {
        id: 7,
        shellId: ShellId.parse(2),
        from: { clientId: ClientId.parse(4), name: "Mira" },
        to: ClientId.parse(1),
        expiresAt: "2099-01-01T00:00:00.000Z",
      },
    ],
    roleRequests: [
      {
        id: 8,
        from: { clientId: ClientId.parse(4), name: "Mira" },
        role: "writer",
        expiresAt: "2099-01-01T00:00:00.000Z",
      },
    ],
    restrictions: {
      restrictShells: true,
      requests: [
        {
          id: 9,
          shellId: ShellId.parse(1),
          agentType: "codex",
          folder: "/src",
          wants: "splitTile",
          at: "2026-01-01T00:00:00.000Z",
        },
      ],
      allowed: [],
    },
  });
  const login = {
    code: "K7QF-2M9D",
    name: "service",
    address: "192.0.2.14",
    since: "2026-01-01T00:00:00.000Z",
    expiresAt: "2099-01-01T00:00:00.000Z",
  };
  const { calls, user } = await renderPanel({
    content: { sessions: [session], logins: [login], costToday: 7, budgets: { day: 5, session: null } },
  });
  expect(screen.getByRole("tab", { name: `${words.panel.tabs.now} 6 ${words.panel.badge(6)}` })).toBeDefined();
  // In one line, a request says where it comes from: several of one kind are told apart.
  const closed = screen.getByRole("group", { name: words.requests.control.name("codex") });
  expect(
    within(closed)
      .getAllByText(/rounding · orders/)
      .map(({ className }) => className),
  ).toContain("panel-faint");
  const press = async (name: string, button: string) => {
    screen.getByRole("group", { name }).focus();
    await settle();
    await user.click(within(screen.getByRole("group", { name })).getByRole("button", { name: button }));
  };
  await press(words.requests.adopt.name("Mira", "tests"), words.requests.adopt.give("Mira"));
  await press(words.requests.role.name("Mira"), words.requests.notNow);
  await press(words.requests.control.name("codex"), words.requests.control.always);
  // What lasts takes a second step.
  await press(words.requests.control.name("codex"), shared.question.allowPersistent);
  await press(words.requests.login.name("service"), words.requests.login.allow(login.code));
  await press(words.requests.budget.sentence, words.requests.budget.raise("$15.00"));
  expect(calls.filter(([name]) => !/^(get|list|panel\.usage)/.test(name))).toEqual([
    ["answerAdopt", { session: SESSION, request: 7, allow: true }],
    ["answerRoleRequest", { session: SESSION, request: 8, allow: false }],
    ["answerAgent", { session: SESSION, request: 9, answer: "always" }],
    ["answerLogin", { code: login.code, allow: true }],
    ["setBudgets", { day: 15, session: null }],
  ]);
});

test("typing searches from anywhere, and Enter goes to what is found", async () => {
  const { calls, user } = await renderPanel({
    content: { sessions: [panelSession(), panelSession({ id: "session-0000000b", name: "migrations" })] },
  });
  await user.keyboard("mig");
  const field = screen.getByRole("combobox", { name: words.search.label });
  expect(document.activeElement).toBe(field);
  expect(screen.getByRole("option", { selected: true }).textContent).toContain("migrations");
  await user.keyboard("{Enter}");
  expect(calls).toContainEqual(["panel.open", { id: "session-0000000b" }]);
  expect(screen.queryByRole("listbox")).toBeNull();
  await user.keyboard("acti{Enter}");
  expect(screen.getByRole("tab", { name: words.panel.tabs.activity, selected: true })).toBeDefined();
  await user.keyboard("{Escape}");
  expect(screen.getByRole("tab", { name: words.panel.tabs.now, selected: true })).toBeDefined();
});

test("Escape leads back from a place, and hides the panel from the first one, wherever the focus was", async () => {
  const { calls, user } = await renderPanel({ content: { sessions: [panelSession()] } });
  await user.click(screen.getByRole("tab", { name: words.panel.tabs.sessions }));
  within(screen.getByRole("tabpanel")).getAllByRole("button").at(-1)?.focus();
  await user.keyboard("{Escape}");
  expect(screen.getByRole("tab", { name: words.panel.tabs.now, selected: true })).toBeDefined();
  await waitFor(() => expect(document.activeElement).not.toBe(document.body));
  await user.keyboard("{Escape}");
  expect(calls.map(([name]) => name)).toContain("panel.hide");
});

test("a notice takes one line, leads to its remedy, and is hidden until another one comes", async () => {
  const keychainProblem = "No keychain can be reached (no bus). Install gnome-keyring.";
  const { user, change, calls } = await renderPanel({
    content: { desktop: { ...usualDesktop, keychainProblem, trayProblem: "There is no tray." } },
  });
  const line = () => screen.queryByRole("region", { name: words.health.notice });
  expect(line()?.textContent).toContain("There is no tray");
  expect(line()?.classList.contains("panel-waits")).toBe(false);
  await user.click(within(line() ?? document.body).getByRole("button", { name: words.health.how }));
  expect(calls).toContainEqual(["panel.showSettings", { section: "health" }]);
  await user.click(within(line() ?? document.body).getByRole("button", { name: words.health.hide }));
  expect(line()).toBeNull();
  change({ healthIssue: "The store cannot be written" });
  expect(line()?.textContent).toContain("The store cannot be written");
});

test("what runs is named by its task with its state, time and cost; the agents' sum stands below with who is here", async () => {
  const agent: Agent = {
    ...{ shellId: ShellId.parse(1), agentType: "claude", model: "m", sessionId: "a", state: "working" },
    since: new Date(Date.now() - 125_000).toISOString(),
    tokenUsage: { input: 1, output: 1, cached: 0, cost: 2.71 },
  };
  const lin = panelClient({ id: 3, name: "Lin", role: "reader" });
  const session = panelSession({ agents: [agent], clients: [...panelSession().clients, lin] });
  await renderPanel({ content: { sessions: [session], costToday: 4.18, budgets: { day: 5, session: null } } });
  const row = screen.getByRole("button", {
    name: words.running.row({
      agent: "claude",
      task: "rounding",
      state: words.agents.states.working,
      elapsed: "2 min",
      cost: "$2.71",
    }),
  });
  expect(row.textContent).toContain("rounding");
  expect(within(screen.getByRole("region", { name: words.today.title })).getByText("$4.18")).toBeDefined();
  expect(screen.getByText(words.today.ofBudget("$5.00"))).toBeDefined();
  expect(screen.getByRole("region", { name: words.here.title }).textContent).toContain("Lin watches");
});

test("an invite lets a reader in unless another role is chosen, says that it was copied, and is revoked in its list", async () => {
  const open = {
    id: "i1",
    session: SESSION,
    role: "writer",
    usesLeft: 5,
    createdAt: "",
    expiresAt: "2099-01-01T00:00:00.000Z",
  };
  const link = { url: "http://127.0.0.1:7717/s/a#secret", expiresAt: "2099-01-01T00:00:00.000Z", copied: true };
  const { calls, user } = await renderPanel({
    content: { sessions: [panelSession()] },
    answers: { "panel.invite": link, listInvites: [open] },
  });
  await user.click(screen.getByRole("button", { name: words.invite.title("orders") }));
  const popover = within(screen.getByRole("dialog", { name: words.invite.title("orders") }));
  expect(popover.getByText(words.invite.notReachable)).toBeDefined();
  await user.click(popover.getByRole("button", { name: words.invite.copyLocal }));
  const asked = { id: SESSION, role: "reader", ttl: 3600, uses: 1, outside: false, copy: true };
  expect(calls).toContainEqual(["panel.invite", asked]);
  expect(popover.getByRole("status").textContent).toContain("on the clipboard");
  // What was copied is not what is chosen now.
  await user.click(popover.getByRole("radio", { name: words.invite.roles.writer }));
  expect(popover.queryByRole("status")).toBeNull();
  await user.click(popover.getByRole("button", { name: words.invite.show }));
  expect(calls).toContainEqual(["panel.invite", { ...asked, role: "writer", copy: false }]);
  expect(await popover.findByRole("img", { name: words.invite.code("orders") })).toBeDefined();
  await user.click(popover.getByRole("button", { name: /^Revoke/ }));
  expect(calls).toContainEqual(["revokeInvite", { session: SESSION, invite: "i1" }]);
});

test("a link for other machines is offered where they can reach the relay", async () => {
  const { calls, user } = await renderPanel({
    content: { sessions: [panelSession()], externalAddresses: ["https://studio.local:7718"] },
  });
  await user.click(screen.getByRole("button", { name: words.invite.title("orders") }));
  await user.click(screen.getByRole("button", { name: words.invite.copy }));
  expect(calls).toContainEqual(["panel.invite", expect.objectContaining({ outside: true })]);
});

test("a link for a phone of the owner has no limits to choose", async () => {
  const { calls, user } = await renderPanel({
    content: { sessions: [panelSession()], externalAddresses: ["https://studio.local:7718"] },
  });
  await user.click(screen.getByRole("button", { name: words.invite.title("orders") }));
  expect(screen.getByRole("combobox", { name: words.invite.browsers })).toBeDefined();
  await user.click(screen.getByRole("radio", { name: words.invite.roles.owner }));
  expect(screen.queryByRole("combobox", { name: words.invite.browsers })).toBeNull();
  expect(screen.getByText(words.invite.about.owner)).toBeDefined();
  await user.click(screen.getByRole("button", { name: words.invite.show }));
  expect(calls).toContainEqual(["panel.invite", expect.objectContaining({ role: "owner", outside: true })]);
});

const there = question({ id: 7, title: "Bash: make", detail: { command: "make" } });
const awayMachine: MachineOverview = {
  ...{ via: "fleet", machine: "box", url: "https://box:7718", keepsKey: false, key: "valid", cost: 0 },
  ...{ sessions: [], agents: [], questions: [{ session: "nightly", question: there }] },
  ...{ state: "away", awaySince: "2026-01-01T00:00:00.000Z", version: null },
};

test("a question of a machine that is away is shown, waits for nobody, and cannot be answered until it is back", async () => {
  const { calls, user } = await renderPanel({ remotes: [awayMachine] });
  await settle();
  await screen.findByRole("group", { name: words.inbox.sentences.command.name("claude", "make") });
  card("make").focus();
  await user.keyboard("1");
  expect(within(card("make")).getByText(words.inbox.whenBack("box"))).toBeDefined();
  expect(within(card("make")).queryByRole("button", { name: "Yes, this once" })).toBeNull();
  expect(calls.filter(([name]) => name === "answerMachineQuestion")).toEqual([]);
  expect(screen.queryByText(words.panel.badge(1))).toBeNull();
});

test("in a browser a question of another machine is answered there, and Enter leads nowhere", async () => {
  const { calls, user } = await renderPanel({
    content: { desktop: undefined },
    remotes: [{ ...awayMachine, state: "reachable", awaySince: null }],
    answers: { answerMachineQuestion: { ...there, state: "answered" } },
  });
  await screen.findByRole("group", { name: words.inbox.sentences.command.name("claude", "make") });
  card("make").focus();
  await settle();
  await user.keyboard("{Enter}");
  expect(card("make").dataset.enter).toBeUndefined();
  expect(calls.filter(([name]) => name === "panel.openMachine")).toEqual([]);
  await user.keyboard("1");
  const given = { via: "fleet", machine: "box", remoteSession: SESSION, id: 7, option: "yes" };
  expect(calls).toContainEqual(["answerMachineQuestion", expect.objectContaining(given)]);
});

test("in the app the settings open in their window, by their icon, their key and the search", async () => {
  const { calls, user } = await renderPanel();
  const opened = () => calls.filter(([name]) => name === "panel.showSettings").map(([, params]) => params);
  await user.click(screen.getByRole("button", { name: words.panel.tabs.settings }));
  await user.keyboard("{Control>},{/Control}");
  await user.keyboard("quiet{Enter}");
  expect(opened()).toEqual([{}, {}, { section: "notifications", setting: "quietHours" }]);
  expect(screen.getByRole("tab", { name: words.panel.tabs.now, selected: true })).toBeDefined();
});

test("as a page the place is in the address: a link opens it, and Back leaves it", async () => {
  const { user } = await renderPanel({ content: { desktop: undefined }, fragment: "#settings/about" });
  await screen.findByRole("heading", { name: words.settings.names.about }, { timeout: 20_000 });
  await user.click(screen.getByRole("button", { name: words.settings.names.health }));
  expect(location.hash).toBe("#settings/health");
  await user.click(screen.getByRole("tab", { name: words.panel.tabs.sessions }));
  expect(location.hash).toBe("#sessions");
  history.replaceState(null, "", "#settings/health");
  act(() => void window.dispatchEvent(new PopStateEvent("popstate")));
  await screen.findByRole("heading", { name: words.settings.names.health });
  history.replaceState(null, "", location.pathname);
  act(() => void window.dispatchEvent(new PopStateEvent("popstate")));
  expect(screen.getByRole("tab", { name: words.panel.tabs.now, selected: true })).toBeDefined();
});
