import { useEffect, useRef, useState } from "react";
import type { TileKey } from "../../../core/protocol/ids.ts";
import { workspaceOf } from "../../../core/state/client-state.ts";
import { useView, type View } from "../view/view.ts";
import type { Arranged } from "./arrange.ts";
import { type DropTarget, dropCommand, dropTargetAt, type Point } from "./drop-zones.ts";

/** Distance in pixels after which a press becomes a drag. */
const DRAG_THRESHOLD = 5;

export type StartDrag = (event: React.PointerEvent<HTMLElement>, tile: TileKey) => void;

/** Drags a title bar or a tab over the stage. Escape cancels. */
export function useTileDrag(
  stage: React.RefObject<HTMLElement | null>,
  groups: readonly Arranged[],
): { start: StartDrag; drop: DropTarget | undefined; dragged: { tile: TileKey; at: Point } | undefined } {
  const view = useView();
  const [drag, setDrag] = useState<{ tile: TileKey; at: Point; drop: DropTarget | undefined }>();
  const latest = useRef(groups);
  latest.current = groups;
  const stop = useRef<(() => void) | undefined>(undefined);
  useEffect(() => () => stop.current?.(), []);

  const start: StartDrag = (event, tile) => {
    if (event.button !== 0 || stage.current === null) return;
    stop.current?.();
    const origin = stage.current.getBoundingClientRect();
    const from = { x: event.clientX, y: event.clientY };
    const listening = new AbortController();
    const end = () => {
      listening.abort();
      view.ui.dropWorkspace.set(undefined);
      setDrag(undefined);
    };
    stop.current = end;
    let moving = false;
    let drop: DropTarget | undefined;
    const moved = (move: PointerEvent) => {
      moving ||= Math.hypot(move.clientX - from.x, move.clientY - from.y) > DRAG_THRESHOLD;
      if (!moving) return;
      const workspace = workspaceAt(move);
      // A tile is on its own workspace already.
      const isOwn = workspace === workspaceOf(view.host.snapshot().state, tile);
      view.ui.dropWorkspace.set(isOwn ? undefined : workspace);
      const point = { x: move.clientX - origin.left, y: move.clientY - origin.top };
      drop =
        workspace === undefined
          ? dropTargetAt(
              point,
              tile,
              latest.current.map(({ group, box }) => ({ tiles: group.tiles, front: group.front, box })),
            )
          : undefined;
      setDrag({ tile, at: point, drop });
    };
    const released = () => {
      const workspace = view.ui.dropWorkspace.get();
      end();
      if (workspace !== undefined) void dropOnWorkspace(view, tile, workspace);
      if (!moving || drop === undefined) return;
      const { method, params } = dropCommand(tile, drop);
      void view.run(method, params);
    };
    const { signal } = listening;
    window.addEventListener("pointermove", moved, { signal });
    window.addEventListener("pointerup", released, { signal });
    window.addEventListener("pointercancel", end, { signal });
    window.addEventListener("blur", end, { signal });
    window.addEventListener("keydown", (key) => key.key === "Escape" && end(), { signal, capture: true });
  };
  return { start, drop: drag?.drop, dragged: drag };
}

/** Returns the workspace whose tab is under the pointer. */
function workspaceAt({ clientX, clientY }: PointerEvent): number | "new" | undefined {
  const tab = document.elementFromPoint(clientX, clientY)?.closest<HTMLElement>("[data-workspace]")?.dataset.workspace;
  if (tab === undefined) return undefined;
  return tab === "new" ? "new" : Number(tab);
}

async function dropOnWorkspace(view: View, tile: TileKey, workspace: number | "new"): Promise<void> {
  if (workspace === "new") await view.run("breakTile", { tile });
  else await view.run("moveToWorkspace", { tile, index: workspace });
}
