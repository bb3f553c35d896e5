// @vitest-environment happy-dom
import { expect, test } from "vitest";
import { StartingLayouts, TileArrangements } from "../../../../../renderer/session/stage/layout-choices.tsx";
import { renderView } from "../../../../support/render-view.tsx";

test("each picture of a layout has a caption that says what a press does", async () => {
  const { calls, page, user } = renderView(
    <>
      <StartingLayouts />
      <TileArrangements chosen={() => undefined} />
    </>,
  );
  expect(page.getAllByRole("button").map(({ textContent }) => textContent)).toEqual([
    "2 shells side by side",
    "2 shells, one above the other",
    "4 shells",
    "6 shells",
    "Grid",
    "Side by side",
    "One above the other",
    "Focused tile on the left",
    "Focused tile at the top",
  ]);
  await user.click(page.getByRole("button", { name: "4 shells" }));
  await user.click(page.getByRole("button", { name: "Grid" }));
  expect(calls).toEqual([
    ["setup", { grid: "2x2" }],
    ["resetLayout", { shape: "grid" }],
  ]);
});
