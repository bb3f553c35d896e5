import { z } from "zod";
import { TileKey } from "../protocol/ids.ts";

/** `horizontal`: first and second side by side. `vertical`: first above second (docs/decisions/0005). */
export const Direction = z.enum(["horizontal", "vertical"]);
export type Direction = z.infer<typeof Direction>;

/** Bounds of a split's ratio, which is the share of `first` (docs/specification.md §8). */
export const ratioBounds = { min: 0.1, max: 0.9 } as const;

/** Clamps a ratio to its bounds and rounds it to a thousandth, which is less than a pixel. */
export function clampRatio(ratio: number): number {
  return Math.min(ratioBounds.max, Math.max(ratioBounds.min, Math.round(ratio * 1000) / 1000));
}

export const Ratio = z.number().min(ratioBounds.min).max(ratioBounds.max);

/** Maximum number of tiles in a workspace. Also bounds the depth of a tree, so that recursion cannot overflow. */
export const maxTiles = 1024;

/** A tab group, never empty. `front` is the most recently focused of its tiles. */
export interface Leaf {
  readonly kind: "leaf";
  readonly tiles: readonly TileKey[];
  readonly front: TileKey;
}

export interface Split {
  readonly kind: "split";
  readonly direction: Direction;
  /** Share of `first`, 0.1 to 0.9. */
  readonly ratio: number;
  readonly first: Layout;
  readonly second: Layout;
}

export type Layout = Leaf | Split;

/** Where tiles were that have a window of their own: as tabs of a group, or as one half of a split. */
export const Home = z.discriminatedUnion("kind", [
  /** `tiles`: the others of the group. `index`: of the first tab that left. */
  z.object({ kind: z.literal("tab"), tiles: z.array(TileKey).min(1).max(maxTiles), index: z.int().nonnegative() }),
  /** `tiles`: those of the other half, on whose `side` the half was. `ratio`: of the split. */
  z.object({
    kind: z.literal("half"),
    tiles: z.array(TileKey).min(1).max(maxTiles),
    side: z.enum(["left", "right", "up", "down"]),
    ratio: Ratio,
  }),
]);
export type Home = z.infer<typeof Home>;

/** The window of a workspace that is not shown in the main one. */
export const OwnWindow = z.object({
  /** Unique within a client, and never reused. */
  id: z.int().positive(),
  /** Absent where the tile was alone in its workspace. */
  home: Home.optional(),
});
export type OwnWindow = z.infer<typeof OwnWindow>;

/** One page of tiles. Keys are unique within it; the caller keeps them unique across workspaces. */
export interface Workspace {
  readonly name: string;
  /** `null`: the workspace is empty. */
  readonly root: Layout | null;
  /** The tile that fills the workspace; always the focused one. */
  readonly maximized: TileKey | null;
  /** All tiles, most recently focused first; `recent[0]` has the focus. */
  readonly recent: readonly TileKey[];
  /** Undefined for a workspace of the main window. */
  readonly window?: OwnWindow | undefined;
}
