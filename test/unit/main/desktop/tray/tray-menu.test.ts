import { expect, test, vi } from "vitest";
import type { ShellId } from "../../../../../core/protocol/ids.ts";
import { type SessionSummary, statusLine } from "../../../../../main/desktop/sessions/session-summary.ts";
import { lookOf, trayMenu } from "../../../../../main/desktop/tray/tray-menu.ts";

const glance = (more: Partial<SessionSummary>): SessionSummary => ({
  id: "session-1",
  name: "default",
  shells: 0,
  clients: 1,
  waiting: 0,
  waitingAgents: [],
  working: 0,
  ...more,
});
const actions = () => ({
  open: vi.fn(),
  copyId: vi.fn(),
  showPanel: vi.fn(),
  showSettings: vi.fn(),
  showLogins: vi.fn(),
  showCosts: vi.fn(),
  pause: vi.fn(),
  showWelcome: vi.fn(),
  quit: vi.fn(),
});
const state = { costToday: "$4.18", paused: false, logins: [], remoteQuestions: 0, trouble: undefined };

test("the menu lists sessions with what they hold, and says what waits", () => {
  const menu = trayMenu(
    [glance({ shells: 1 }), glance({ id: "b", name: "R&D", shells: 2, waiting: 1 })],
    state,
    actions(),
  );
  expect(menu.map((item) => item.label ?? item.type)).toEqual([
    "Patchbay: 1 waiting for you, 2 sessions, 3 shells",
    "$4.18 today at list prices",
    "separator",
    "default (1 shell)",
    "R&&D (1 waiting, 2 shells)",
    "separator",
    "Show panel",
    "Settings…",
    "Pause notifications",
    "Welcome to Patchbay",
    "Quit Patchbay",
  ]);
});

test("without a session the menu says so", () => {
  const labels = trayMenu([], state, actions()).map((item) => item.label);
  expect(labels).toContain("No session is open");
  expect(statusLine([])).toBe("Patchbay: 0 sessions, 0 shells");
});

test("entries act on their own session", () => {
  const act = actions();
  const submenu = trayMenu([glance({ id: "a" }), glance({ id: "b" })], state, act)[4]?.submenu;
  if (!Array.isArray(submenu)) throw new Error("a session has entries of its own");
  for (const entry of submenu) (entry.click as () => void)();
  expect(act.open).toHaveBeenCalledWith("b");
  expect(act.copyId).toHaveBeenCalledWith("b");
});

test("an agent that waits has an entry that leads to its shell; the pause is turned over", () => {
  const act = actions();
  const waiting = glance({
    id: "b",
    name: "R&D",
    waiting: 1,
    waitingAgents: [{ agentType: "codex", shell: 2 as ShellId }],
  });
  const menu = trayMenu([waiting], { ...state, paused: true }, act);
  press(menu, "codex waits for you in R&&D");
  expect(act.open).toHaveBeenCalledWith("b", 2);
  expect(menu.find((item) => item.label === "Pause notifications")?.checked).toBe(true);
  press(menu, "Pause notifications");
  expect(act.pause).toHaveBeenCalledWith(false);
});

test("a login counts as waiting and leads to People; trouble is said in a line of its own, not too long", () => {
  const act = actions();
  const menu = trayMenu(
    [glance({ waiting: 1 })],
    { ...state, logins: ["service on r&d"], trouble: `The store is full: ${"x".repeat(200)}` },
    act,
  );
  expect(menu[0]?.label).toBe("Patchbay: 2 waiting for you, 1 session, 0 shells");
  expect(menu[1]?.label).toMatch(/^Trouble: The store is full: x+…$/);
  expect(menu[1]?.label?.length).toBeLessThan(100);
  press(menu, "service on r&&d asks to be let in");
  expect(act.showLogins).toHaveBeenCalledOnce();
});

test("names are shown as they are written, on one line, and cut", () => {
  const name = `\u202egnp.exe\u200b\u2028${"W".repeat(190)}`;
  const waiting = glance({
    name,
    waitingAgents: [{ agentType: `\u2066agent${"x".repeat(200)}`, shell: 2 as ShellId }],
  });
  const menu = trayMenu([waiting, glance({ name: `${"a".repeat(78)}😀b` })], { ...state, logins: [name] }, actions());
  const labels = menu.flatMap(({ label }) => label ?? []);
  expect(labels).toContainEqual(expect.stringMatching(/^gnp\.exeW+… \(0 shells\)$/));
  expect(labels).toContainEqual(expect.stringMatching(/^agentx+… waits for you in gnp\.exeW+…$/));
  expect(labels).toContainEqual(expect.stringMatching(/^gnp\.exeW+… asks to be let in$/));
  for (const label of labels) {
    expect(label).not.toMatch(/[\p{Bidi_C}\u200b\u2028\n]/u);
    expect(label.length).toBeLessThan(200);
    // No half of a character is left.
    expect(Buffer.from(label).toString()).toBe(label);
  }
});

function press(menu: ReturnType<typeof trayMenu>, label: string): void {
  const entry = menu.find((item) => item.label === label);
  if (entry?.click === undefined) throw new Error(`the menu has no ${label}`);
  (entry.click as () => void)();
}

test("questions on other machines count in the line for users who cannot see the icon", () => {
  const menu = trayMenu([glance({ waiting: 1 })], { ...state, remoteQuestions: 2 }, actions());
  expect(menu[0]?.label).toBe("Patchbay: 3 waiting for you, 1 session, 0 shells");
});

test("an exceeded budget waits for the user, and its line leads to the costs", () => {
  const act = actions();
  const menu = trayMenu([glance({ shells: 1 })], { ...state, overBudget: "$2.10" }, act);
  expect(menu[0]?.label).toBe("Patchbay: 1 waiting for you, 1 session, 1 shell");
  const line = menu.find(({ label }) => label === "$2.10 over today's budget");
  line?.click?.({} as never, undefined as never, {} as never);
  expect(act.showCosts).toHaveBeenCalledOnce();
});

test.each([
  ["idle", {}, {}],
  ["idle", { shells: 3, clients: 2 }, { costToday: "$9.00", paused: true }],
  ["working", { working: 1 }, {}],
  ["waiting", { waiting: 1 }, {}],
  ["waiting", { waiting: 1, working: 1 }, {}],
  ["waiting", { working: 1 }, { logins: ["tool"] }],
  ["waiting", {}, { overBudget: "$2.10" }],
  ["waiting", { working: 1 }, { remoteQuestions: 1 }],
  ["trouble", {}, { trouble: "the disk is full" }],
  ["trouble", { waiting: 1, working: 1 }, { trouble: "the disk is full", logins: ["tool"] }],
] as const)("the icon is %s for a session with %j beside %j", (look, session, beside) => {
  expect(lookOf([glance({}), glance(session)], { ...state, ...beside })).toBe(look);
});

test("the icon is idle without a session", () => {
  expect(lookOf([], state)).toBe("idle");
});
