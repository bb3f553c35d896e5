// @vitest-environment happy-dom
import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { MachineOverview } from "../../../../../core/protocol/machines.ts";
import type { UsageSlice } from "../../../../../core/protocol/usage.ts";
import type { PanelContent } from "../../../../../preload/channels.ts";
import { words } from "../../../../../renderer/tray/words/index.ts";
import { renderPanel } from "../../../../support/render-panel.tsx";

const now = new Date();
const today = new Date(now.getFullYear(), now.getMonth(), now.getDate()).toISOString();
function slice(parts: Partial<UsageSlice>): UsageSlice {
  return {
    ...{ from: today, model: "opus", session: "orders", folder: "/work/orders", agentType: "claude" },
    ...{ calls: 2, input: 1000, output: 100, cached: 0, cost: 3 },
    ...parts,
  };
}
const slices = [slice({}), slice({ agentType: "codex", model: "gpt", folder: "/work/docs", cost: 1 })];

async function open(
  usage: readonly UsageSlice[] = slices,
  remotes: readonly MachineOverview[] = [],
  content: Partial<PanelContent> = {},
) {
  const panel = await renderPanel({
    remotes,
    content,
    answers: { "panel.usage": usage, "panel.save": { file: "costs.csv" } },
  });
  await panel.user.click(screen.getByRole("tab", { name: words.panel.tabs.agents }));
  await screen.findByRole("radio", { name: words.costs.parts.folder }, { timeout: 20_000 });
  return panel;
}
const rows = () =>
  within(screen.getByRole("table"))
    .getAllByRole("row")
    .slice(1)
    .map((row) => [within(row).getByRole("rowheader").textContent, row.lastElementChild?.textContent]);

test("the table has the parts that were chosen, with their share", async () => {
  const { user } = await open();
  await user.click(screen.getByRole("button", { name: words.costs.showTable }));
  expect(rows()).toEqual([
    ["claude", "75 %"],
    ["codex", "25 %"],
  ]);
  await user.click(screen.getByRole("radio", { name: words.costs.parts.folder }));
  expect(rows()).toEqual([
    ["/work/orders", "75 %"],
    ["/work/docs", "25 %"],
  ]);
});

test.each([
  [0, false],
  [2, false],
  [2.01, true],
])("the budget's line is amber only while today's is exceeded: %d of 2", async (costToday, isOver) => {
  const { user } = await open(slices, [], { costToday, budgets: { day: 2, session: null } });
  await user.click(screen.getByRole("radio", { name: words.costs.spans.month }));
  const line = () => screen.getByText(words.costs.dayBudget("$2.00")).closest("li");
  await waitFor(() => expect(line()).not.toBeNull());
  expect(line()?.dataset.over).toBe(isOver ? "true" : undefined);
});

test("another time span is asked for", async () => {
  const { calls, user } = await open();
  await user.click(screen.getByRole("radio", { name: words.costs.spans.month }));
  expect(calls).toContainEqual(["panel.usage", { days: 30 }]);
});

test("Export saves a line for each part of the costs", async () => {
  const { calls, user } = await open();
  await user.click(screen.getByRole("button", { name: words.costs.exportCsv }));
  const [, saved] = calls.find(([name]) => name === "panel.save") ?? [];
  expect(String(Reflect.get(Object(saved), "text")).split("\r\n").length).toBe(slices.length + 2);
  await screen.findByText(words.costs.saved("costs.csv"));
});

test("where the figures come from stands behind the age of the prices", async () => {
  await open();
  const details = screen.getByText(words.costs.prices("2026-01-01", 1)).closest("details");
  expect(details?.textContent).toContain(words.costs.sources.tokens);
});

test("by machine there is this one, and the others with what their running agents cost", async () => {
  const remote: MachineOverview = {
    ...{ via: "remote", machine: "box", id: "relay-0000000b", url: "https://box:7718", keepsKey: true },
    ...{ problem: undefined, key: "valid", sessions: [], cost: 2.5, questions: [] },
    ...{ state: "reachable", awaySince: null, version: "0.1.0" },
    agents: [{ session: "nightly", shellId: 1, agentType: "codex", state: "working", cost: 2.5 }],
  };
  const { user, page } = await open(slices, [remote]);
  await user.click(screen.getByRole("radio", { name: words.costs.parts.machine }));
  const list = screen.getByRole("list", { name: words.costs.machines.title });
  expect(
    within(list)
      .getAllByRole("listitem")
      .map(({ textContent }) => textContent),
  ).toEqual([
    `${words.costs.machines.here}${words.costs.spans.today}$4.00`,
    `box${words.costs.machines.running(1)}$2.50`,
  ]);
  expect(screen.queryByRole("button", { name: words.costs.showTable })).toBeNull();
  page.unmount();
  await open();
  expect(screen.queryByRole("radio", { name: words.costs.parts.machine })).toBeNull();
});
