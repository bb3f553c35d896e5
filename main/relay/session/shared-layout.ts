import { z } from "zod";
import { RemoteError } from "../../../core/protocol/errors.ts";
import { TileKey } from "../../../core/protocol/ids.ts";
import { limits } from "../../../core/protocol/limits.ts";
import type { SessionMirror } from "../../../core/protocol/mirror.ts";
import { type LookedAt, TileType } from "../../../core/protocol/records.ts";
import { UnknownTile } from "../../../core/state/client-state.ts";

const SavedTile = z.object({
  key: TileKey,
  type: TileType,
  id: z.int(),
  label: z.string().optional(),
  url: z.string().transform(publicPart).optional(),
  plugin: z.string().optional(),
  offset: z.int().optional(),
  length: z.int().optional(),
});

/** A client's state as far as it is for others; the client that reads it checks its layout. */
const SavedLayout = z.object({
  workspaces: z.unknown(),
  active: z.unknown(),
  tiles: z.record(z.string(), z.union([SavedTile, UnknownTile])),
  nextKey: z.unknown(),
});

/** The shared form of each saved layout, which is replaced and never changed: readers may ask for it without end. */
const shared = new WeakMap<object, { readonly layout: z.infer<typeof SavedLayout> | null; readonly length: number }>();

/**
 * Returns a client's saved layout as the session's other clients see it: addresses of pages without user, password, query
 * and fragment. Returns null where none is saved.
 *
 * @throws RemoteError `limit_reached` for a layout that is too large to be passed on
 */
export function sharedLayout(saved: unknown): z.infer<typeof SavedLayout> | null {
  if (typeof saved !== "object" || saved === null) return null;
  let known = shared.get(saved);
  if (known === undefined) {
    const layout = SavedLayout.safeParse(saved).data ?? null;
    known = { layout, length: JSON.stringify(layout).length };
    shared.set(saved, known);
  }
  if (known.length <= limits.guestStateLength) return known.layout;
  throw new RemoteError("limit_reached", "The layout of this client is too large to be shown to others.");
}

const WithTiles = z.object({ tiles: z.record(z.string(), z.unknown()) });

/** Returns what a client looks at by its saved state: a shell or a tunnel of the session; undefined for anything else. */
export function lookedAt(
  { saved, focus }: { saved: unknown; focus: TileKey | null },
  { shells }: Pick<SessionMirror, "shells">,
): LookedAt | undefined {
  if (focus === null) return undefined;
  const tile = SavedTile.safeParse(WithTiles.safeParse(saved).data?.tiles[focus]).data;
  if (tile?.type === "tunnel") return { type: "tunnel", id: tile.id };
  if (tile?.type !== "shell" && tile?.type !== "peek") return undefined;
  return shells.some(({ id }) => id === tile.id) ? { type: "shell", id: tile.id } : undefined;
}

function publicPart(address: string): string {
  if (!URL.canParse(address)) return "about:blank";
  const { origin, pathname } = new URL(address);
  return origin === "null" ? "about:blank" : origin + pathname;
}
