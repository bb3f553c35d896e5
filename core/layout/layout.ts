import { z } from "zod";
import { TileKey } from "../protocol/ids.ts";
import { faultsOf } from "./faults.ts";

/** `horizontal`: first and second side by side. `vertical`: first above second (decisions.md §4). */
export const Direction = z.enum(["horizontal", "vertical"]);
export type Direction = z.infer<typeof Direction>;

/** Bounds of a split's ratio, the share of `first` (interface.md §8). */
export const ratioBounds = { min: 0.1, max: 0.9 } as const;

export const Ratio = z.number().min(ratioBounds.min).max(ratioBounds.max);

/** Tiles that one workspace holds at most: it also bounds the depth of a tree, so that no walk runs out of stack. */
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

/** One page of tiles. Keys are unique in it; the caller keeps them unique across pages. */
export interface Workspace {
  readonly name: string;
  /** `null`: the workspace is empty. */
  readonly root: Layout | null;
  /** The tile that fills the workspace; always the focused one. */
  readonly maximized: TileKey | null;
  /** Every tile exactly once, the most recently focused first; `recent[0]` has the focus. */
  readonly recent: readonly TileKey[];
}

const Node = z.discriminatedUnion("kind", [
  z
    .object({ kind: z.literal("leaf"), tiles: z.array(TileKey).min(1), front: TileKey })
    .refine(({ tiles, front }) => tiles.includes(front), "the front tile must be one of the group's tiles"),
  z.object({ kind: z.literal("split"), direction: Direction, ratio: Ratio, first: z.unknown(), second: z.unknown() }),
]);

/** A tree from disk or from a peer. Read node by node: a recursive zod schema overflows the stack on deep trees. */
export const LayoutSchema: z.ZodType<Layout> = z
  .unknown()
  .transform((value, context) => readLayout(value, [], (issue) => context.addIssue(issue)) ?? z.NEVER);

/** A workspace from disk or from a peer, with every promise of `Workspace` and `Leaf` checked. */
export const WorkspaceSchema: z.ZodType<Workspace> = z
  .object({
    name: z.string().max(200),
    root: LayoutSchema.nullable(),
    maximized: TileKey.nullable(),
    recent: z.array(TileKey).max(maxTiles),
  })
  .superRefine((workspace, context) => {
    for (const message of faultsOf(workspace)) context.addIssue({ code: "custom", message });
  });

type Report = (issue: { code: "custom"; path: PropertyKey[]; message: string }) => void;

function readLayout(value: unknown, path: readonly PropertyKey[], report: Report): Layout | null {
  if (path.length >= maxTiles) {
    report({ code: "custom", path: [], message: `the tree is deeper than ${maxTiles} levels` });
    return null;
  }
  const node = Node.safeParse(value);
  if (!node.success) {
    for (const { path: inner, message } of node.error.issues) {
      report({ code: "custom", path: [...path, ...inner], message });
    }
    return null;
  }
  if (node.data.kind === "leaf") return node.data;
  const first = readLayout(node.data.first, [...path, "first"], report);
  const second = first && readLayout(node.data.second, [...path, "second"], report);
  return first && second && { ...node.data, first, second };
}
