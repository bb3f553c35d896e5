import { z } from "zod";
import { closeTile } from "../layout/close-tile.ts";
import type { Workspace } from "../layout/layout.ts";
import { emptyWorkspace, focusedTile, tilesOf } from "../layout/workspace.ts";
import { WorkspaceSchema } from "../layout/workspace-schema.ts";
import { TileKey } from "../protocol/ids.ts";
import { limits } from "../protocol/limits.ts";
import { TileType } from "../protocol/records.ts";

/** What a tile shows; the layout knows only its key. */
export const TileContent = z.object({
  key: TileKey,
  type: TileType,
  /** A shell's id, a tunnel's port, else the tile's own key. */
  id: z.int(),
  label: z.string().max(limits.tileNameLength).optional(),
  url: z.string().optional(),
  plugin: z.string().optional(),
});
export type TileContent = z.infer<typeof TileContent>;

/** A client's own state: workspaces, layout, tabs, focus, labels. Immutable. */
export interface ClientState {
  readonly workspaces: readonly [Workspace, ...Workspace[]];
  /** Index of the active workspace. */
  readonly active: number;
  readonly tiles: Readonly<Record<number, TileContent>>;
  /** Key of the next new tile. Keys are never reused. */
  readonly nextKey: number;
}

const Saved = z
  .object({
    workspaces: z.tuple([WorkspaceSchema], WorkspaceSchema),
    active: z.int().nonnegative(),
    tiles: z.record(z.string(), TileContent),
    nextKey: z.int().positive(),
  })
  .refine((state) => state.active < state.workspaces.length, "the active workspace exists")
  .refine((state) => {
    const placed = state.workspaces.flatMap((workspace) => [...tilesOf(workspace)]);
    const known = Object.values(state.tiles);
    return (
      new Set(placed).size === placed.length &&
      placed.length === known.length &&
      placed.every((key) => state.tiles[String(key)]?.key === key && key < state.nextKey)
    );
  }, "every tile is in exactly one place");

export const freshState: ClientState = { workspaces: [emptyWorkspace("1")], active: 0, tiles: {}, nextKey: 1 };

/** Parses a saved state; undefined if it is inconsistent. */
export function restoreState(saved: unknown): ClientState | undefined {
  const parsed = Saved.safeParse(saved);
  return parsed.success ? (parsed.data as ClientState) : undefined;
}

/** Returns the active workspace. */
export function activeWorkspace(state: ClientState): Workspace {
  return state.workspaces[state.active] ?? state.workspaces[0];
}

/** Returns the key of the active workspace's focused tile; null if the workspace is empty. */
export function focusOf(state: ClientState): TileKey | null {
  return focusedTile(activeWorkspace(state)) ?? null;
}

/** Returns the label of a tile that shows the shell; undefined if none has one. */
export function shellLabel({ tiles }: Pick<ClientState, "tiles">, shell: number): string | undefined {
  return Object.values(tiles).find(
    ({ type, id, label }) => (type === "shell" || type === "peek") && id === shell && label !== undefined,
  )?.label;
}

/** Returns the index of the workspace that contains the tile, or -1. */
export function workspaceOf(state: ClientState, key: TileKey): number {
  return state.workspaces.findIndex((workspace) => workspace.recent.includes(key));
}

/** Returns the state with one workspace changed. */
export function withWorkspace(state: ClientState, index: number, change: (now: Workspace) => Workspace): ClientState {
  const now = state.workspaces[index];
  if (now === undefined) return state;
  const next = change(now);
  return next === now
    ? state
    : { ...state, workspaces: state.workspaces.with(index, next) as [Workspace, ...Workspace[]] };
}

/** Returns the state without these tiles, in any workspace. */
export function withoutTiles(state: ClientState, keys: readonly TileKey[]): ClientState {
  const gone = new Set<number>(keys);
  const tiles = Object.fromEntries(Object.entries(state.tiles).filter(([key]) => !gone.has(Number(key))));
  let next: ClientState = { ...state, tiles };
  for (const key of keys) {
    next = withWorkspace(next, workspaceOf(next, key), (workspace) => closeTile(workspace, key));
  }
  return next;
}
