// @vitest-environment happy-dom
import { act, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { TileKey } from "../../../../../core/protocol/ids.ts";
import { Overview } from "../../../../../renderer/session/overview/overview.tsx";
import type { TerminalActions } from "../../../../../renderer/session/terminal/terminals.ts";
import { ViewContext } from "../../../../../renderer/session/view/view.ts";
import { words } from "../../../../../renderer/session/words/index.ts";
import { questionOf } from "../../../../support/asked-question.ts";
import { renderView } from "../../../../support/render-view.tsx";

const workspaces = () => screen.getAllByRole("button").map((one) => one.getAttribute("aria-label"));

test("shows each workspace with its tiles and what waits there; the current one has the focus", () => {
  renderView(<Overview />, { mirror: { agents: [], questions: [questionOf()] } });
  expect(workspaces()).toEqual([
    words.overview.workspace("api", 6, 1),
    words.overview.workspace("docs", 1, 0),
    words.overview.workspace("release", 0, 0),
  ]);
  expect(document.activeElement?.getAttribute("aria-label")).toBe(workspaces()[0]);
});

test("arrows move between workspaces and Enter goes to one; Escape changes nothing", async () => {
  const { user, calls, view } = renderView(<Overview />);
  act(() => view.ui.overviewOpen.set(true));
  await user.keyboard("{ArrowRight}{ArrowRight}{ArrowRight}{ArrowLeft}{Enter}");
  expect(calls).toEqual([["switchWorkspace", { index: 1 }]]);
  expect(view.ui.overviewOpen.get()).toBe(false);
  act(() => view.ui.overviewOpen.set(true));
  await user.keyboard("{End}{Home}");
  expect(document.activeElement).toBe(screen.getAllByRole("button")[0]);
  act(() => void screen.getByRole("dialog").dispatchEvent(new Event("cancel", { cancelable: true })));
  expect(view.ui.overviewOpen.get()).toBe(false);
  expect(calls).toHaveLength(1);
});

test("a miniature has the text that the terminal shows, and follows it without another reader of output", () => {
  vi.useFakeTimers();
  try {
    let rows: readonly string[] = ["$ npm test"];
    const terminal: Pick<TerminalActions, "screen" | "focus"> = { screen: () => rows, focus: () => undefined };
    const subscribeOutput = vi.fn(() => () => undefined);
    const { view, page } = renderView(null, { host: { subscribeOutput } });
    view.terminals.byTile.set(TileKey.parse(1), terminal as TerminalActions);
    page.rerender(
      <ViewContext value={view}>
        <Overview />
      </ViewContext>,
    );
    expect(page.container.textContent).toContain("$ npm test");
    rows = ["$ npm test", "14 passed"];
    act(() => vi.advanceTimersByTime(1_000));
    expect(page.container.textContent).toContain("14 passed");
    expect(subscribeOutput).not.toHaveBeenCalled();
  } finally {
    vi.useRealTimers();
  }
});
