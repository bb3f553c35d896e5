import { z } from "zod";
import { closeTile } from "../layout/close-tile.ts";
import { focusTile } from "../layout/focus.ts";
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
  /** A shell's id, also of one whose history is shown, a tunnel's port, else the tile's own key. */
  id: z.int(),
  label: z.string().max(limits.tileNameLength).optional(),
  url: z.string().optional(),
  plugin: z.string().optional(),
  /** Of a history tile: the place in the output in bytes, and the characters to select from there on; absent: the end. */
  offset: z.int().nonnegative().optional(),
  length: z.int().positive().optional(),
});
export type TileContent = z.infer<typeof TileContent>;

/** A tile of a type that a later version has added: nothing else is known of it. */
export const UnknownTile = z.object({
  key: TileKey,
  type: z.string().refine((type) => !TileType.safeParse(type).success),
});

/** A client's own state: workspaces, layout, tabs, focus, labels. Immutable. */
export interface ClientState {
  readonly workspaces: readonly [Workspace, ...Workspace[]];
  /** Index of the active workspace: that of the window which has the focus. */
  readonly active: number;
  /** Index of the workspace in the main window, while the active one has a window of its own. */
  readonly main?: number | undefined;
  readonly tiles: Readonly<Record<number, TileContent>>;
  /** Key of the next new tile. Keys are never reused. */
  readonly nextKey: number;
}

const Saved = z
  .object({
    workspaces: z.tuple([WorkspaceSchema], WorkspaceSchema),
    active: z.int().nonnegative(),
    main: z.int().nonnegative().optional(),
    tiles: z.record(z.string(), z.union([TileContent, UnknownTile])),
    nextKey: z.int().positive(),
  })
  .refine(({ active, main = active, workspaces }) => Math.max(active, main) < workspaces.length, "the shown ones exist")
  .refine(({ workspaces, nextKey }) => {
    const windows = workspaces.flatMap(({ window }) => window?.id ?? []);
    const areUnique = new Set(windows).size === windows.length && windows.every((id) => id < nextKey);
    return areUnique && windows.length < workspaces.length;
  }, "windows have ids of their own, and the main one has a workspace")
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

/**
 * Parses a saved state; undefined if it is inconsistent. Tiles of types that this version does not know are closed.
 * @param onUnknown called with the types of those tiles, if there are any
 */
export function restoreState(saved: unknown, onUnknown?: (types: readonly string[]) => void): ClientState | undefined {
  const parsed = Saved.safeParse(saved);
  if (!parsed.success) return undefined;
  const state = parsed.data as ClientState;
  const unknown = Object.values(parsed.data.tiles).filter((tile) => !("id" in tile));
  if (unknown.length === 0) return state;
  onUnknown?.(unknown.map(({ type }) => type));
  const keys = unknown.map(({ key }) => key);
  return settled(withoutTiles(state, keys), state);
}

/** Returns the active workspace. */
export function activeWorkspace(state: ClientState): Workspace {
  return state.workspaces[state.active] ?? state.workspaces[0];
}

/** Returns the index of the workspace that the main window shows. */
export function mainIndex({ active, main = active }: ClientState): number {
  return main;
}

/** Returns the index of the workspace that has this window, or -1. */
export function workspaceOfWindow({ workspaces }: ClientState, id: number): number {
  return workspaces.findIndex(({ window }) => window?.id === id);
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

/** Returns the state with the focus on a tile, whose workspace becomes the active one; unchanged if it has no such tile. */
export function withFocus(state: ClientState, key: TileKey): ClientState {
  const index = workspaceOf(state, key);
  if (index === -1) return state;
  const next = withWorkspace(state, index, (workspace) => focusTile(workspace, key));
  return next.active === index ? next : { ...next, active: index };
}

/** Returns the state with the focus in each workspace, and the order in which tiles get it, as before; new tiles are the last. */
export function withFocusHistory(state: ClientState, before: ClientState): ClientState {
  const known = before.workspaces.flatMap(({ recent }) => recent);
  return state.workspaces.reduce(
    (next, _workspace, index) =>
      withWorkspace(next, index, (workspace) => {
        const tiles = new Set(workspace.recent);
        const had = known.filter((key) => tiles.delete(key));
        const [first] = had;
        return first === undefined ? workspace : { ...focusTile(workspace, first), recent: [...had, ...tiles] };
      }),
    state,
  );
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

/**
 * Returns the state without this workspace and its tiles. The main window keeps one: closing its only one leaves an empty
 * workspace.
 */
export function withoutWorkspace(now: ClientState, index: number): ClientState {
  const gone = new Set<number>(now.workspaces[index]?.recent);
  const tiles = Object.fromEntries(Object.entries(now.tiles).filter(([key]) => !gone.has(Number(key))));
  const rest = now.workspaces.toSpliced(index, 1);
  const isLast = rest.every(({ window }) => window !== undefined);
  const [first = emptyWorkspace("1"), ...others] = isLast ? [emptyWorkspace("1"), ...rest] : rest;
  const workspaces: ClientState["workspaces"] = [first, ...others];
  // An empty workspace in front moves the others down by one.
  const moved = (one: number) => one - (one > index ? 1 : 0) + (isLast ? 1 : 0);
  const main = mainIndex(now) === index ? nextInMain(workspaces, index) : moved(mainIndex(now));
  return { ...now, tiles, workspaces, main, active: now.active === index ? main : moved(now.active) };
}

/** Returns the index of the workspace that takes a closed one's place in the main window: the next one, else the last. */
function nextInMain(workspaces: ClientState["workspaces"], index: number): number {
  const isInMain = workspaces.map(({ window }) => window === undefined);
  const next = isInMain.indexOf(true, index);
  return next === -1 ? isInMain.lastIndexOf(true) : next;
}

/**
 * Completes a change: a workspace in a window of its own goes with its last tile, and the main window keeps its workspace
 * while the active one is in another window.
 */
export function settled(next: ClientState, before: ClientState): ClientState {
  const empty = next.workspaces.findIndex(({ window, root }) => window !== undefined && root === null);
  if (empty !== -1) return settled(withoutWorkspace(next, empty), before);
  const isInMain = (index: number) => index in next.workspaces && next.workspaces[index]?.window === undefined;
  if (isInMain(next.active)) return next.main === undefined ? next : { ...next, main: undefined };
  const main = [next.main, mainIndex(before), 0].find((index) => index !== undefined && isInMain(index));
  return main === next.main ? next : { ...next, main: main ?? nextInMain(next.workspaces, 0) };
}
