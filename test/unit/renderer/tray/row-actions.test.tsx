// @vitest-environment happy-dom
import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import type { Agent } from "../../../../core/protocol/agent-records.ts";
import { SessionId, ShellId } from "../../../../core/protocol/ids.ts";
import { noUsage } from "../../../../main/agents/ledger.ts";
import { keysLabel } from "../../../../renderer/tray/row-actions.ts";
import { words } from "../../../../renderer/tray/words/index.ts";
import { SETTLED_AFTER_MS } from "../../../../renderer/ui/stands-still.ts";
import { words as shared } from "../../../../renderer/ui/words.ts";
import { questionOf } from "../../../support/asked-question.ts";
import { panelSession, type RenderedPanel, renderPanel, usualDesktop } from "../../../support/render-panel.tsx";

const SESSION = "session-0000000a";
const agent = (parts: Partial<Agent> = {}): Agent => ({
  ...{
    agentType: "claude",
    model: "m",
    shellId: ShellId.parse(1),
    sessionId: "s-1",
    state: "working",
    tokenUsage: noUsage,
  },
  ...parts,
});
const running = (parts: Partial<Agent> = {}) => ({ sessions: [panelSession({ agents: [agent(parts)] })] });
const question = questionOf({
  session: SessionId.parse(SESSION),
  agentSessionId: "s-1",
  title: "Bash: make",
  options: [
    { id: "yes", label: "Yes, this once", key: "1" },
    { id: "always-1", label: "Yes, and always allow make here", key: "2" },
    { id: "no", label: "No", key: "3" },
  ],
});
const asking = { sessions: [panelSession({ questions: [question] })] };
const row = (name: RegExp) => screen.getByRole("button", { name });
const card = () => screen.getByRole("group", { name: words.inbox.sentences.command.name("claude", "make") });
const lines = () => screen.getAllByRole("menuitem").map(({ textContent }) => textContent);
const open = (calls: RenderedPanel["calls"]) => calls.filter(([name]) => name === "panel.open").map(([, args]) => args);

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  onTestFinished(() => void vi.useRealTimers());
});

describe("the actions of a running agent", () => {
  test("open by the keys, with the second button and in the bar, and Escape leads back to its row", async () => {
    const { user } = await renderPanel({ content: running() });
    const claude = row(/^claude, rounding/);
    act(() => claude.focus());
    await user.keyboard("{Control>}k{/Control}");
    const all = [
      `${words.bar.open("rounding")}⏎`,
      `${words.actions.readConversation}⇧ ⏎`,
      words.actions.mute("claude"),
    ];
    expect(lines()).toEqual([...all, words.bar.costs]);
    expect(document.activeElement?.textContent).toBe(all[0]);
    await user.keyboard("{Escape}");
    expect(screen.queryByRole("menu")).toBeNull();
    expect(document.activeElement).toBe(claude);
    fireEvent.contextMenu(claude);
    expect(screen.getByRole("menu", { name: words.actions.of("rounding") })).toBeDefined();
    await user.keyboard("{Escape}");
    await user.click(screen.getByRole("button", { name: `${words.bar.actions} ${keysLabel("Command+K")}` }));
    expect(lines()).toHaveLength(4);
    await user.keyboard("{Escape}");
    expect(document.activeElement).toBe(claude);
  });

  test("do what they say: its terminal, its conversation, its notifications, the costs", async () => {
    const { user, calls } = await renderPanel({ content: running() });
    const choose = async (label: string) => {
      act(() => row(/^claude, rounding/).focus());
      await user.keyboard("{Control>}k{/Control}");
      await user.click(screen.getByRole("menuitem", { name: new RegExp(`^${label}`) }));
    };
    await choose(words.bar.open("rounding"));
    await choose(words.actions.readConversation);
    const conversation = { agentType: "claude", agentSessionId: "s-1", title: "" };
    expect(open(calls)).toEqual([
      { id: SESSION, shell: 1 },
      { id: SESSION, place: expect.objectContaining({ in: "conversations", conversation }) },
    ]);
    await choose(words.actions.mute("claude"));
    expect(calls).toContainEqual(["panel.mute", { id: SESSION, shell: 1, muted: true }]);
    await choose(words.bar.costs);
    expect(screen.getByRole("tab", { name: words.panel.tabs.agents }).getAttribute("aria-selected")).toBe("true");
  });

  test("lead to its conversation by Shift and Enter, and to none where it is not known", async () => {
    const { user, calls, change } = await renderPanel({ content: running() });
    act(() => row(/^claude, rounding/).focus());
    await user.keyboard("{Shift>}{Enter}{/Shift}");
    expect(open(calls)).toEqual([expect.objectContaining({ place: expect.objectContaining({ in: "conversations" }) })]);
    change(running({ sessionId: "" }));
    await user.keyboard("{Control>}k{/Control}");
    expect(lines()).not.toContain(`${words.actions.readConversation}⇧ ⏎`);
  });

  test("do not mute where this place shows no notifications", async () => {
    const { user } = await renderPanel({ content: { ...running(), desktop: undefined } });
    act(() => row(/^claude, rounding/).focus());
    await user.keyboard("{Control>}k{/Control}");
    expect(lines()).toHaveLength(4);
  });
});

test("a session is opened, invited to, restricted, renamed and closed from its row", async () => {
  const { user, calls } = await renderPanel({ content: { sessions: [panelSession()], desktop: usualDesktop } });
  const choose = async (label: string) => {
    await user.click(screen.getByRole("tab", { name: words.panel.tabs.now }));
    act(() => row(/^orders, /).focus());
    await user.keyboard("{Control>}k{/Control}");
    await user.click(screen.getByRole("menuitem", { name: new RegExp(`^${label}`) }));
  };
  await choose(words.bar.open("orders"));
  await choose(words.sessions.restrict);
  expect(calls).toContainEqual(["panel.open", { id: SESSION }]);
  expect(calls).toContainEqual(["restrictShells", { session: SESSION, state: "on" }]);
  await choose(words.invite.button);
  expect(await screen.findByRole("dialog", { name: words.invite.title("orders") })).toBeDefined();
  await choose(words.sessions.rename);
  expect(await screen.findByRole("textbox", { name: words.sessions.newNameOf("orders") })).toBeDefined();
  await choose(words.sessions.close);
  expect(await screen.findByRole("heading", { name: words.sessions.closeQuestion("orders") })).toBeDefined();
});

describe("the rows of the places", () => {
  const focused = () => document.activeElement?.getAttribute("aria-label");
  const show = async (place: "sessions" | "agents", content: object) => {
    const panel = await renderPanel({ content });
    await panel.user.click(screen.getByRole("tab", { name: words.panel.tabs[place] }));
    return panel;
  };
  const openOrders = () => screen.getByRole("button", { name: words.sessions.openIt("orders") });
  const two = { sessions: [panelSession(), panelSession({ id: "session-0000000b", name: "migrations" })] };

  test("are gone through by the arrow keys from each of their controls, and the bar says what Enter does", async () => {
    const { user, calls } = await show("sessions", two);
    act(() => screen.getByRole("button", { name: words.sessions.moreFor("orders") }).focus());
    await user.keyboard("{ArrowDown}");
    expect(focused()).toBe(words.sessions.openIt("migrations"));
    expect(screen.getByRole("contentinfo").textContent).toContain(words.bar.open("migrations"));
    await user.keyboard("{Home}");
    expect(document.activeElement).toBe(openOrders());
    await user.keyboard("{End}{Enter}");
    expect(open(calls)).toEqual([{ id: "session-0000000b" }]);
  });

  test("have their actions by the keys and with the second button, but a field in them keeps its own", async () => {
    const { user } = await show("sessions", two);
    const menu = () => screen.queryByRole("menu", { name: words.actions.of("orders") });
    const more = screen.getByRole("button", { name: words.sessions.moreFor("orders") });
    act(() => more.focus());
    await user.keyboard("{Control>}k{/Control}");
    expect(lines()[0]).toBe(`${words.bar.open("orders")}⏎`);
    await user.keyboard("{Escape}");
    expect([menu(), document.activeElement]).toEqual([null, more]);
    fireEvent.contextMenu(screen.getByRole("heading", { name: "orders" }));
    expect(menu()).not.toBeNull();
    await user.click(screen.getByRole("menuitem", { name: words.sessions.rename }));
    fireEvent.contextMenu(await screen.findByRole("textbox", { name: words.sessions.newNameOf("orders") }));
    expect(menu()).toBeNull();
  });

  test("that a search leaves out are passed over", async () => {
    const sessions = Array.from({ length: 7 }, (_, index) =>
      panelSession({ id: `session-0000000${index}`, name: `Work ${index}` }),
    );
    const { user } = await show("sessions", { sessions });
    await user.type(screen.getByRole("searchbox", { name: words.sessions.search }), "Work 3");
    act(() => screen.getByRole("button", { name: words.sessions.openIt("Work 3") }).focus());
    for (const key of ["Home", "End", "ArrowDown", "ArrowUp"]) {
      await user.keyboard(`{${key}}`);
      expect(focused()).toBe(words.sessions.openIt("Work 3"));
    }
  });

  test("lead an agent under Agents to its terminal, its conversation and its other actions", async () => {
    const { user, calls } = await show("agents", running());
    const shows = words.agents.showIn("claude", "orders");
    const button = await screen.findByRole("button", { name: shows }, { timeout: 20_000 });
    act(() => button.focus());
    await user.keyboard("{Shift>}{Enter}{/Shift}{Enter}");
    expect(open(calls)).toEqual([
      expect.objectContaining({ place: expect.objectContaining({ in: "conversations" }) }),
      { id: SESSION, shell: 1 },
    ]);
    fireEvent.contextMenu(screen.getByRole("heading", { name: "claude", level: 3 }));
    expect(lines()).toContain(words.actions.mute("claude"));
  });
});

test("what could not be copied of a session is not said to be copied", async () => {
  const answers = { "panel.copy": new Error("The clipboard is busy.") };
  const { user } = await renderPanel({ content: { sessions: [panelSession()], desktop: usualDesktop }, answers });
  act(() => row(/^orders, /).focus());
  await user.keyboard("{Control>}k{/Control}");
  await user.click(screen.getByRole("menuitem", { name: words.sessions.copyId }));
  expect(await screen.findByText("The clipboard is busy.")).toBeDefined();
  expect(screen.queryByText(words.sessions.idCopied)).toBeNull();
});

describe("the actions of a question", () => {
  test("begin with the terminal, never with an answer, and answer as its buttons do", async () => {
    const { user, calls } = await renderPanel({ content: asking });
    act(() => card().focus());
    await user.keyboard("{Control>}k{/Control}");
    expect(lines().slice(0, 5)).toEqual([
      `${words.inbox.showTerminal}⏎`,
      `${words.actions.readConversation}⇧ ⏎`,
      ...question.options.map(({ label, key }) => `${label}${key}`),
    ]);
    await user.keyboard("{Enter}");
    expect(open(calls)).toEqual([{ id: SESSION, shell: 1 }]);
    await user.keyboard("{Control>}k{/Control}");
    await user.click(screen.getByRole("menuitem", { name: /^Yes, this once/ }));
    expect(calls).toContainEqual(["answerQuestion", expect.objectContaining({ id: question.id, option: "yes" })]);
  });

  test("take the digits that they show; a letter that begins none of them goes nowhere", async () => {
    const { user, calls } = await renderPanel({ content: asking });
    act(() => card().focus());
    await user.keyboard("{Control>}k{/Control}z4");
    expect(document.activeElement?.textContent).toBe(`${words.inbox.showTerminal}⏎`);
    expect(screen.getByRole("combobox", { name: words.search.label })).toHaveProperty("value", "");
    await user.keyboard("3");
    expect(screen.queryByRole("menu")).toBeNull();
    expect(calls).toContainEqual(["answerQuestion", expect.objectContaining({ id: question.id, option: "no" })]);
  });

  test("take the second step for what lasts, and offer no answer there", async () => {
    const { user, calls } = await renderPanel({ content: asking });
    await act(() => vi.advanceTimersByTimeAsync(SETTLED_AFTER_MS));
    act(() => card().focus());
    await user.keyboard("{Control>}k{/Control}");
    await user.click(screen.getByRole("menuitem", { name: /^Yes, and always/ }));
    await waitFor(() => expect(document.activeElement).toBe(card()));
    expect(screen.getByRole("button", { name: shared.question.allowPersistent })).toBeDefined();
    expect(calls.some(([name]) => name === "answerQuestion")).toBe(false);
    await user.keyboard("{Control>}k{/Control}");
    expect(lines()).not.toContain("No3");
  });
});

test("where nothing can be done the keys do nothing, and the bar offers no actions", async () => {
  const { user } = await renderPanel({ content: {} });
  await user.keyboard("{Control>}k{/Control}");
  expect(screen.queryByRole("menu")).toBeNull();
  expect(screen.queryByRole("button", { name: new RegExp(`^${words.bar.actions}`) })).toBeNull();
});
