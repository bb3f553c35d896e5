// @vitest-environment happy-dom
import { act, cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, onTestFinished, test } from "vitest";
import type { PanelContent } from "../../../../../preload/channels.ts";
import { Panel } from "../../../../../renderer/tray/app/panel.tsx";
import { panelStores } from "../../../../../renderer/tray/app/panel-stores.ts";
import type { PanelHost, RelayAway } from "../../../../../renderer/tray/host.ts";
import { drawContent } from "../../../../../renderer/tray/start/drawer-content.tsx";
import { words } from "../../../../../renderer/tray/words/index.ts";
import { formatTime } from "../../../../../renderer/ui/format-time.ts";
import { createStore } from "../../../../../renderer/ui/store.ts";

const said = words.connection;
const never: RelayAway = { lastAnswer: undefined };
const content: PanelContent = {
  ...{ address: "http://127.0.0.1:7717", externalAddresses: [], healthIssue: undefined, logins: [], version: "0.1.0" },
  ...{ sessions: [], costToday: 0, budgets: { day: null, session: null }, desktop: undefined },
};

/** A host of a relay that answers only when the test says so. */
function silentHost() {
  const away = createStore<RelayAway | undefined>(undefined);
  const listeners = new Set<(message: PanelContent) => void>();
  const retries: (() => void)[] = [];
  const host: PanelHost = {
    can: () => false,
    invoke: async () => [],
    on(name, listener) {
      if (name === "panel.changed") listeners.add(listener as (message: PanelContent) => void);
      return () => undefined;
    },
    connection: { away, retry: () => new Promise((resolve) => retries.push(() => resolve())) },
  };
  Reflect.get(window, "happyDOM").setViewport({ width: 400, height: 640 });
  onTestFinished(cleanup);
  return {
    host,
    retries,
    setAway: (now: RelayAway | undefined) => act(() => away.set(now)),
    answer: () => act(() => listeners.forEach((tell) => void tell(content))),
  };
}

const card = () => screen.queryByRole("region", { name: said.title });

test("until the first answer an outline says that the relay is asked, and not that nothing waits", () => {
  const { host, answer } = silentHost();
  render(<Panel host={host} stores={panelStores(window)} />);
  expect(screen.getByRole("main").textContent).toBe(said.loading);
  answer();
  expect(screen.queryByText(said.loading)).toBeNull();
  expect(screen.getByText(words.inbox.calm)).toBeDefined();
});

test("a relay that does not answer is told in one card, whose button asks again, once at a time", async () => {
  const { host, retries, setAway } = silentHost();
  render(<Panel host={host} stores={panelStores(window)} />);
  setAway(never);
  expect(card()?.textContent).toContain(words.browser.unreachable);
  expect(card()?.textContent).toContain("patchbay serve");
  expect(screen.queryByText(said.loading)).toBeNull();
  const user = userEvent.setup();
  await user.click(screen.getByRole("button", { name: said.retry }));
  await user.click(screen.getByRole("button", { name: said.trying }));
  expect(retries).toHaveLength(1);
  await act(async () => retries[0]?.());
  expect(screen.getByRole("button", { name: said.retry })).toBeDefined();
});

test("what was read last stays below the card, with the time of it, until the relay answers", () => {
  const { host, setAway, answer } = silentHost();
  render(<Panel host={host} stores={panelStores(window)} />);
  answer();
  expect(card()).toBeNull();
  const lastAnswer = "2026-01-01T10:00:00.000Z";
  setAway({ ...never, lastAnswer });
  expect(card()?.textContent).toContain(said.asOf(formatTime(lastAnswer)));
  expect(screen.getByText(words.inbox.calm)).toBeDefined();
  setAway(undefined);
  expect(card()).toBeNull();
});

test("a drawer keeps its controls without an answer, and has the same card", () => {
  const { host, setAway } = silentHost();
  const props = {
    ...{ session: "session-0000000a", stores: panelStores(window), keys: undefined, call: createStore(undefined) },
    ...{ close: () => undefined, goTo: () => undefined, goToFound: () => undefined, showWaiting: () => undefined },
    tools: <button type="button">Close</button>,
  };
  render(<aside>{drawContent(host, props)}</aside>);
  setAway(never);
  expect(screen.getByRole("button", { name: "Close" })).toBeDefined();
  expect(screen.queryByRole("main")).toBeNull();
  expect(card()).not.toBeNull();
});
