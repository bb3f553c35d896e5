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

/** The parts of a client that placing a tile needs. */
interface Parts {
  readonly state: ClientStore;
  readonly host: ClientHost;
}

/** Where a new tile goes: beside a tile, behind it as a tab, or where there is most room. */
export type Place =
  | { readonly kind: "split"; readonly target: TileKey; readonly direction: Direction }
  | { readonly kind: "tab"; readonly target: TileKey }
  | { readonly kind: "roomiest" };

export interface NewTile {
  readonly place: Place;
  readonly focus: boolean;
  readonly content: Omit<TileContent, "key" | "id"> & { readonly id?: number };
}

/** Puts a new tile into the client's layout and answers its key. A target that has gone meanwhile is as none. */
export function placeTile({ state, host }: Parts, tile: NewTile): TileKey {
  let key = 0 as TileKey;
  state.update((now) => {
    const placed = withNewTile(now, tile, aspect(host.viewport()));
    key = placed.key;
    return placed.state;
  });
  return key;
}

/** Columns and rows that a shell will have in a tile placed there, so that it starts with its final size. */
export function sizeOfNewTile({ state, host }: Parts, place: Place): { cols: number; rows: number } {
  const { cols, rows } = host.viewport();
  const { state: next, key } = withNewTile(
    state.now,
    { place, focus: true, content: { type: "shell" } },
    aspect({ cols, rows }),
  );
  const rectangle = next.workspaces
    .flatMap((workspace) => [...rectanglesOf(workspace)])
    .find((candidate) => candidate.key === key);
  return sizeInCells({ cols, rows }, rectangle ?? { w: 1, h: 1 });
}

/** Columns and rows of a tile that has this share of the viewport, within what terminals are good for. */
export function sizeInCells(
  { cols, rows }: { cols: number; rows: number },
  { w, h }: { w: number; h: number },
): { cols: number; rows: number } {
  // A share that was reached by several divisions may be a hair less than it should be.
  const whole = (cells: number) => Math.floor(cells + 1e-6);
  return {
    cols: Math.min(1000, Math.max(20, whole(cols * w))),
    rows: Math.min(1000, Math.max(5, whole(rows * h))),
  };
}

function withNewTile(now: ClientState, tile: NewTile, aspectRatio: number): { state: ClientState; key: TileKey } {
  const key = now.nextKey as TileKey;
  const target = tile.place.kind === "roomiest" ? -1 : workspaceOf(now, tile.place.target);
  const index = target === -1 ? now.active : target;
  const content: TileContent = { ...tile.content, key, id: tile.content.id ?? key };
  const grown: ClientState = { ...now, tiles: { ...now.tiles, [key]: content }, nextKey: key + 1 };
  const place: Place = target === -1 ? { kind: "roomiest" } : tile.place;
  const state = withWorkspace(grown, index, (workspace) => grow(workspace, key, place, tile.focus, aspectRatio));
  return { state: tile.focus ? { ...state, active: index } : state, key };
}

function grow(workspace: Workspace, key: TileKey, place: Place, focus: boolean, aspectRatio: number): Workspace {
  if (workspace.root === null) return addFirstTile(workspace, key);
  if (place.kind === "split") return splitTile(workspace, place.target, key, place.direction, { focus });
  if (place.kind === "tab") return addTab(workspace, place.target, key, { focus });
  const roomiest = largestTile(workspace, aspectRatio);
  if (roomiest === null) return addFirstTile(workspace, key);
  return splitTile(workspace, roomiest.key, key, roomiest.direction, { focus });
}

/** A terminal cell is about twice as high as wide. */
function aspect({ cols, rows }: { cols: number; rows: number }): number {
  return cols / (rows * 2);
}

/** Whether the workspace on show has no tile. */
export function isEmpty(state: ClientState): boolean {
  return activeWorkspace(state).root === null;
}
