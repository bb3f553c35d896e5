// @vitest-environment happy-dom
import { act } from "@testing-library/react";
import { expect, test } from "vitest";
import { showInvites } from "../../../../../renderer/session/actions/toggle-drawer.ts";
import { Header } from "../../../../../renderer/session/frame/header.tsx";
import { words } from "../../../../../renderer/session/words/index.ts";
import { createStore } from "../../../../../renderer/ui/store.ts";
import { renderView } from "../../../../support/render-view.tsx";

test("a key that turns out to open no panel is offered no invites", () => {
  const waiting = createStore<number | undefined | null>(undefined);
  const { page } = renderView(<Header />, { host: { drawer: { waiting, load: async () => () => null } } });
  const invite = () => page.queryByRole("button", { name: words.frame.header.invite });
  expect(invite()).not.toBeNull();
  act(() => waiting.set(null));
  expect(invite()).toBeNull();
});

test("a drawer that shows no more than the session has no invites", () => {
  const drawer = { isOfSession: true as const, waiting: createStore(0), load: async () => () => null };
  const { page, view } = renderView(<Header />, { host: { drawer } });
  expect(page.queryByRole("button", { name: words.frame.header.drawer })).not.toBeNull();
  expect(page.queryByRole("button", { name: words.frame.header.invite })).toBeNull();
  showInvites(view);
  expect(view.ui.drawerOpen.get()).toBe(false);
});
