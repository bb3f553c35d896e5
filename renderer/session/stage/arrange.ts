import { boxesOf } from "../../../core/layout/geometry.ts";
import type { Leaf, Workspace } from "../../../core/layout/layout.ts";
import { focusedTile, tilesOf } from "../../../core/layout/workspace.ts";
import type { TileKey } from "../../../core/protocol/ids.ts";
import { activeWorkspace, type ClientState, focusOf } from "../../../core/state/client-state.ts";
import { type PixelBox, pixelBox, type Size } from "./pixels.ts";

/** A tab group with its rectangle on the stage. */
export interface Arranged {
  readonly group: Leaf;
  readonly box: PixelBox;
  /** False for groups behind a maximized one, and for all but the focused one on a narrow screen. */
  readonly shown: boolean;
}

/** Computes where each group of a workspace is drawn. With `single` (narrow screens) the focused group fills the stage. */
export function arrange(workspace: Workspace, stage: Size, single: boolean): readonly Arranged[] {
  const alone = single ? focusedTile(workspace) : workspace.maximized;
  const whole = pixelBox({ left: 0, top: 0, right: 1, bottom: 1 }, stage);
  return boxesOf(workspace.root).map((box) => {
    const { group } = box;
    if (single) return { group, box: whole, shown: holds(group, alone) };
    const fills = holds(group, alone);
    return { group, box: fills ? whole : pixelBox(box, stage), shown: alone === null || fills };
  });
}

function holds(group: Leaf, key: TileKey | null): boolean {
  return key !== null && group.tiles.includes(key);
}

/** Returns the tile `step` places after the focused one, wrapping around; undefined if there is no other. */
export function nextTile(state: ClientState, step: number): TileKey | undefined {
  const keys = tilesOf(activeWorkspace(state));
  const focus = focusOf(state);
  if (focus === null || keys.length < 2) return undefined;
  return keys.at((keys.indexOf(focus) + step) % keys.length);
}
