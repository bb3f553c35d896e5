// @vitest-environment happy-dom
import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { WorkspaceTabs } from "../../../../../renderer/session/frame/workspace-tabs.tsx";
import { words } from "../../../../../renderer/session/words/index.ts";
import { renderView } from "../../../../support/render-view.tsx";

const { tabs } = words.frame;

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
