// @vitest-environment happy-dom
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { Agent } from "../../../../core/protocol/agent-records.ts";
import { ClientId, ShellId } from "../../../../core/protocol/ids.ts";
import type { PanelSession } from "../../../../preload/channels.ts";
import { formatDollars } from "../../../../renderer/tray/format.ts";
import { words } from "../../../../renderer/tray/words/index.ts";
import { questionOf } from "../../../support/asked-question.ts";
import { panelClient, panelSession, renderPanel } from "../../../support/render-panel.tsx";

const said = words.sessions;

async function open(sessions: readonly PanelSession[], content: object = {}) {
  const panel = await renderPanel({ content: { sessions: [...sessions], costToday: 1.25, ...content } });
  await panel.user.click(screen.getByRole("tab", { name: words.panel.tabs.sessions }));
  await screen.findByRole("button", { name: said.newSession }, { timeout: 20_000 });
  const press = (name: string) => panel.user.click(screen.getByRole("button", { name }));
  const asked = (name: string) => panel.calls.filter(([called]) => called === name).map(([, params]) => params);
  return { ...panel, press, asked };
}
const agent = (parts: Partial<Agent> = {}): Agent => ({
  ...{ shellId: ShellId.parse(1), agentType: "claude", model: "m", sessionId: "a", state: "working" },
  tokenUsage: { input: 0, output: 0, cached: 0, cost: 0 },
  ...parts,
});
const status = () => screen.getByRole("contentinfo").textContent;
const many = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    panelSession({ id: `session-000000${10 + index}`, name: `Work ${index}` }),
  );

describe("the sessions", () => {
  test("are counted, with the cost of today", async () => {
    const { page, change } = await open([panelSession()]);
    const head = () => page.container.querySelector(".panel-sum")?.textContent;
    expect(head()).toBe(`1 session${said.costToday(formatDollars(1.25))}`);
    change({ sessions: many(2) });
    expect(head()).toBe(`2 sessions${said.costToday(formatDollars(1.25))}`);
    change({ sessions: [] });
    expect(screen.getByText(said.none)).toBeTruthy();
  });

  test("are searched by name where there are more than six", async () => {
    const { user, change } = await open(many(6));
    const field = () => screen.queryByRole("searchbox", { name: said.search });
    expect(field()).toBeNull();
    change({ sessions: many(7) });
    const search = field();
    if (search === null) throw new Error("no search");
    await user.type(search, " WORK 3 ");
    expect(screen.getAllByRole("button", { name: /^Open Work/ }).map((one) => one.getAttribute("aria-label"))).toEqual([
      said.openIt("Work 3"),
    ]);
    await user.clear(search);
    await user.type(search, "none");
    expect(screen.getByText(said.noMatch("none"))).toBeTruthy();
  });

  test("come in the order of what needs the user: what waits, what works, then the others as they were", async () => {
    await open([
      panelSession({ id: "session-0000000a", name: "calm" }),
      panelSession({ id: "session-0000000b", name: "works", agents: [agent()] }),
      panelSession({ id: "session-0000000c", name: "calm too" }),
      panelSession({ id: "session-0000000d", name: "waits", questions: [questionOf()] }),
    ]);
    const names = screen.getAllByRole("heading", { level: 2 }).map(({ textContent }) => textContent);
    expect(names).toEqual(["waits", "works", "calm", "calm too"]);
  });

  test("keep a name that is being typed while a search leaves their row out", async () => {
    const { user, press } = await open(many(7));
    await press(said.moreFor("Work 0"));
    await press(said.rename);
    const name = () => screen.getByRole("textbox", { name: said.newNameOf("Work 0") });
    await user.clear(name());
    await user.type(name(), "more");
    const search = screen.getByRole("searchbox", { name: said.search });
    await user.type(search, "Work 3");
    expect(screen.queryByRole("textbox", { name: said.newNameOf("Work 0") })).toBeNull();
    await user.clear(search);
    expect(name()).toHaveProperty("value", "more");
  });

  test("are all shown again where they have become so few that there is no search", async () => {
    const { user, change } = await open(many(7));
    await user.type(screen.getByRole("searchbox", { name: said.search }), "Work 3");
    change({ sessions: many(6) });
    expect(screen.getAllByRole("button", { name: /^Open Work/ }).length).toBe(6);
    expect(screen.queryByText(said.noMatch("Work 3"))).toBeNull();
  });

  test("get a new one by its name, which Escape and the button leave", async () => {
    const { user, press, asked } = await open([panelSession()]);
    const field = () => screen.queryByRole<HTMLInputElement>("textbox", { name: said.newName });
    for (const leave of [() => user.keyboard("{Escape}"), () => press(words.panel.cancel)]) {
      await press(said.newSession);
      await user.type(field() as HTMLInputElement, "x");
      await leave();
      expect(field()).toBeNull();
    }
    await press(said.newSession);
    const create = screen.getByRole<HTMLButtonElement>("button", { name: said.create });
    expect(create.disabled).toBe(true);
    await user.type(field() as HTMLInputElement, "  {Enter}");
    expect([create.disabled, asked("createSession")]).toEqual([true, []]);
    await user.type(field() as HTMLInputElement, "fresh {Enter}");
    await waitFor(() => expect(field()).toBeNull());
    expect(asked("createSession")).toEqual([{ name: "fresh" }]);
  });
});

test("Escape of an input method closes neither the form nor the place", async () => {
  const { press } = await open([panelSession()]);
  await press(said.newSession);
  fireEvent.keyDown(screen.getByRole("textbox", { name: said.newName }), { key: "Escape", isComposing: true });
  expect(screen.getByRole("textbox", { name: said.newName })).toBeTruthy();
});

test("a new session is made once, however often Enter is pressed", async () => {
  const { user, calls } = await renderPanel({
    content: { sessions: [panelSession()] },
    answers: { createSession: () => new Promise(() => undefined) },
  });
  await user.click(screen.getByRole("tab", { name: words.panel.tabs.sessions }));
  await user.click(await screen.findByRole("button", { name: said.newSession }, { timeout: 20_000 }));
  await user.type(screen.getByRole("textbox", { name: said.newName }), "fresh{Enter}{Enter}");
  expect(calls.filter(([name]) => name === "createSession")).toEqual([["createSession", { name: "fresh" }]]);
});

test.each<[string, Partial<PanelSession>, number]>([
  ["a question", { questions: [questionOf()] }, 1],
  ["an answered question", { questions: [questionOf({ state: "answered" })] }, 0],
  ["an agent in its terminal", { agents: [agent({ state: "waiting" })] }, 1],
  [
    "an agent with its question, which is one thing",
    { agents: [agent({ state: "waiting" })], questions: [questionOf()] },
    1,
  ],
  [
    "a person who asks to type",
    {
      roleRequests: [
        {
          id: 8,
          from: { clientId: ClientId.parse(4), name: "Mira" },
          role: "writer",
          expiresAt: "2099-01-01T00:00:00.000Z",
        },
      ],
    },
    1,
  ],
])("what waits in a session is said in its row, in number and colour: %s", async (_what, parts, count) => {
  await open([panelSession(parts)]);
  const row = screen.getByRole("heading", { name: "orders" }).closest("li");
  expect(row?.dataset.waits).toBe(String(count > 0));
  expect(row?.querySelector(".panel-waiting")?.textContent).toBe(count === 0 ? undefined : said.waiting(count));
});

test("a form that was left closes no later one when what it began is done", async () => {
  let done: () => void = () => undefined;
  const created = new Promise<object>((resolve) => {
    done = () => resolve({});
  });
  const { user } = await renderPanel({
    content: { sessions: [panelSession()] },
    answers: { createSession: () => created },
  });
  await user.click(screen.getByRole("tab", { name: words.panel.tabs.sessions }));
  const open = async () =>
    user.click(await screen.findByRole("button", { name: said.newSession }, { timeout: 20_000 }));
  const field = () => screen.getByRole("textbox", { name: said.newName });
  await open();
  await user.type(field(), "one{Enter}{Escape}");
  await open();
  await user.type(field(), "two");
  await act(async () => done());
  expect(field()).toHaveProperty("value", "two");
});

describe("a session", () => {
  test("is opened, and has its agents with their states", async () => {
    const since = new Date(Date.now() - 65_000).toISOString();
    const agents = [
      agent({ since }),
      agent({ sessionId: "b", agentType: "codex", state: "waiting" }),
      agent({ sessionId: "c", agentType: "pi", state: "error" }),
      agent({ sessionId: "d", agentType: "qwen", state: "working", paused: true }),
      agent({ sessionId: "e", agentType: "own", state: undefined }),
    ];
    const { press, asked } = await open([panelSession({ agents })]);
    const chips = within(screen.getByRole("list", { name: said.agentsIn("orders") })).getAllByRole("listitem");
    const { states, stateFor } = words.agents;
    expect(chips.map(({ textContent }) => textContent)).toEqual([
      `claude · ${stateFor(states.working, "1 min")}`,
      `codex · ${states.waiting}`,
      `pi · ${states.error}`,
      `qwen · ${states.paused}`,
      `own · ${states.running}`,
    ]);
    expect(chips.map((chip) => chip.querySelector(".dot")?.className)).toEqual([
      "dot good",
      "dot wait",
      "dot bad",
      "dot good",
      "dot ",
    ]);
    await press(said.openIt("orders"));
    expect(asked("panel.open")).toEqual([{ id: "session-0000000a" }]);
  });

  const menu = async (press: (name: string) => Promise<void>, entry: string) => {
    await press(said.moreFor("orders"));
    await press(entry);
  };

  test("has its id and a curl line for the clipboard", async () => {
    const { press, asked } = await open([panelSession()]);
    await menu(press, said.copyId);
    await waitFor(() => expect(status()).toContain(said.idCopied));
    await menu(press, said.copyCurl);
    await waitFor(() => expect(status()).toContain(said.curlCopied));
    const id = "session-0000000a";
    expect(asked("panel.copy")).toEqual([
      { id, what: "id" },
      { id, what: "curl" },
    ]);
  });

  test("restricts its shells, and lifts that", async () => {
    const { press, asked, change } = await open([panelSession()]);
    await menu(press, said.restrict);
    change({ sessions: [panelSession({ restrictions: { restrictShells: true, requests: [], allowed: [] } })] });
    expect(screen.getByText(said.restrictions.restricted)).toBeTruthy();
    await menu(press, said.lift);
    const session = "session-0000000a";
    expect(asked("restrictShells")).toEqual([
      { session, state: "on" },
      { session, state: "off" },
    ]);
  });

  test("is renamed from the name that it has", async () => {
    const { user, press, asked } = await open([panelSession()]);
    await menu(press, said.rename);
    const field = screen.getByRole<HTMLInputElement>("textbox", { name: said.newNameOf("orders") });
    expect(field.value).toBe("orders");
    await user.clear(field);
    await user.type(field, "invoices{Enter}");
    await waitFor(() => expect(asked("renameSession")).toHaveLength(1));
    expect(asked("renameSession")[0]).toMatchObject({ name: "invoices" });
  });

  const ended = [
    { id: 1, name: "a", running: false, ownerClientId: null },
    { id: 2, name: "b", running: false, ownerClientId: null },
  ];
  const guests = (count: number) =>
    Array.from({ length: count }, (_, index) => panelClient({ id: 10 + index, name: `guest ${index}` }));
  const self = panelClient({ id: 1, name: "ann" });
  test.each<[string, Partial<PanelSession>, string]>([
    ["nothing in it", { shells: ended }, said.closing.noShell],
    ["running shells", {}, said.closing.ends(said.closing.shells(2))],
    [
      "agents in them",
      { agents: [agent()] },
      said.closing.ends(said.closing.shellsWith(said.closing.shells(2), words.agents.count(1))),
    ],
    ["other people", { shells: ended, clients: [self, ...guests(1)] }, said.closing.ends(said.closing.others(1))],
    [
      "both",
      { clients: [self, ...guests(2)] },
      said.closing.ends(`${said.closing.shells(2)} and ${said.closing.others(2)}`),
    ],
  ])("with %s is closed after the question, which says what that ends", async (_what, parts, body) => {
    const { user, press, asked } = await open([panelSession(parts)]);
    await menu(press, said.close);
    const dialog = screen.getByRole("dialog");
    expect(dialog.textContent).toContain(said.closeQuestion("orders"));
    expect(within(dialog).getByText(body)).toBeTruthy();
    await user.click(within(dialog).getByRole("button", { name: words.panel.cancel }));
    expect([asked("closeSession"), screen.queryByRole("dialog")]).toEqual([[], null]);
    await menu(press, said.close);
    await user.click(within(screen.getByRole("dialog")).getByRole("button", { name: said.close }));
    await waitFor(() => expect(asked("closeSession")).toHaveLength(1));
    expect(asked("closeSession")[0]).toMatchObject({ session: "session-0000000a" });
  });

  test("opens above its button where there is more room, as in a row low in the list", async () => {
    const { press } = await open([panelSession()]);
    const rect = vi.spyOn(Element.prototype, "getBoundingClientRect").mockReturnValue(new DOMRect(0, 560, 100, 40));
    onTestFinished(() => void rect.mockRestore());
    await press(said.moreFor("orders"));
    const { style } = screen.getByRole("dialog", { name: said.moreFor("orders") });
    expect([style.top, style.bottom]).toEqual(["", `${window.innerHeight - 560 + 6}px`]);
  });

  test("offers no curl line in a browser, which has no key for it", async () => {
    const { press } = await open([panelSession()], { desktop: undefined });
    await press(said.moreFor("orders"));
    expect(screen.queryByRole("button", { name: said.copyCurl })).toBeNull();
    expect(screen.getByRole("button", { name: said.copyId })).toBeTruthy();
  });
});
