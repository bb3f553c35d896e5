// @vitest-environment happy-dom
import { act, screen, waitFor, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { ShellId } from "../../../../core/protocol/ids.ts";
import type { LeftBehind, ShellUsage } from "../../../../core/protocol/shell-usage.ts";
import { words } from "../../../../renderer/tray/words/index.ts";
import { panelSession, renderPanel } from "../../../support/render-panel.tsx";

const left = (pid: number, name: string): LeftBehind => ({
  ...{ pid, name, parent: 1, cpuPercent: 0.5, memoryBytes: 40_000_000 },
  ...{ agentType: "claude", since: new Date(1_700_000_000_000).toISOString() },
});
function shell(id: number, parts: Partial<ShellUsage> = {}): ShellUsage {
  return {
    ...{ shellId: ShellId.parse(id), title: "", cpuPercent: 0, memoryBytes: 0, count: 0, processes: [] },
    ...{ leftCount: parts.leftBehind?.length ?? 0, leftBehind: [], ...parts },
  };
}

async function open(getShellUsage: readonly ShellUsage[]) {
  const panel = await renderPanel({
    content: { sessions: [panelSession()] },
    answers: { getShellUsage, endLeftBehind: [{ pid: 4712, name: "postgres" }] },
  });
  const asked = () => panel.calls.filter(([name]) => name === "getShellUsage");
  expect(asked()).toEqual([]);
  await panel.user.click(screen.getByRole("tab", { name: words.panel.tabs.sessions }));
  // The part of the card is loaded on demand.
  await waitFor(() => expect(asked()).toHaveLength(1), { timeout: 20_000 });
  return { ...panel, asked };
}

test("a card has the sum of its shells, and each shell on demand", async () => {
  const { user, asked } = await open([
    shell(1, { cpuPercent: 104.2, memoryBytes: 310_000_000, count: 4 }),
    shell(2, { cpuPercent: 0.4, memoryBytes: 5_000_000, count: 1 }),
  ]);
  await user.click(await screen.findByText("105% processor · 315 MB · 5 processes"));
  const table = screen.getByRole("table", { name: words.machineUse.of("orders") });
  const rows = within(table).getAllByRole("row").slice(1);
  expect(rows.map((row) => [...row.children].map(({ textContent }) => textContent))).toEqual([
    ["rounding", "104%", "310 MB", "4"],
    ["tests", "0.4%", "5 MB", "1"],
  ]);
  // Opened, it is measured anew.
  await waitFor(() => expect(asked().length).toBeGreaterThan(1));
  expect(screen.queryByRole("region", { name: words.machineUse.leftIn("orders") })).toBeNull();
});

test("it is asked at the Sessions place only, and not while the page is hidden", async () => {
  const { user, asked } = await open([shell(1, { count: 1 })]);
  await screen.findByText(/1 process$/);
  const hidden = vi.spyOn(document, "hidden", "get").mockReturnValue(true);
  act(() => void document.dispatchEvent(new Event("visibilitychange")));
  expect(asked()).toHaveLength(1);
  hidden.mockRestore();
  act(() => void document.dispatchEvent(new Event("visibilitychange")));
  await waitFor(() => expect(asked()).toHaveLength(2));
  await user.click(screen.getByRole("tab", { name: words.panel.tabs.now }));
  act(() => void document.dispatchEvent(new Event("visibilitychange")));
  expect(asked()).toHaveLength(2);
});

test("what ended agents left running is listed, and ends only after the question: one, or those it was asked about", async () => {
  const { user, calls } = await open([
    shell(1, { count: 1, leftBehind: [left(4711, "vite")] }),
    // Its shell was closed.
    shell(3, { leftBehind: [left(4712, "postgres")] }),
  ]);
  const list = await screen.findByRole("region", { name: words.machineUse.leftIn("orders") });
  expect(within(list).getByText(words.machineUse.left(2))).toBeTruthy();
  const ends = () => calls.filter(([name]) => name === "endLeftBehind").map(([, params]) => params);
  const session = "session-0000000a";

  await user.click(within(list).getByRole("button", { name: words.machineUse.endOne("postgres", "4712") }));
  expect(screen.getByRole("dialog").textContent).toContain("postgres (4712)");
  await user.click(within(screen.getByRole("dialog")).getByRole("button", { name: words.panel.cancel }));
  expect(ends()).toEqual([]);
  await user.click(within(list).getByRole("button", { name: words.machineUse.endOne("postgres", "4712") }));
  await user.click(within(screen.getByRole("dialog")).getByRole("button", { name: words.machineUse.end }));
  await waitFor(() => expect(ends()).toEqual([{ session, pid: 4712 }]));
  expect(await screen.findByText(words.machineUse.ended(1))).toBeTruthy();

  await user.click(within(list).getByRole("button", { name: words.machineUse.endAll("orders") }));
  expect(screen.getByRole("heading", { name: words.machineUse.question(2) })).toBeTruthy();
  await user.click(within(screen.getByRole("dialog")).getByRole("button", { name: words.machineUse.end }));
  await waitFor(() =>
    expect(ends().slice(1)).toEqual([
      { session, pid: 4711 },
      { session, pid: 4712 },
    ]),
  );
});
