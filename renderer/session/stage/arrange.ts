import { boxesOf } from "../../../core/layout/geometry.ts";
import type { Leaf, Workspace } from "../../../core/layout/layout.ts";
import { focusedTile } from "../../../core/layout/workspace.ts";
import type { TileKey } from "../../../core/protocol/ids.ts";
import { type PixelBox, pixelBox, type Size } from "./pixels.ts";

/** A tab group with its place on the stage. */
export interface Arranged {
  readonly group: Leaf;
  readonly box: PixelBox;
  /** False behind a maximized group, and for all but one on a narrow screen. */
  readonly shown: boolean;
}

/** Where each group of a workspace is drawn. With `single` (a narrow screen) the focused group has the whole stage. */
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
