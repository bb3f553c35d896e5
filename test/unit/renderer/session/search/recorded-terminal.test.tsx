// @vitest-environment happy-dom
import { act, fireEvent } from "@testing-library/react";
import { expect, onTestFinished, test, vi } from "vitest";
import { RecordedTerminal } from "../../../../../renderer/session/search/recorded-terminal.tsx";
import { renderView } from "../../../../support/render-view.tsx";

// This document draws no terminal, and what one loads would outlive it.
vi.mock("../../../../../renderer/session/terminal/open-terminal.ts", () => ({
  inertPorts: {},
  openTerminal: () => ({
    terminal: { options: {}, write: () => undefined, focus: () => undefined, getSelection: () => "a-2-b" },
    look: () => undefined,
    dispose: () => undefined,
  }),
}));
vi.mock("../../../../../renderer/session/terminal/cell-size.ts", () => ({
  cellSize: () => ({ width: 8, height: 16 }),
}));

const recorded = { cols: 80, before: "a-2-b", after: "", from: 0, to: 5, times: [], sizes: [] };

test("what the pointer selects in recorded output is on the clipboard, where the user wants that", () => {
  const { view, page } = renderView(
    <RecordedTerminal recorded={recorded} selects={0} shown={undefined} tile={undefined} />,
  );
  // Its user has a clipboard of their own.
  const write = vi.spyOn(navigator.clipboard, "writeText").mockResolvedValue(undefined);
  onTestFinished(() => write.mockRestore());
  const select = () => {
    const element = page.container.querySelector(".history-terminal") ?? expect.unreachable("it is shown");
    fireEvent.mouseDown(element);
    fireEvent.mouseUp(element);
  };
  select();
  expect(write).not.toHaveBeenCalled();
  act(() => view.ui.settings.set("copyOnSelect", true));
  onTestFinished(() => view.ui.settings.set("copyOnSelect", false));
  select();
  expect(write.mock.calls).toEqual([["a-2-b"]]);
});
