// @vitest-environment happy-dom
import { act, cleanup, render, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, onTestFinished, test } from "vitest";
import { SessionId } from "../../../../../core/protocol/ids.ts";
import type { MachineOverview } from "../../../../../core/protocol/machines.ts";
import type { PanelContent } from "../../../../../preload/channels.ts";
import type { DrawerCall, DrawerContentProps } from "../../../../../renderer/session/view/session-host.ts";
import { panelStores } from "../../../../../renderer/tray/app/panel-stores.ts";
import type { PanelHost } from "../../../../../renderer/tray/host.ts";
import { drawContent } from "../../../../../renderer/tray/start/drawer-content.tsx";
import { words } from "../../../../../renderer/tray/words/index.ts";
import { createStore } from "../../../../../renderer/ui/store.ts";
import { questionOf } from "../../../../support/asked-question.ts";
import { machineWith } from "../../../../support/machine-overview.ts";
import { panelSession, usualDesktop } from "../../../../support/render-panel.tsx";

const here = panelSession({ questions: [questionOf({ session: SessionId.parse("session-0000000a") })] });
const there = panelSession({ id: "session-0000000b", name: "docs" });

/** The content of the drawer of `here`, and what it asks of the page and of the relay. */
async function content(
  search: (session: string) => unknown = () => ({ hits: [], complete: true }),
  firstCall?: DrawerCall,
  sessions = [here, there],
  machines: () => unknown = () => [],
) {
  const asked: (readonly [string, unknown])[] = [];
  const tell = new Set<(now: PanelContent) => void>();
  const now: PanelContent = {
    ...{
      address: "http://127.0.0.1:7717",
      externalAddresses: [],
      healthIssue: undefined,
      logins: [],
      version: "0.1.0",
    },
    ...{ sessions, costToday: 0, budgets: { day: null, session: null }, desktop: usualDesktop },
  };
  const host: PanelHost = {
    can: () => true,
    async invoke(name, args) {
      if (name === "panel.start") for (const listener of tell) listener(now);
      else if (name === "panel.run" && Reflect.get(Object(args), "operation") === "search") {
        return search(String(Reflect.get(Object(Reflect.get(Object(args), "params")), "session")));
      } else if (name === "panel.run" && Reflect.get(Object(args), "operation") === "getMachines") return machines();
      else asked.push([name, args]);
      return [];
    },
    on(name, listener) {
      if (name === "panel.changed") tell.add(listener as (message: PanelContent) => void);
      return () => undefined;
    },
  };
  const called = createStore(firstCall);
  const props: DrawerContentProps = {
    session: here.id,
    stores: panelStores(window),
    tools: <button type="button">Close</button>,
    keys: "Alt ⇧ Space",
    call: called,
    close: () => void asked.push(["close", undefined]),
    goTo: (shell) => void asked.push(["go to", shell]),
    goToFound: (place) => void asked.push(["go to found", place]),
    showWaiting: (count) => void asked.push(["waiting", count]),
  };
  onTestFinished(cleanup);
  const page = render(<aside>{drawContent(host, props)}</aside>);
  await page.findByRole("button", { name: "Close" });
  const call = (next: DrawerCall) => act(() => called.set(next));
  return { page, asked, call, user: userEvent.setup() };
}

test("a shell of this session is gone to in this page, another session is opened by the host", async () => {
  const { page, asked, user } = await content();
  page.getByRole("group", { name: /npm install/ }).focus();
  await user.keyboard("{Enter}");
  page.getByRole("button", { name: /^docs/ }).focus();
  await user.keyboard("{Enter}");
  expect(asked).toContainEqual(["go to", 1]);
  expect(asked).toContainEqual(["panel.open", { id: there.id }]);
});

test("a place that was found in this session, or in a conversation, is gone to in this page, another by the host", async () => {
  const around = { before: [], after: [] };
  const at = "2026-01-01T10:00:00.000Z";
  const line = { ...around, at, line: "a needle", from: 2, length: 6 };
  const said = {
    in: "conversations",
    id: "c",
    conversation: { agentType: "claude", agentSessionId: "abc", title: "T" },
  };
  const printed = (offset: number) => ({ in: "output", shellId: 1, offset });
  const found: Readonly<Record<string, readonly object[]>> = {
    [here.id]: [printed(1), said],
    [there.id]: [printed(2)],
  };
  const { page, asked, user } = await content((session) => ({
    hits: (found[session] ?? []).map((hit) => ({ ...line, ...hit })),
    complete: true,
  }));
  await user.type(page.getByRole("combobox"), "needle");
  const options = await page.findAllByRole("option");
  for (const option of options) await user.click(option);
  const gone = asked.filter(([name]) => name === "go to found").map(([, place]) => Reflect.get(Object(place), "in"));
  expect(gone.toSorted()).toEqual(["conversations", "output"]);
  const opened = asked.filter(([name]) => name === "panel.open").map(([, args]) => args);
  expect(opened).toEqual([expect.objectContaining({ id: there.id, place: expect.objectContaining({ offset: 2 }) })]);
});

test("it tells what waits, says how the keys come to it, and forgets both when it goes", async () => {
  const { page, asked } = await content();
  await waitFor(() => expect(asked).toContainEqual(["waiting", 1]));
  page.getByText("Alt ⇧ Space");
  // A page has one main part, and one heading of the first level.
  expect(page.queryByRole("main")).toBeNull();
  expect(page.queryByRole("heading", { level: 1 })).toBeNull();
  page.unmount();
  expect(asked.slice(-2)).toEqual([
    ["waiting", undefined],
    ["panel.hide", undefined],
  ]);
});

test("it tells what waits once the other machines have answered, whose questions the button counts already", async () => {
  let answer: (machines: readonly MachineOverview[]) => void = () => undefined;
  const machines = new Promise<readonly MachineOverview[]>((resolve) => {
    answer = resolve;
  });
  const { asked } = await content(undefined, undefined, undefined, () => machines);
  expect(asked.filter(([name]) => name === "waiting")).toEqual([]);
  await act(async () => answer([machineWith([questionOf({ id: 2 })])]));
  expect(asked.filter(([name]) => name === "waiting")).toEqual([["waiting", 2]]);
});

test("Escape leads back to what waits and then closes it; a call leads there from any place", async () => {
  const { page, asked, user, call } = await content();
  await user.click(page.getByRole("tab", { name: "Sessions" }));
  await user.keyboard("{Escape}");
  page.getByRole("tab", { name: /^Now/, selected: true });
  await user.click(page.getByRole("tab", { name: "Sessions" }));
  call({ kind: "waiting" });
  page.getByRole("tab", { name: /^Now/, selected: true }).focus();
  await user.keyboard("{Escape}");
  expect(asked.at(-1)).toEqual(["close", undefined]);
});

test("a call for invites shows those of its session, from any place and from before the panel was loaded", async () => {
  const { page, call } = await content(undefined, { kind: "invites", session: here.id });
  await page.findByRole("dialog", { name: `Invite to ${here.name}` });
  call({ kind: "waiting" });
  expect(page.queryByRole("dialog")).toBeNull();
  call({ kind: "invites", session: there.id });
  await page.findByRole("dialog", { name: "Invite to docs" });
});

test.each([
  ["costs", "Agents"],
  ["people", "Sessions"],
  ["activity", "Activity"],
] as const)("a call for %s leads to %s", async (kind, place) => {
  const { page, call } = await content();
  call({ kind });
  expect(page.getByRole("tab", { name: place, selected: true })).toBeTruthy();
});

test("a call for the settings opens them where the host has a window for them", async () => {
  const { asked, call } = await content();
  call({ kind: "settings" });
  expect(asked).toContainEqual(["panel.showSettings", {}]);
});

test("a call for invites shows a session that a search has left out", async () => {
  const others = Array.from({ length: 6 }, (_, at) => panelSession({ id: `session-0000001${at}`, name: `Work ${at}` }));
  const { page, call, user } = await content(undefined, undefined, [here, ...others]);
  await user.click(page.getByRole("tab", { name: "Sessions" }));
  await user.type(await page.findByRole("searchbox", { name: words.sessions.search }), "Work 3");
  expect(page.queryByRole("button", { name: words.sessions.openIt(here.name) })).toBeNull();
  const row = page.getByText(here.name, { selector: "h2" }).closest("li");
  const hiddenAtFocus: unknown[] = [];
  row?.addEventListener("focusin", () => hiddenAtFocus.push(row.hidden));
  call({ kind: "invites", session: here.id });
  await page.findByRole("dialog", { name: `Invite to ${here.name}` });
  expect(hiddenAtFocus).not.toContain(true);
});
