// @vitest-environment happy-dom
import { act } from "@testing-library/react";
import { expect, test } from "vitest";
import type { Question } from "../../../../../core/protocol/questions.ts";
import { SessionMenu } from "../../../../../renderer/session/frame/session-menu.tsx";
import type { DrawerSource } from "../../../../../renderer/session/view/session-host.ts";
import { createStore } from "../../../../../renderer/ui/store.ts";
import { questionOf } from "../../../../support/asked-question.ts";
import { renderView } from "../../../../support/render-view.tsx";

interface MenuParts {
  readonly scene?: string;
  readonly hasDrawer?: boolean;
  readonly questions?: Question[];
}

/** The open menu of a session whose page may have the drawer. */
async function openMenu({ scene = "six", hasDrawer = true, questions = [] }: MenuParts = {}) {
  const drawer: DrawerSource = { waiting: createStore(0), load: async () => () => null };
  const rendered = renderView(<SessionMenu />, {
    ...{ scene, mirror: { questions } },
    host: { ...(hasDrawer && { drawer }) },
  });
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

test("it leads to what waits, and says how much that is", async () => {
  const { page, user, view } = await openMenu({ questions: [questionOf()] });
  await act(() => user.click(page.getByRole("button", { name: /^Questions and requests\s*2 wait$/ })));
  expect([view.ui.drawerOpen.get(), view.ui.drawerCall.get()]).toEqual([true, { kind: "waiting" }]);
});

test.each([
  ["Agents and costs", "costs"],
  ["People", "people"],
  ["Activity", "activity"],
  ["Settings", "settings"],
])("%s of the owner in a browser leads to that place of the drawer", async (label, kind) => {
  const { page, user, view } = await openMenu();
  await act(() => user.click(page.getByRole("button", { name: label })));
  expect([view.ui.drawerOpen.get(), view.ui.drawerCall.get()]).toEqual([true, { kind }]);
});

test.each([
  ["a reader", { scene: "reader" }],
  ["a page without the drawer", { hasDrawer: false }],
])("%s is offered no invites", async (_, parts) => {
  const { page } = await openMenu(parts);
  expect(page.queryByRole("button", { name: "Invite…" })).toBeNull();
  expect(page.queryByRole("button", { name: "People" })).toBeNull();
});
