// @vitest-environment happy-dom
import { expect, test, vi } from "vitest";
import { goToWaiting } from "../../../../../renderer/session/actions/go-to-waiting.ts";
import type { DrawerSource } from "../../../../../renderer/session/view/session-host.ts";
import { createStore } from "../../../../../renderer/ui/store.ts";
import { questionOf } from "../../../../support/asked-question.ts";
import { renderView } from "../../../../support/render-view.tsx";

const drawer: DrawerSource = { waiting: createStore(0), load: async () => () => null };

test("several that wait are shown in the drawer", () => {
  // In the scene, the agent of shell 2 waits too.
  const { calls, view } = renderView(null, { mirror: { questions: [questionOf()] }, host: { drawer } });
  goToWaiting(view);
  expect([view.ui.drawerOpen.get(), view.ui.drawerCall.get()]).toEqual([true, { kind: "waiting" }]);
  expect(calls).toEqual([]);
});

test.each([
  ["one that waits", { host: { drawer } }],
  ["the next of several, on a page without a drawer,", { mirror: { questions: [questionOf()] } }],
])("%s is gone to in its tile", async (_, parts) => {
  const { calls, view } = renderView(null, parts);
  goToWaiting(view);
  await vi.waitFor(() => expect(calls).toEqual([["focusTile", { key: 2 }]]));
  expect(view.ui.drawerOpen.get()).toBe(false);
});
