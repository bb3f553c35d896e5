import { z } from "zod";
import { TileKey } from "../protocol/ids.ts";
import { invariantViolations } from "./invariants.ts";
import { Direction, type Layout, maxTiles, OwnWindow, Ratio, type Workspace } from "./layout.ts";

const Node = z.discriminatedUnion("kind", [
  z
    .object({ kind: z.literal("leaf"), tiles: z.array(TileKey).min(1), front: TileKey })
    .refine(({ tiles, front }) => tiles.includes(front), "the front tile must be one of the group's tiles"),
  z.object({ kind: z.literal("split"), direction: Direction, ratio: Ratio, first: z.unknown(), second: z.unknown() }),
]);

/** Parses an untrusted tree, node by node: a recursive zod schema overflows the stack on deep trees. */
export const LayoutSchema: z.ZodType<Layout> = z
  .unknown()
  .transform((value, context) => readLayout(value, [], (issue) => context.addIssue(issue)) ?? z.NEVER);

/** Parses an untrusted workspace and checks every invariant of `Workspace` and `Leaf`. */
export const WorkspaceSchema: z.ZodType<Workspace> = z
  .object({
    name: z.string().max(200),
    root: LayoutSchema.nullable(),
    maximized: TileKey.nullable(),
    recent: z.array(TileKey).max(maxTiles),
    window: OwnWindow.optional(),
  })
  .superRefine((workspace, context) => {
    for (const message of invariantViolations(workspace)) context.addIssue({ code: "custom", message });
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
