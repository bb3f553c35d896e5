import fc from "fast-check";
import { closeTile } from "../../../../core/layout/close-tile.ts";
import { cycleTab, focusTile, selectTab, toggleMaximize } from "../../../../core/layout/focus.ts";
import { resetLayout } from "../../../../core/layout/grid.ts";
import type { Direction, Workspace } from "../../../../core/layout/layout.ts";
import { type DropPosition, moveTile, swapTiles } from "../../../../core/layout/move-tile.ts";
import { addFirstTile, addTab, splitTile } from "../../../../core/layout/open-tile.ts";
import { setRatio, toggleDirection } from "../../../../core/layout/splits.ts";
import { emptyWorkspace } from "../../../../core/layout/workspace.ts";
import { RemoteError } from "../../../../core/protocol/errors.ts";
import { TileKey } from "../../../../core/protocol/ids.ts";

/** At least the 1,000 runs that the layout issue asks of every property. */
export const runs = { numRuns: 1000 };

export const key = (value: number): TileKey => TileKey.parse(value);

/** One user action; `tile` and `other` are picks that count around the tiles which exist when it happens. */
export interface Action {
  readonly name: (typeof actionNames)[number];
  readonly tile: number;
  readonly other: number;
  readonly direction: Direction;
  readonly focus: boolean;
  readonly ratio: number;
  readonly place: DropPosition;
}

const actionNames = [
  "split",
  "tab",
  "close",
  "focus",
  "select",
  "next",
  "previous",
  "maximize",
  "swap",
  "move",
  "ratio",
  "toggle",
  "reset",
] as const;

const growing = ["split", "split", "tab"] as const;

export const action: fc.Arbitrary<Action> = fc.record({
  // More growth than a fair draw gives, so that layouts become interesting.
  name: fc.constantFrom(...actionNames, ...growing),
  tile: fc.nat(50),
  other: fc.nat(50),
  direction: fc.constantFrom("horizontal", "vertical"),
  focus: fc.boolean(),
  ratio: fc.double({ min: 0.1, max: 0.9, noNaN: true }),
  place: fc.constantFrom("left", "right", "up", "down", "tab"),
});

export const actions = fc.array(action, { maxLength: 40, size: "max" });

/** A workspace that was reached by actions of a user; may be empty. */
export const workspace: fc.Arbitrary<Workspace> = actions.map((list) => played(list).at(-1) ?? emptyWorkspace("page"));

/** A workspace with tiles. */
export const filledWorkspace = workspace.filter(({ recent }) => recent.length > 0);

/** Any of the workspace's tiles, by a number. */
export function pick({ recent }: Workspace, index: number): TileKey {
  const tiles = recent.toSorted((a, b) => a - b);
  const tile = tiles[index % tiles.length];
  if (tile === undefined) throw new RangeError("the workspace is empty");
  return tile;
}

/** All workspaces on the way through these actions, the empty one first. A refused action changes nothing. */
export function played(list: readonly Action[]): readonly Workspace[] {
  const states = [emptyWorkspace("page")];
  for (const [index, step] of list.entries()) {
    const now = states.at(-1) ?? emptyWorkspace("page");
    try {
      states.push(now.recent.length === 0 ? addFirstTile(now, key(index + 1)) : done(now, step, key(index + 1)));
    } catch (error) {
      if (!(error instanceof RemoteError)) throw error;
    }
  }
  return states;
}

function done(now: Workspace, { name, direction, focus, ratio, place, ...picks }: Action, fresh: TileKey): Workspace {
  const tile = pick(now, picks.tile);
  const other = pick(now, picks.other);
  switch (name) {
    case "split":
      return splitTile(now, tile, fresh, direction, { focus });
    case "tab":
      return addTab(now, tile, fresh, { focus });
    case "close":
      return closeTile(now, tile);
    case "focus":
      return focusTile(now, tile);
    case "select":
      return selectTab(now, tile, picks.other % 4);
    case "next":
      return cycleTab(now, tile, 1);
    case "previous":
      return cycleTab(now, tile, -1);
    case "maximize":
      return toggleMaximize(now, tile);
    case "swap":
      return swapTiles(now, tile, other);
    case "move":
      return moveTile(now, tile, other, place);
    case "ratio":
      return setRatio(now, tile, ratio);
    case "toggle":
      return toggleDirection(now, tile);
    case "reset":
      return resetLayout(now);
  }
}
