import { type Box, boxesBySize, longerSide, rectanglesOf } from "../layout/geometry.ts";
import type { Direction, Workspace } from "../layout/layout.ts";
import { addFirstTile, addTab, splitTile } from "../layout/open-tile.ts";
import type { TileKey } from "../protocol/ids.ts";
import {
  activeWorkspace,
  type ClientState,
  type TileContent,
  withFocus,
  withWorkspace,
  workspaceOf,
} from "../state/client-state.ts";
import type { StateChanger } from "../state/client-store.ts";
import type { ClientHost, Viewport } from "../state/ports.ts";

/** The parts of a client that tile placement uses. */
interface PlacingClient {
  readonly state: StateChanger;
  readonly host: ClientHost;
}

/** Least size in cells of a tile that is split on its own account, while the tiles have room for it. */
const LEAST = { cols: 80, rows: 10 } as const;

/** The place of a new tile: beside a tile, behind it as a tab, in its place under its name, or where there is most room. */
export type TilePlacement =
  | { readonly kind: "split"; readonly target: TileKey; readonly direction: Direction }
  | { readonly kind: "tab"; readonly target: TileKey }
  | { readonly kind: "instead"; readonly target: TileKey }
  | { readonly kind: "largest" };

interface NewTile {
  readonly placement: TilePlacement;
  readonly focus: boolean;
  readonly content: Omit<TileContent, "key" | "id"> & { readonly id?: number };
}

/** Adds a new tile to the client's layout and returns its key. A missing target falls back to the largest tile. */
export function placeTile({ state, host }: PlacingClient, tile: NewTile): TileKey {
  let key = 0 as TileKey;
  state.update((now) => {
    const placed = withNewTile(now, tile, host.viewport());
    key = placed.key;
    return placed.state;
  });
  return key;
}

/** Returns the workspace with a tile of another one, placed as a new tile would be, with the focus. */
export function withTilePlaced(workspace: Workspace, key: TileKey, viewport: Viewport): Workspace {
  return insertTile(workspace, key, { kind: "largest" }, true, viewport);
}

/** Returns the size in cells of a tile placed there, so that a shell starts with its final size. */
export function sizeOfNewTile({ state, host }: PlacingClient, place: TilePlacement): { cols: number; rows: number } {
  const viewport = host.viewport();
  const { state: next, key } = withNewTile(
    state.now,
    { placement: place, focus: true, content: { type: "shell" } },
    viewport,
  );
  const rectangle = next.workspaces
    .flatMap((workspace) => [...rectanglesOf(workspace)])
    .find((candidate) => candidate.key === key);
  return sizeInCells(viewport, rectangle ?? { w: 1, h: 1 });
}

/** Returns the size in cells of a tile with this share of the viewport, clamped to usable terminal sizes. */
export function sizeInCells(viewport: Viewport, share: Share): { cols: number; rows: number } {
  const { cols, rows } = cellsOf(viewport, share);
  return { cols: Math.min(1000, Math.max(20, cols)), rows: Math.min(1000, Math.max(5, rows)) };
}

interface Share {
  readonly w: number;
  readonly h: number;
}

function cellsOf({ cols, rows, pixels }: Viewport, { w, h }: Share): { cols: number; rows: number } {
  // Repeated division may leave a share slightly below its exact value.
  const whole = (cells: number) => Math.floor(cells + 1e-6);
  const inset = {
    cols: pixels === undefined ? 0 : pixels.inset.width / pixels.cell.width,
    rows: pixels === undefined ? 0 : pixels.inset.height / pixels.cell.height,
  };
  return { cols: whole(cols * w - inset.cols), rows: whole(rows * h - inset.rows) };
}

function withNewTile(now: ClientState, tile: NewTile, viewport: Viewport): { state: ClientState; key: TileKey } {
  const key = now.nextKey as TileKey;
  const target = tile.placement.kind === "largest" ? -1 : workspaceOf(now, tile.placement.target);
  if (tile.placement.kind === "instead" && target !== -1) return replaced(now, tile, tile.placement.target);
  const index = target === -1 ? now.active : target;
  const content: TileContent = { ...tile.content, key, id: tile.content.id ?? key };
  const grown: ClientState = { ...now, tiles: { ...now.tiles, [key]: content }, nextKey: key + 1 };
  const place: TilePlacement = target === -1 ? { kind: "largest" } : tile.placement;
  const state = withWorkspace(grown, index, (workspace) => insertTile(workspace, key, place, tile.focus, viewport));
  return { state: tile.focus ? { ...state, active: index } : state, key };
}

function replaced(now: ClientState, { content, focus }: NewTile, key: TileKey): { state: ClientState; key: TileKey } {
  const { label } = now.tiles[key] ?? {};
  const tile: TileContent = { ...content, key, id: content.id ?? key, ...(label !== undefined && { label }) };
  const state = { ...now, tiles: { ...now.tiles, [key]: tile } };
  return { state: focus ? withFocus(state, key) : state, key };
}

function insertTile(
  workspace: Workspace,
  key: TileKey,
  place: TilePlacement,
  focus: boolean,
  viewport: Viewport,
): Workspace {
  if (workspace.root === null) return addFirstTile(workspace, key);
  if (place.kind === "split") return splitTile(workspace, place.target, key, place.direction, { focus });
  if (place.kind === "tab") return addTab(workspace, place.target, key, { focus });
  const most = mostRoom(workspace, viewport);
  if (most === undefined) return addFirstTile(workspace, key);
  return splitTile(workspace, most.key, key, most.direction, { focus });
}

/**
 * Returns the tile to split for a new one and the direction: of the largest tile the longer side, else the other side, else
 * those of the next largest, where both halves have at least `LEAST` cells; if no tile has that much room, the longer
 * side of the largest one. Undefined in an empty workspace.
 */
function mostRoom({ root }: Workspace, viewport: Viewport): { key: TileKey; direction: Direction } | undefined {
  const splits = boxesBySize(root).flatMap((box) => {
    const longer = longerSide(box, aspect(viewport));
    const shorter = longer === "horizontal" ? ("vertical" as const) : ("horizontal" as const);
    return [longer, shorter].map((direction) => ({ key: box.group.front, direction, box }));
  });
  return splits.find(({ box, direction }) => leavesRoom(box, direction, viewport)) ?? splits[0];
}

function leavesRoom({ left, top, right, bottom }: Box, direction: Direction, viewport: Viewport): boolean {
  const whole = { w: right - left, h: bottom - top };
  const half = direction === "horizontal" ? { ...whole, w: whole.w / 2 } : { ...whole, h: whole.h / 2 };
  const { cols, rows } = cellsOf(viewport, half);
  // A stack of a narrow tile is as narrow, and no split makes it wider.
  return rows >= LEAST.rows && (cols >= LEAST.cols || direction === "vertical");
}

/** Returns width divided by height. By default, a terminal cell is twice as high as it is wide. */
function aspect({ cols, rows, pixels }: Viewport): number {
  const { width, height } = pixels?.cell ?? { width: 1, height: 2 };
  return (cols * width) / (rows * height);
}

/** Reports whether the active workspace has no tiles. */
export function isEmpty(state: ClientState): boolean {
  return activeWorkspace(state).root === null;
}
