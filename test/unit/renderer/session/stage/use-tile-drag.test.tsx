// @vitest-environment happy-dom
import { fireEvent } from "@testing-library/react";
import { useRef } from "react";
import { expect, test, vi } from "vitest";
import { TileKey } from "../../../../../core/protocol/ids.ts";
import { useTileDrag } from "../../../../../renderer/session/stage/use-tile-drag.ts";
import { renderView } from "../../../../support/render-view.tsx";

const tile = TileKey.parse(1);

/** A title bar to drag, and the tabs of two workspaces, the first of which has the tile. */
function Stage() {
  const stage = useRef<HTMLDivElement>(null);
  const { start } = useTileDrag(stage, []);
  return (
    <div ref={stage}>
      <button type="button" onPointerDown={(event) => start(event, tile)}>
        title bar
      </button>
      <div data-workspace="0">own</div>
      <div data-workspace="1">other</div>
    </div>
  );
}

test("a tile is dropped on the tab of another workspace, and that of its own is no target", async () => {
  const { calls, page, view } = renderView(<Stage />);
  // Without a layout, no element is at any point.
  let under: Element | null = null;
  document.elementFromPoint = () => under;
  const drag = (over: string) => {
    under = page.getByText(over);
    fireEvent.pointerDown(page.getByText("title bar"), { button: 0, clientX: 0, clientY: 0 });
    fireEvent.pointerMove(window, { clientX: 60, clientY: 0 });
    const target = view.ui.dropWorkspace.get();
    fireEvent.pointerUp(window);
    return target;
  };
  expect(drag("own")).toBeUndefined();
  expect(drag("other")).toBe(1);
  await vi.waitFor(() => expect(calls).toEqual([["moveToWorkspace", { tile: 1, index: 1 }]]));
});
