import "./plugin-tile.css";
import type { PluginRecord } from "../../../core/protocol/records.ts";
import type { TileContent } from "../../../core/state/client-state.ts";
import { useSnapshot } from "../view/view.ts";
import { words } from "../words/index.ts";
import { useAcceptance, useNetworkHold } from "./network-hold.ts";
import { PluginExposure } from "./plugin-exposure.tsx";
import { PluginFrame } from "./plugin-frame.tsx";
import { PluginPrompt } from "./plugin-prompt.tsx";

/** A plugin in a tile: its page, its permission prompt, or why there is no page. */
export function PluginTile({ tile }: { tile: TileContent }) {
  const { mirror, self } = useSnapshot();
  if (mirror === undefined) return null;
  const plugin = mirror.plugins.find(({ id }) => id === tile.plugin);
  if (plugin === undefined) {
    return <p className="tile-note">{words.tiles.plugin.missing(tile.plugin ?? "")}</p>;
  }
  const { page } = plugin;
  if (page === null) return <p className="tile-note">{words.tiles.plugin.pageMissing(plugin.name)}</p>;
  // Keyed by the page, so that another version starts with fresh state.
  return <InstalledPlugin key={page} plugin={plugin} page={page} mayAnswer={self?.role === "admin"} />;
}

function InstalledPlugin({ plugin, page, mayAnswer }: { plugin: PluginRecord; page: string; mayAnswer: boolean }) {
  const held = useNetworkHold(page);
  const [accepted, accept] = useAcceptance(page, plugin.allowed);
  if (held === undefined) return null;
  if (plugin.asks) return <PluginPrompt plugin={plugin} mayAnswer={mayAnswer} held={held} accept={accept} />;
  if (held || accepted) return <PluginFrame plugin={plugin} page={page} />;
  return <PluginExposure plugin={plugin} accept={() => accept(plugin.allowed)} />;
}
