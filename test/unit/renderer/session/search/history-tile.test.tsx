// @vitest-environment happy-dom
import { screen, waitFor } from "@testing-library/react";
import { expect, onTestFinished, test, vi } from "vitest";
import type { TimeMark } from "../../../../../core/protocol/history-ops.ts";
import { TileKey } from "../../../../../core/protocol/ids.ts";
import type { OpResult } from "../../../../../core/protocol/relay-ops.ts";
import { search } from "../../../../../renderer/search/words.ts";
import { HistoryTile } from "../../../../../renderer/session/search/history-tile.tsx";
import { ViewContext } from "../../../../../renderer/session/view/view.ts";
import { renderView } from "../../../../support/render-view.tsx";

// This document draws no terminal, and what one loads would outlive it.
vi.mock("../../../../../renderer/session/search/recorded-terminal.tsx", () => ({ RecordedTerminal: () => null }));

const words = search.place;
const tile = { key: TileKey.parse(9), type: "history", id: 77, offset: 500, length: 3 } as const;
const START = Date.UTC(2026, 0, 1, 12);

function openTile(shown: boolean, more: Partial<OpResult<"readAround">> = {}) {
  const readAround = vi.fn(async ({ offset = 900 }): Promise<OpResult<"readAround">> => {
    const range = { from: offset - 100, to: offset + 100 };
    return { cols: 80, before: "", after: "", ...range, times: [], sizes: [[0, 80, 24]], ...more };
  });
  const rendered = renderView(<HistoryTile tile={tile} shown={shown} />, { host: { readAround } });
  const show = (shown: boolean) =>
    rendered.page.rerender(
      <ViewContext value={rendered.view}>
        <HistoryTile tile={tile} shown={shown} />
      </ViewContext>,
    );
  return { ...rendered, show, readAround };
}

test("a tile of the history reads its place when it is shown first, and says that nothing is kept of it", async () => {
  const { show, readAround } = openTile(false);
  expect(readAround).not.toHaveBeenCalled();
  show(true);
  expect(await screen.findByText(words.gone)).toBeDefined();
  show(false);
  show(true);
  expect(readAround).toHaveBeenCalledTimes(1);
});

test("it reads on and back, says when that was printed, and has no way back to results", async () => {
  const before = "x".repeat(100);
  const { user, readAround } = openTile(true, { before, times: [[0, START]] });
  await waitFor(() => expect(readAround).toHaveBeenLastCalledWith({ shell: 77, offset: 500 }));
  await user.click(await screen.findByRole("button", { name: words.earlier }));
  await waitFor(() => expect(readAround).toHaveBeenLastCalledWith({ shell: 77, offset: 400 }));
  expect(document.querySelector("time")?.dateTime).toBe(new Date(START).toISOString());
  expect(screen.queryByRole("button", { name: words.back })).toBeNull();
  expect(screen.queryByRole("button", { name: words.asTile })).toBeNull();
  // Its shell is closed.
  expect(screen.queryByRole("button", { name: words.goTo })).toBeNull();
});

test("its replay pauses while the tile is behind another one, and goes on when it is started again", async () => {
  vi.useFakeTimers({ toFake: ["requestAnimationFrame", "cancelAnimationFrame", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const times = Array.from({ length: 100 }, (_, index): TimeMark => [index, START + index * 1000]);
  const { user, show } = openTile(true, { before: "x".repeat(100), times });
  await user.click(await screen.findByRole("button", { name: words.replay.play }));
  expect(screen.getByRole("button", { name: words.replay.pause })).toBeDefined();
  show(false);
  show(true);
  await user.click(screen.getByRole("button", { name: words.replay.play }));
  expect(screen.getByRole("button", { name: words.replay.pause })).toBeDefined();
});
