import type { TileContent } from "../../../core/state/client-state.ts";

/** Plugins get a sandboxed frame of their own origin; until this build has it, the tile says what it would show. */
export function PluginTile({ tile }: { tile: TileContent }) {
  return (
    <p className="tile-note">
      The plugin “{tile.plugin ?? tile.id}” would show here. This build does not run plugins yet; its place is kept.
    </p>
  );
}
