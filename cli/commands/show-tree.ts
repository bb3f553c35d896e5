import type { CallHit, RemoteClient } from "../../client/remote-client.ts";
import { checkResult } from "../../client/service-error.ts";
import { LayoutTree } from "../../core/protocol/records.ts";
import type { Style } from "../render/io.ts";
import { drawTree, type TileLabel } from "../render/tree.ts";

/** Draws a layout with what its tiles show, which it asks of the same client that the layout came from. */
export async function showTree(
  client: RemoteClient,
  { result, hit }: { result: unknown; hit: CallHit },
  style: Style,
): Promise<string> {
  const target = hit.client === undefined ? {} : { client: hit.client };
  const [tiles, names] = await Promise.all([
    client.call("getTiles", {}, target),
    client.call("getTerminalNames", {}, target),
  ]);
  const titles = new Map<number, string>(names.map(({ id, title }) => [id, title]));
  const labels = new Map<number, TileLabel>();
  for (const { key, type, id, active, label, url, cwd, plugin, maximized = false } of tiles) {
    const title = type === "shell" || type === "peek" ? (label ?? titles.get(id)) : label;
    const detail = url ?? cwd ?? plugin;
    labels.set(key, { type, id, title, detail, maximized, focused: active });
  }
  return drawTree(checkResult(LayoutTree, result, client.url), labels, style);
}
