import { largestTile, rectanglesOf } from "../layout/geometry.ts";
import type { Direction, Workspace } from "../layout/layout.ts";
import { addFirstTile, addTab, splitTile } from "../layout/open-tile.ts";
import type { TileKey } from "../protocol/ids.ts";
import {
  activeWorkspace,
  type ClientState,
  type TileContent,
  withWorkspace,
  workspaceOf,
} from "../state/client-state.ts";
import type { ClientStore } from "../state/client-store.ts";
import type { ClientHost } from "../state/ports.ts";

/** The parts of a client that tile placement uses. */
interface PlacingClient {
  readonly state: ClientStore;
  readonly host: ClientHost;
}

/** Where a new tile goes: beside a tile, behind it as a tab, or beside the largest tile. */
export type TilePlacement =
  | { readonly kind: "split"; readonly target: TileKey; readonly direction: Direction }
  | { readonly kind: "tab"; readonly target: TileKey }
  | { readonly kind: "largest" };

export interface NewTile {
  readonly placement: TilePlacement;
  readonly focus: boolean;
  readonly content: Omit<TileContent, "key" | "id"> & { readonly id?: number };
}

/** Adds a new tile to the client's layout and returns its key. A missing target falls back to the largest tile. */
export function placeTile({ state, host }: PlacingClient, tile: NewTile): TileKey {
  let key = 0 as TileKey;
  state.update((now) => {
    const placed = withNewTile(now, tile, aspect(host.viewport()));
    key = placed.key;
    return placed.state;
  });
  return key;
}

/** Returns the size in cells of a tile placed there, so that a shell starts with its final size. */
export function sizeOfNewTile({ state, host }: PlacingClient, place: TilePlacement): { cols: number; rows: number } {
  const { cols, rows } = host.viewport();
  const { state: next, key } = withNewTile(
    state.now,
    { placement: place, focus: true, content: { type: "shell" } },
    aspect({ cols, rows }),
  );
  const rectangle = next.workspaces
    .flatMap((workspace) => [...rectanglesOf(workspace)])
    .find((candidate) => candidate.key === key);
  return sizeInCells({ cols, rows }, rectangle ?? { w: 1, h: 1 });
}

/** Returns the size in cells of a tile with this share of the viewport, clamped to usable terminal sizes. */
export function sizeInCells(
  { cols, rows }: { cols: number; rows: number },
  { w, h }: { w: number; h: number },
): { cols: number; rows: number } {
  // Repeated division may leave a share slightly below its exact value.
  const whole = (cells: number) => Math.floor(cells + 1e-6);
  return {
    cols: Math.min(1000, Math.max(20, whole(cols * w))),
    rows: Math.min(1000, Math.max(5, whole(rows * h))),
  };
}

function withNewTile(now: ClientState, tile: NewTile, aspectRatio: number): { state: ClientState; key: TileKey } {
  const key = now.nextKey as TileKey;
  const target = tile.placement.kind === "largest" ? -1 : workspaceOf(now, tile.placement.target);
  const index = target === -1 ? now.active : target;
  const content: TileContent = { ...tile.content, key, id: tile.content.id ?? key };
  const grown: ClientState = { ...now, tiles: { ...now.tiles, [key]: content }, nextKey: key + 1 };
  const place: TilePlacement = target === -1 ? { kind: "largest" } : tile.placement;
  const state = withWorkspace(grown, index, (workspace) => insertTile(workspace, key, place, tile.focus, aspectRatio));
  return { state: tile.focus ? { ...state, active: index } : state, key };
}

function insertTile(
  workspace: Workspace,
  key: TileKey,
  place: TilePlacement,
  focus: boolean,
  aspectRatio: number,
): Workspace {
  if (workspace.root === null) return addFirstTile(workspace, key);
  if (place.kind === "split") return splitTile(workspace, place.target, key, place.direction, { focus });
  if (place.kind === "tab") return addTab(workspace, place.target, key, { focus });
  const largest = largestTile(workspace, aspectRatio);
  if (largest === null) return addFirstTile(workspace, key);
  return splitTile(workspace, largest.key, key, largest.direction, { focus });
}

/** Returns width divided by height. A terminal cell is about twice as high as it is wide. */
function aspect({ cols, rows }: { cols: number; rows: number }): number {
  return cols / (rows * 2);
}

/** Reports whether the active workspace has no tiles. */
export function isEmpty(state: ClientState): boolean {
  return activeWorkspace(state).root === null;
}
