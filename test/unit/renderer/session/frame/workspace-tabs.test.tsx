// @vitest-environment happy-dom
import { act, screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { type ClientState, freshState, restoreState } from "../../../../../core/state/client-state.ts";
import { sceneNamed } from "../../../../../renderer/session/dev/scenes.ts";
import { WorkspaceTabs } from "../../../../../renderer/session/frame/workspace-tabs.tsx";
import type { SessionSnapshot } from "../../../../../renderer/session/view/session-host.ts";
import { words } from "../../../../../renderer/session/words/index.ts";
import { createStore } from "../../../../../renderer/ui/store.ts";
import { renderView } from "../../../../support/render-view.tsx";

const { tabs } = words.frame;

/** The tabs over a state that other callers change. */
function changingTabs() {
  const { saved, mirror, self } = sceneNamed("six");
  const start = { state: restoreState(saved) ?? freshState, mirror, self, connected: true };
  const snapshot = createStore<SessionSnapshot>(start);
  const rendered = renderView(<WorkspaceTabs />, { host: { snapshot: snapshot.get, subscribe: snapshot.subscribe } });
  const change = (parts: Partial<ClientState>) =>
    act(() => snapshot.set({ ...start, state: { ...start.state, ...parts } }));
  return { ...rendered, change, workspaces: start.state.workspaces };
}

test("workspaces are tabs with their names and numbers of tiles, and a click shows one", async () => {
  const { calls, user } = renderView(<WorkspaceTabs />);
  const list = within(screen.getByRole("tablist", { name: tabs.title }));
  expect(list.getAllByRole("tab").map((tab) => tab.getAttribute("aria-selected"))).toEqual(["true", "false", "false"]);
  await user.click(list.getByRole("tab", { name: `docs, ${tabs.tiles(1)}` }));
  expect(calls).toEqual([["switchWorkspace", { index: 1 }]]);
});

test("a new workspace is one button away, except for who watches", async () => {
  const { calls, user, page } = renderView(<WorkspaceTabs />);
  await user.click(screen.getByRole("button", { name: tabs.newWorkspace }));
  expect(calls).toEqual([["createWorkspace", {}]]);
  page.unmount();
  renderView(<WorkspaceTabs />, { scene: "reader" });
  expect(screen.queryByRole("button", { name: tabs.newWorkspace })).toBeNull();
});

test.each(["docs", "release"])("what is typed for %s stays where a workspace before it is closed", async (name) => {
  const { calls, user, view, change, workspaces } = changingTabs();
  const [, docs = expect.unreachable(), release = expect.unreachable()] = workspaces;
  const workspace = name === "docs" ? docs : release;
  act(() => view.ui.renaming.set({ kind: "workspace", workspace }));
  const field = screen.getByRole("textbox", { name: tabs.newName(name) });
  await user.clear(field);
  await user.type(field, "te");
  change({ workspaces: [docs, release] });
  expect(document.activeElement).toBe(field);
  await user.keyboard("xts{Enter}");
  expect(calls).toEqual([["renameWorkspace", { name: "texts", index: name === "docs" ? 0 : 1 }]]);
  expect(view.ui.renaming.get()).toBeUndefined();
});

test("the field goes with its workspace, and does not come back with one of the same name", () => {
  const { calls, view, change, workspaces } = changingTabs();
  const [first, docs = expect.unreachable()] = workspaces;
  act(() => view.ui.renaming.set({ kind: "workspace", workspace: docs }));
  change({ workspaces: [first] });
  change({ workspaces: [first, docs] });
  expect([screen.queryByRole("textbox"), calls]).toEqual([null, []]);
});

test("arrow keys go on from the active workspace, whose tab takes the focus", async () => {
  const { calls, user, change } = changingTabs();
  const tabNumber = (index: number) => screen.getAllByRole("tab")[index] ?? expect.unreachable();
  act(() => tabNumber(0).focus());
  await user.keyboard("{ArrowRight}");
  change({ active: 1 });
  expect(document.activeElement).toBe(tabNumber(1));
  await user.keyboard("{ArrowRight}");
  change({ active: 2 });
  await user.keyboard("{ArrowLeft}");
  expect(calls.map(([, params]) => params)).toEqual([{ index: 1 }, { index: 2 }, { index: 1 }]);
});
