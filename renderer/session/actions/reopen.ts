import type { Layout } from "../../../core/layout/layout.ts";
import { groupOf, parentOf, tilesIn } from "../../../core/layout/tree.ts";
import type { TileKey } from "../../../core/protocol/ids.ts";
import type { ClientState, TileContent } from "../../../core/state/client-state.ts";
import type { SessionSnapshot } from "../view/session-host.ts";
import type { ClosedTile } from "../view/ui-state.ts";
import type { View } from "../view/view.ts";
import { words } from "../words/index.ts";

/** Number of closed tiles that can be reopened. */
const MAX_CLOSED = 20;

/** Closes a tile and offers to reopen it; its shell goes on meanwhile. */
export async function closeReopenably(view: View, tile: TileContent, message: string): Promise<void> {
  const { closedTiles, toasts } = view.ui;
  const closed = closedTile(view.host.snapshot().state, tile);
  if ((await view.run("closeTile", { tile: tile.key })) === undefined) return;
  closedTiles.set([closed, ...closedTiles.get()].slice(0, MAX_CLOSED));
  toasts.show(
    "info",
    message,
    [{ label: words.actions.reopen.reopen, run: () => void reopen(view, closed) }],
    "closed tile",
  );
}

/** Reopens the tile that was closed last, as far as what it showed is still there. */
export async function reopenLast(view: View): Promise<void> {
  const last = view.ui.closedTiles.get().find((closed) => isThere(closed, view.host.snapshot()));
  if (last === undefined) view.ui.toasts.show("info", words.actions.reopen.none);
  else await reopen(view, last);
}

/** Opens the tile again: beside the tile that it was next to, on the same side, with its size and its name. */
async function reopen(view: View, closed: ClosedTile): Promise<void> {
  const { closedTiles, toasts } = view.ui;
  if (!closedTiles.get().includes(closed)) return;
  closedTiles.set(closedTiles.get().filter((one) => one !== closed));
  toasts.dismissAbout("closed tile");
  const { tile, beside } = closed;
  const target = beside !== undefined && beside.tile in view.host.snapshot().state.tiles ? beside : undefined;
  const opened = await view.run("openTile", { ...contentParams(tile), ...(target && openParams(target)) });
  const key = keyOf(opened);
  if (key === undefined) return;
  if (target?.place === "left" || target?.place === "up") {
    await view.run("moveTile", { key, target: target.tile, place: target.place });
  }
  if (target?.ratio !== undefined) await view.run("setRatio", { tile: key, ratio: target.ratio });
  if (tile.label !== undefined) await view.run("renameTile", { key, name: tile.label });
}

/** Returns what is needed to open a tile again. */
function closedTile(state: ClientState, tile: TileContent): ClosedTile {
  const workspace = state.workspaces.find(({ recent }) => recent.includes(tile.key));
  return { tile, beside: neighbourOf(workspace?.root ?? null, tile.key) };
}

function neighbourOf(root: Layout | null, key: TileKey): ClosedTile["beside"] {
  const mate = groupOf(root, key)?.tiles.find((other) => other !== key);
  if (mate !== undefined) return { tile: mate, place: "tab", ratio: undefined };
  const split = parentOf(root, key);
  if (split === null) return undefined;
  const isFirst = tilesIn(split.first).includes(key);
  const [tile] = tilesIn(isFirst ? split.second : split.first);
  if (tile === undefined) return undefined;
  const sides = split.direction === "horizontal" ? (["left", "right"] as const) : (["up", "down"] as const);
  return { tile, place: sides[isFirst ? 0 : 1], ratio: split.ratio };
}

function contentParams({ type, id, url, plugin, offset, length }: TileContent): Readonly<Record<string, unknown>> {
  switch (type) {
    case "shell":
    case "peek":
      return { type, shell: id };
    case "history":
      return { type, shell: id, offset, length };
    case "tunnel":
      return { type, port: id };
    case "browser":
      return url === undefined ? { type } : { type, url };
    case "plugin":
      return { type, plugin };
  }
}

function openParams({ tile, place }: NonNullable<ClosedTile["beside"]>): Readonly<Record<string, unknown>> {
  return { tile, place: place === "tab" ? "tab" : place === "left" || place === "right" ? "right" : "down" };
}

function isThere({ tile }: ClosedTile, { mirror }: SessionSnapshot): boolean {
  if (tile.type === "plugin") return mirror?.plugins.some(({ id }) => id === tile.plugin) === true;
  if (tile.type !== "shell" && tile.type !== "peek") return true;
  return mirror?.shells.some(({ id }) => id === tile.id) === true;
}

function keyOf(opened: unknown): TileKey | undefined {
  const key = typeof opened === "object" && opened !== null && "key" in opened ? opened.key : undefined;
  return typeof key === "number" ? (key as TileKey) : undefined;
}
