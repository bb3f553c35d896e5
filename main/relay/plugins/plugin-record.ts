import type { Manifest } from "../../../core/operations/manifest.ts";
import type { SessionId } from "../../../core/protocol/ids.ts";
import type { PluginRecord } from "../../../core/protocol/records.ts";
import type { PluginRow } from "../store/plugin-rows.ts";

interface Known {
  readonly session: SessionId;
  readonly row: PluginRow;
  readonly plugin: Manifest;
  /** Whether its page is kept. */
  readonly whole: boolean;
}

/** An installed plugin as every client of its session may see it. */
export function pluginRecord({ session, row, plugin, whole }: Known): PluginRecord {
  const { id, name, version, description, permissions, events } = plugin;
  const { answered, allowed, entrySha256, manifestUrl } = row;
  const answeredAll =
    answered !== null &&
    permissions.every((method) => answered.permissions.includes(method)) &&
    events.every((type) => answered.events.includes(type));
  return {
    ...{ id, name, version, description, permissions, events },
    from: new URL(manifestUrl).origin,
    allowed: [...allowed],
    asks: !answeredAll,
    page: whole ? `v1/sessions/${session}/plugins/${id}/${entrySha256}/frame` : null,
  };
}
