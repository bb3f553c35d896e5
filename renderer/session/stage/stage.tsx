import "./stage.css";
import { startTransition, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { Layout } from "../../../core/layout/layout.ts";
import { tilesIn } from "../../../core/layout/tree.ts";
import type { ClientId, TileKey } from "../../../core/protocol/ids.ts";
import { activeWorkspace, type ClientState, focusOf, type TileContent } from "../../../core/state/client-state.ts";
import { colourOf } from "../../ui/avatar.tsx";
import { createStore, useStore } from "../../ui/store.ts";
import { cellSize, usePixelRatio } from "../terminal/cell-size.ts";
import { isDrawnHere } from "../view/own-window.ts";
import { tileInfo } from "../view/tile-info.ts";
import { useSnapshot, useView } from "../view/view.ts";
import { words } from "../words/index.ts";
import { type Arranged, arrange } from "./arrange.ts";
import { DividerLine } from "./divider-line.tsx";
import { dividersOf } from "./dividers.ts";
import type { Point } from "./drop-zones.ts";
import { EmptyStage } from "./empty-stage.tsx";
import { type Size, TILE_INSET } from "./pixels.ts";
import { Tile } from "./tile.tsx";
import { useSwipe } from "./use-swipe.ts";
import { useTileDrag } from "./use-tile-drag.ts";
import { useHasChanged } from "./use-tile-motion.ts";

/**
 * All tiles of all workspaces. Each is an element with a fixed position in the document, placed by its rectangle: terminals
 * and frames lose their state when they move in the document.
 */
export function Stage({ narrow }: { narrow: boolean }) {
  const { host, terminals } = useView();
  const { state } = useSnapshot();
  const stage = useRef<HTMLElement>(null);
  const size = useSize(stage);
  const isMeasured = size !== undefined;
  const isResized = useHasChanged(size);
  useViewport(size);
  // After the effects of the tiles.
  useEffect(() => {
    if (isMeasured) terminals.drawn();
  }, [terminals, isMeasured]);
  useSwipe(stage, narrow);
  const [dragged, setDragged] = useState<Layout>();
  const workspace = activeWorkspace(state);
  const root = drawnRoot(workspace.root, dragged);
  const dividers = size === undefined || narrow || workspace.maximized !== null ? [] : dividersOf(root, size);
  const pages = state.workspaces.map((page, index) =>
    size !== undefined && isDrawnHere(host, page)
      ? arrange(index === state.active ? { ...page, root } : page, size, narrow)
      : [],
  );
  const {
    start,
    drop,
    dragged: draggedTile,
  } = useTileDrag(
    stage,
    (pages[state.active] ?? []).filter(({ shown }) => shown),
  );
  const focus = focusOf(state);

  return (
    <main
      ref={stage}
      className={narrow ? "stage single" : "stage"}
      aria-label={words.stage.workspace(workspace.name)}
      data-dragging={draggedTile?.tile ?? undefined}
      {...useFollowed()}
    >
      {root === null && <EmptyStage />}
      {placedTiles(state, pages).map(({ key, at, shown }) => {
        const tile = state.tiles[key];
        return tile === undefined ? null : (
          <Tile
            key={key}
            tile={tile}
            group={at.group}
            box={at.box}
            shown={shown}
            still={narrow || isResized || dragged !== undefined}
            focused={key === focus && shown}
            maximized={workspace.maximized === key}
            dragged={draggedTile?.tile === key}
            startDrag={narrow ? undefined : start}
          />
        );
      })}
      {root !== null &&
        dividers.map((divider) => (
          <DividerLine key={`${divider.path}/${divider.direction}`} divider={divider} root={root} draw={setDragged} />
        ))}
      {draggedTile !== undefined && <DragGhost tile={state.tiles[draggedTile.tile]} at={draggedTile.at} />}
      {drop !== undefined && (
        <div className="drop-mark" data-place={drop.place} style={{ ...drop.mark }}>
          <span>{words.stage.drop[dropLabels[drop.place]]}</span>
        </div>
      )}
    </main>
  );
}

/** Marks the stage in the colour of the person whose layout it shows. */
function useFollowed(): { "data-follows"?: true; "data-hue"?: number } {
  const { following } = useView().host;
  const { mirror } = useSnapshot();
  const target = useStore(following?.target ?? noTarget);
  const person = mirror?.clients.find(({ id }) => id === target);
  if (person === undefined) return {};
  return { "data-follows": true, "data-hue": colourOf(person) };
}

/** What a stage has that is not drawn: no tile fits. */
const NO_SIZE: Size = { width: 0, height: 0 };

const noTarget = createStore<ClientId | undefined>(undefined);

/** The title of the tile under the pointer that drags it. */
function DragGhost({ tile, at }: { tile: TileContent | undefined; at: Point }) {
  const snapshot = useSnapshot();
  return tile === undefined ? null : (
    <div className="drag-ghost ellipsis" style={{ left: at.x, top: at.y }}>
      {tileInfo(tile, snapshot).title}
    </div>
  );
}

const dropLabels = { swap: "swap", tab: "stack", left: "left", right: "right", up: "above", down: "below" } as const;

/** Returns the tree to draw: that of a divider's drag, unless other tiles have come or gone meanwhile. */
function drawnRoot(root: Layout | null, dragged: Layout | undefined): Layout | null {
  const same = dragged !== undefined && String(tilesIn(root)) === String(tilesIn(dragged));
  return same ? dragged : root;
}

/** Returns every tile with its group's rectangle, in key order, which is stable. */
function placedTiles(
  state: ClientState,
  pages: readonly (readonly Arranged[])[],
): readonly { key: TileKey; at: Arranged; shown: boolean }[] {
  return pages
    .flatMap((page, index) =>
      page.flatMap((at) =>
        at.group.tiles.map((key) => ({ key, at, shown: index === state.active && at.shown && at.group.front === key })),
      ),
    )
    .toSorted((a, b) => a.key - b.key);
}

/** Returns the size of the stage; undefined until it is measured. Tiles drawn earlier would jump. */
function useSize(element: React.RefObject<HTMLElement | null>): Size | undefined {
  const [size, setSize] = useState<Size>();
  useLayoutEffect(() => {
    const { current } = element;
    if (current === null) return;
    const measure = () => {
      const { clientWidth: width, clientHeight: height } = current;
      setSize((before) => (before?.width === width && before.height === height ? before : { width, height }));
    };
    // The tiles are drawn in pieces, between which the page answers.
    startTransition(measure);
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    return () => observer.disconnect();
  }, [element]);
  return size;
}

/** Tells the host how many cells the stage has, so that new shells start with their final size. */
function useViewport({ width, height }: Size = NO_SIZE): void {
  const { host, ui } = useView();
  const { font, fontSize, lineHeight } = useStore(ui.settings);
  const ratio = usePixelRatio();
  useEffect(() => {
    if (width === 0 || height === 0) return;
    const cell = cellSize({ font, fontSize, lineHeight }, ratio);
    host.setViewport({
      cols: Math.max(20, Math.floor(width / cell.width)),
      rows: Math.max(5, Math.floor(height / cell.height)),
      pixels: { cell, inset: TILE_INSET },
    });
  }, [host, font, fontSize, lineHeight, ratio, width, height]);
}
