// @vitest-environment happy-dom
import { act } from "@testing-library/react";
import { expect, test } from "vitest";
import { TileKey } from "../../../../../core/protocol/ids.ts";
import { type ClientState, freshState, restoreState } from "../../../../../core/state/client-state.ts";
import { sceneNamed } from "../../../../../renderer/session/dev/scenes.ts";
import { personMenu, terminalMenu, tileMenu, workspaceMenu } from "../../../../../renderer/session/menu/menus.ts";
import type { DrawerSource, SessionSnapshot } from "../../../../../renderer/session/view/session-host.ts";
import { words } from "../../../../../renderer/session/words/index.ts";
import { createStore } from "../../../../../renderer/ui/store.ts";
import { renderView } from "../../../../support/render-view.tsx";

/** The menu of the second workspace, and what other programs make of the workspaces while it is open. */
function openMenu() {
  const { saved, mirror, self } = sceneNamed("six");
  const start = { state: restoreState(saved) ?? freshState, mirror, self, connected: true };
  const snapshot = createStore<SessionSnapshot>(start);
  const { view, calls } = renderView(null, { host: { snapshot: snapshot.get, subscribe: snapshot.subscribe } });
  const items = workspaceMenu(view, 1).flat();
  const choose = (label: string) => items.find((item) => item.label === label)?.run();
  const change = (parts: Partial<ClientState>) =>
    act(() => snapshot.set({ ...start, state: { ...start.state, ...parts } }));
  return { view, calls, choose, change, workspaces: start.state.workspaces };
}

test("the menu of a workspace acts on it also where one before it was closed meanwhile", async () => {
  const { view, calls, choose, change, workspaces } = openMenu();
  const [, second = expect.unreachable(), third = expect.unreachable()] = workspaces;
  change({ workspaces: [second, third] });
  await choose(words.menu.goTo);
  expect(calls).toEqual([["switchWorkspace", { index: 0 }]]);
  void choose(words.menu.close);
  expect(view.ui.question.get()?.title).toBe(words.actions.close.question(second.name));
});

test("the menu of a workspace that was closed meanwhile says so and acts on no other", async () => {
  const { view, calls, choose, change, workspaces } = openMenu();
  change({ workspaces: [workspaces[0]] });
  await choose(words.menu.goTo);
  await choose(words.menu.close);
  expect([calls, view.ui.question.get()]).toEqual([[], undefined]);
  expect(view.ui.toasts.shown.get().map(({ message }) => message)).toEqual([words.actions.close.workspaceGone]);
});

test("the menu of a terminal opens its history, for those who may open tiles; in the history nothing is pasted", async () => {
  const key = TileKey.parse(1);
  const menuIn = (scene: string, type: "shell" | "history") => {
    const { view, calls } = renderView(null, { scene });
    return { calls, items: terminalMenu(view, { key, type, id: 1 }).flat() };
  };
  const labels = (...of: Parameters<typeof menuIn>) => menuIn(...of).items.map(({ label }) => label);
  const { items, calls } = menuIn("six", "shell");
  await items.find(({ label }) => label === words.menu.history)?.run();
  expect(calls).toEqual([["openTile", { type: "history", shell: 1 }]]);
  expect(labels("reader", "shell")).not.toContain(words.menu.history);
  expect(labels("six", "shell")).toContain(words.menu.paste);
  expect(labels("six", "history")).not.toContain(words.menu.paste);
});

test("the menu of a tile ends the shells that are the user's own, and every shell for an admin", () => {
  const { saved, mirror, self } = sceneNamed("six");
  const labels = (role: "admin" | "writer", tile: Parameters<typeof tileMenu>[1]) => {
    const snapshot = { state: restoreState(saved) ?? freshState, mirror, self: { ...self, role }, connected: true };
    const { view } = renderView(null, { host: { snapshot: () => snapshot } });
    return tileMenu(view, tile)
      .flat()
      .map(({ label }) => label);
  };
  const watched = { key: TileKey.parse(5), type: "peek", id: 5 } as const;
  expect(labels("writer", { key: TileKey.parse(1), type: "shell", id: 1 })).toContain(words.menu.endShell);
  expect(labels("writer", watched)).not.toContain(words.menu.endShell);
  expect(labels("admin", watched)).toContain(words.menu.endShell);
});

test("the menu of a person leads the owner in a browser to the roles in the drawer, and no one else", () => {
  const drawer: DrawerSource = { waiting: createStore(0), load: async () => () => null };
  const menuOf = (scene: string, source?: DrawerSource) => {
    const { view } = renderView(null, { scene, host: { ...(source !== undefined && { drawer: source }) } });
    const [client = expect.unreachable()] = view.host.snapshot().mirror?.clients ?? [];
    return {
      view,
      roles: personMenu(view, client)
        .flat()
        .find(({ label }) => label === words.menu.roles),
    };
  };
  const { view, roles } = menuOf("six", drawer);
  roles?.run();
  expect([view.ui.drawerOpen.get(), view.ui.drawerCall.get()]).toEqual([true, { kind: "people" }]);
  expect(menuOf("six").roles).toBeUndefined();
  expect(menuOf("reader", drawer).roles).toBeUndefined();
  expect(menuOf("six", { ...drawer, isOfSession: true }).roles).toBeUndefined();
});
