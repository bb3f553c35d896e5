// @vitest-environment happy-dom
import { act } from "@testing-library/react";
import { expect, test } from "vitest";
import { SessionMenu } from "../../../../../renderer/session/frame/session-menu.tsx";
import type { DrawerSource } from "../../../../../renderer/session/view/session-host.ts";
import { createStore } from "../../../../../renderer/ui/store.ts";
import { renderView } from "../../../../support/render-view.tsx";

/** The open menu of a session whose page may have the drawer. */
async function openMenu({ scene = "six", hasDrawer = true } = {}) {
  const drawer: DrawerSource = { waiting: createStore(0), load: async () => () => null };
  const rendered = renderView(<SessionMenu />, { scene, host: hasDrawer ? { drawer } : {} });
  await act(() => rendered.user.click(rendered.page.getByRole("button", { name: /^Menu of the session/ })));
  return rendered;
}

test("it opens the ways to invite others, and copies nothing by itself", async () => {
  const { page, user, view, calls } = await openMenu();
  await act(() => user.click(page.getByRole("button", { name: "Invite…" })));
  const session = view.host.snapshot().mirror?.session.id;
  expect([view.ui.drawerOpen.get(), view.ui.drawerCall.get()]).toEqual([true, { kind: "invites", session }]);
  expect(calls).toEqual([]);
  expect(view.ui.toasts.shown.get()).toEqual([]);
});

test.each([
  ["a reader", { scene: "reader" }],
  ["a page without the drawer", { hasDrawer: false }],
])("%s is offered no invites", async (_, parts) => {
  const { page } = await openMenu(parts);
  expect(page.queryByRole("button", { name: "Invite…" })).toBeNull();
});
