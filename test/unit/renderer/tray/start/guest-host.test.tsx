// @vitest-environment happy-dom
import { act, cleanup, render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { methodNames } from "../../../../../core/commands/specs.ts";
import { operationNames } from "../../../../../core/operations/index.ts";
import { ClientId, ShellId } from "../../../../../core/protocol/ids.ts";
import type { SessionMirror } from "../../../../../core/protocol/mirror.ts";
import type { Role } from "../../../../../core/protocol/records.ts";
import { type PanelContent, panelInvokes } from "../../../../../preload/panel-content.ts";
import { panelStores } from "../../../../../renderer/tray/app/panel-stores.ts";
import type { PanelCall } from "../../../../../renderer/tray/host.ts";
import { drawContent } from "../../../../../renderer/tray/start/drawer-content.tsx";
import { GuestHost } from "../../../../../renderer/tray/start/guest-host.ts";
import { words } from "../../../../../renderer/tray/words/index.ts";
import { SETTLED_AFTER_MS } from "../../../../../renderer/ui/stands-still.ts";
import { createStore } from "../../../../../renderer/ui/store.ts";
import { words as sharedWords } from "../../../../../renderer/ui/words.ts";
import { questionOf } from "../../../../support/asked-question.ts";
import { guestPage } from "../../../../support/guest-page.ts";
import { untilStill } from "../../../../support/until-still.ts";

const calls = Object.keys(panelInvokes).filter((name): name is PanelCall => Object.hasOwn(panelInvokes, name));

/** The host over a page's client, and the contents that it has told. */
function followed(role?: Role, parts?: Partial<SessionMirror>) {
  const page = guestPage(role, parts);
  const host = new GuestHost(page.client);
  const told: PanelContent[] = [];
  const stop = host.on("panel.changed", (content) => void told.push(content));
  return { ...page, host, told, stop };
}

describe("the host", () => {
  test.each(["writer", "reader"] as const)("tells a %s the one session, and nothing of the relay", async (role) => {
    const { host, told, client } = followed(role);
    await host.invoke("panel.start", undefined);
    expect(told).toHaveLength(1);
    const [content] = told;
    expect(content).toMatchObject({
      ...{ externalAddresses: [], logins: [], costToday: 0, healthIssue: undefined, desktop: undefined },
      budgets: { day: null, session: null },
    });
    expect(content?.sessions).toHaveLength(1);
    expect(content?.sessions[0]).toMatchObject({
      ...{ id: client.mirror?.session.id, name: "default", self: 7, awayGuests: [], muted: [], costToday: 0 },
      clients: client.mirror?.clients,
      questions: [{ id: 1 }],
      agents: [{ agentType: "claude", state: "working" }],
    });
    expect(content?.sessions[0]?.shells.map(({ id }) => id)).toEqual(client.mirror?.shells.map(({ id }) => id));
  });

  test.each([
    ["writer", ["answerAdopt", "answerAgent", "answerQuestion"]],
    ["reader", []],
  ] as const)("can do for a %s what the declared roles allow, and nothing else", (role, runs) => {
    const { host } = followed(role);
    expect(calls.filter((name) => host.can(name))).toEqual(["panel.start", "panel.run"]);
    const names = [...operationNames, ...methodNames].filter((name) => host.canRun(name));
    expect(names.sort()).toEqual(runs);
  });

  test("answers by the requests of the page's client, as they are declared", () => {
    const { host, asked, client } = followed();
    const given = { session: client.mirror?.session.id, id: 1, option: "yes", confirmScreen: false, wait: 12 };
    void host.invoke("panel.run", { operation: "answerQuestion", params: given });
    const session = "session-0000000a";
    void host.invoke("panel.run", { operation: "answerAdopt", params: { request: 4, allow: true }, session });
    void host.invoke("panel.run", { operation: "answerAgent", params: { request: 5, answer: "once" }, session });
    expect(asked).toEqual([
      ["answerQuestion", { id: 1, option: "yes", confirmScreen: false }],
      ["answerAdopt", { request: 4, allow: true }],
      ["answerAgent", { request: 5, answer: "once" }],
    ]);
  });

  test("asks for nothing else", async () => {
    const { host, asked } = followed("admin");
    const created = host.invoke("panel.run", { operation: "createSession", params: { name: "x" } });
    await expect(created).rejects.toThrow(words.browser.onlyInApp);
    await expect(host.invoke("panel.usage", { days: 1 })).rejects.toThrow(words.browser.onlyInApp);
    expect(asked).toEqual([]);
  });

  test("tells changes of the session together, and follows the client only while something listens", async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { host, told, change, views, stop } = followed();
    await host.invoke("panel.start", undefined);
    change({ agents: [] });
    change({ questions: [] });
    expect(told).toHaveLength(1);
    vi.runAllTimers();
    expect(told).toHaveLength(2);
    expect(told[1]?.sessions[0]).toMatchObject({ agents: [], questions: [] });
    // The layout of the client.
    change();
    vi.runAllTimers();
    expect(told).toHaveLength(2);

    change({ questions: [] });
    stop();
    expect([views(), vi.getTimerCount()]).toEqual([0, 0]);
  });
});

describe("the drawer", () => {
  /** Draws the drawer of a guest, and keeps the calls that the panel makes. */
  function drawn(role: Role, parts?: Partial<SessionMirror>) {
    const page = guestPage(role, parts);
    const host = new GuestHost(page.client);
    const invoked = vi.spyOn(host, "invoke");
    const nothing = () => undefined;
    onTestFinished(cleanup);
    render(
      <aside>
        {drawContent(host, {
          session: page.client.mirror?.session.id ?? "",
          stores: panelStores(window),
          tools: null,
          keys: undefined,
          call: createStore(undefined),
          ...{ close: nothing, goTo: nothing, goToFound: nothing, showWaiting: nothing },
        })}
      </aside>,
    );
    return { ...page, user: userEvent.setup(), called: () => new Set(invoked.mock.calls.map(([name]) => name)) };
  }
  const card = () => screen.findByRole("group", { name: words.inbox.sentences.command.name("claude", "npm install") });

  test.each(["writer", "reader"] as const)("shows a %s what waits, what runs and who is here", async (role) => {
    const { user, called } = drawn(role);
    await card();
    expect(screen.getAllByRole("tab").map(({ dataset }) => dataset.place)).toEqual(["now", "sessions"]);
    screen.getByRole("region", { name: words.here.title });
    expect(screen.queryByRole("region", { name: words.today.title })).toBeNull();
    expect(screen.queryByRole("combobox")).toBeNull();
    expect(screen.queryByRole("button", { name: words.running.all })).toBeNull();

    await user.click(screen.getByRole("tab", { name: words.panel.tabs.sessions }));
    const people = within(screen.getByRole("list", { name: words.people.peopleIn("default") }));
    for (const name of ["Mara Keller", "Ada Lund", "Kai", "Bea"]) people.getByText(name);
    expect(people.queryByRole("button")).toBeNull();
    const list = screen.getByRole("tabpanel", { name: words.panel.tabs.sessions });
    expect(
      within(list)
        .getAllByRole("button")
        .map(({ textContent }) => textContent),
    ).toEqual([words.sessions.open]);
    expect(list.textContent).not.toContain("$");
    await user.keyboard("{Control>},{/Control}");
    expect(screen.getByRole("tab", { selected: true }).dataset.place).toBe("sessions");
    // Nothing is attempted that would be refused.
    expect([...called()]).toEqual(["panel.start"]);
  });

  test("a writer answers a question", async () => {
    const { user, asked } = drawn("writer");
    await user.click(await untilStill(within(await card()).getByRole("button", { name: "Yes, this once" })));
    expect(asked).toEqual([["answerQuestion", { id: 1, option: "yes", confirmScreen: false }]]);
  });

  test("what is withdrawn while it has the focus is closed, and what the owner decides has no answers", async () => {
    const { change } = drawn("writer");
    const shown = await card();
    act(() => shown.focus());
    act(() => change({ questions: [] }));
    await vi.waitFor(() => expect(shown.querySelectorAll("[data-option]")).toHaveLength(0));
    expect(await screen.findByRole("button", { name: sharedWords.question.dismiss })).toBeDefined();
    act(() => change({ questions: [questionOf({ id: 2, source: "governor" })] }));
    await vi.waitFor(() => expect(document.querySelectorAll("[data-item]")).not.toHaveLength(0));
    expect(document.querySelectorAll("[data-option]")).toHaveLength(0);
  });

  test("without a connection nothing is offered that would fail", async () => {
    const { connect } = drawn("writer");
    await card();
    expect(document.querySelectorAll("[data-option]")).not.toHaveLength(0);
    act(() => connect(false));
    await vi.waitFor(() => expect(document.querySelectorAll("[data-option]")).toHaveLength(0));
    act(() => connect(true));
    await vi.waitFor(() => expect(document.querySelectorAll("[data-option]")).not.toHaveLength(0));
  });

  test("a reader sees the question and who can answer it, without an answer or a digit that counts", async () => {
    const { user, asked } = drawn("reader");
    const shown = await card();
    within(shown).getByText(sharedWords.question.forWriters);
    expect(shown.querySelectorAll("[data-option]")).toHaveLength(0);
    act(() => shown.focus());
    await act(() => new Promise((done) => setTimeout(done, SETTLED_AFTER_MS + 100)));
    await user.keyboard("1");
    expect(asked).toEqual([]);
  });

  test.each([
    ["owns", 7, true],
    ["does not own", 1, false],
  ] as const)("a writer is offered answers to an agent in their own shell: one they %s", async (_, owner, may) => {
    const { mirror } = guestPage().client;
    const shells = (mirror?.shells ?? []).map((shell) => ({ ...shell, ownerClientId: ClientId.parse(owner) }));
    const request = { id: 5, shellId: ShellId.parse(1), agentType: "claude", folder: "/w", wants: "createWorkspace" };
    const requests = [{ ...request, at: new Date().toISOString() }];
    drawn("writer", { shells, questions: [], restrictions: { restrictShells: false, requests, allowed: [] } });
    const shown = within(await screen.findByRole("group", { name: words.requests.control.name("claude") }));
    expect(shown.queryByRole("button", { name: words.requests.control.once }) !== null).toBe(may);
    expect(shown.queryByRole("button", { name: words.requests.control.always })).toBeNull();
    expect(shown.queryByRole("button", { name: words.inbox.showTerminal }) === null).toBe(may);
  });

  test.each([
    ["writer", true],
    ["reader", false],
  ] as const)("a %s who is asked for a shell is offered the answers: %s", async (role, may) => {
    const from = { clientId: ClientId.parse(2), name: "Ada Lund" };
    const request = { id: 4, shellId: ShellId.parse(1), from, to: ClientId.parse(7) };
    const adoptRequests = [{ ...request, expiresAt: new Date(Date.now() + 60_000).toISOString() }];
    const { user } = drawn(role, { adoptRequests, questions: [] });
    const give = () => screen.queryByRole("button", { name: words.requests.adopt.give("Ada Lund") });
    await screen.findByRole("group", { name: /^Ada Lund asks/ });
    expect(give() !== null).toBe(may);
    await user.click(screen.getByRole("tab", { name: words.panel.tabs.sessions }));
    expect(give() !== null).toBe(may);
  });
});
