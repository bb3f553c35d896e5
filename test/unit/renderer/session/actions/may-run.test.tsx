// @vitest-environment happy-dom
import { expect, test } from "vitest";
import { mayRun } from "../../../../../renderer/session/actions/may-run.ts";
import { renderView } from "../../../../support/render-view.tsx";

test("no shortcut acts on the tiles behind a dialog that the view keeps no state of, but beside the welcome", () => {
  const { view, page } = renderView(<dialog open className="welcome" />);
  expect(mayRun(view, "close-tile")).toBe(true);
  page.rerender(<dialog open className="dialog" />);
  expect(mayRun(view, "close-tile")).toBe(false);
  page.rerender(<dialog className="dialog" />);
  expect(mayRun(view, "close-tile")).toBe(true);
});

test("the palette takes the shortcuts that lead to it, and no other", () => {
  const { view } = renderView(<dialog open className="dialog palette" />);
  view.ui.palette.set({ kind: "commands" });
  expect([mayRun(view, "palette"), mayRun(view, "switcher"), mayRun(view, "close-tile")]).toEqual([true, true, false]);
});
