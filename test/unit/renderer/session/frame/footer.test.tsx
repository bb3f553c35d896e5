// @vitest-environment happy-dom
import { act, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { Footer } from "../../../../../renderer/session/frame/footer.tsx";
import type { DayCosts, DrawerSource } from "../../../../../renderer/session/view/session-host.ts";
import { words } from "../../../../../renderer/session/words/index.ts";
import { createStore } from "../../../../../renderer/ui/store.ts";
import { renderView } from "../../../../support/render-view.tsx";

const said = words.frame.footer;

function openFooter(known: number | null = 0) {
  const costs = createStore<DayCosts | undefined>(undefined);
  const drawer: DrawerSource = { waiting: createStore(known), costs, load: async () => () => null };
  const rendered = renderView(<Footer />, { host: { drawer } });
  const tell = (costToday: number, budget: number | null = null) =>
    act(() => costs.set({ costToday, costByHour: [0, costToday / 2, costToday], budget }));
  const button = () => screen.queryByRole("button", { name: said.costToday("$4.20") });
  return { ...rendered, tell, button };
}

test("the owner's page in a browser has the day's cost with its line, which leads to the costs in the drawer", async () => {
  const { user, view, tell, button } = openFooter();
  expect(button()).toBeNull();
  tell(0);
  expect(screen.queryByTitle(said.costHint)).toBeNull();
  tell(4.2);
  expect(button()?.querySelector(".day-line path")).toBeTruthy();
  expect(button()?.classList.contains("waiting")).toBe(false);
  tell(4.2, 4);
  expect(button()?.classList.contains("waiting")).toBe(true);
  await user.click(screen.getByRole("button", { name: said.costToday("$4.20") }));
  expect([view.ui.drawerOpen.get(), view.ui.drawerCall.get()]).toEqual([true, { kind: "costs" }]);
});

test("a page whose key opens no panel has no cost", () => {
  const { tell, button } = openFooter(null);
  tell(4.2);
  expect(button()).toBeNull();
});
