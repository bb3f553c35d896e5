import type { Manifest } from "../../../core/operations/manifest.ts";
import type { SessionId } from "../../../core/protocol/ids.ts";
import type { PluginRecord } from "../../../core/protocol/records.ts";
import type { PluginRow } from "../store/plugin-rows.ts";

interface PluginRecordSource {
  readonly session: SessionId;
  readonly row: PluginRow;
  readonly plugin: Manifest;
  /** Whether its entry page is stored. */
  readonly hasPage: boolean;
}

/** Returns an installed plugin as the clients of its session see it. */
export function pluginRecord({ session, row, plugin, hasPage }: PluginRecordSource): PluginRecord {
  const { id, name, version, description, permissions, events } = plugin;
  const { answered, allowed, entrySha256, entryUrl } = row;
  const answeredAll =
    answered !== null &&
    permissions.every((method) => answered.permissions.includes(method)) &&
    events.every((type) => answered.events.includes(type));
  return {
    ...{ id, name, version, description, permissions, events },
    // Where it came from in the end: the address that was asked for may have led elsewhere.
    from: new URL(entryUrl).origin,
    allowed: [...allowed],
    asks: !answeredAll,
    page: hasPage ? `v1/sessions/${session}/plugins/${id}/${entrySha256}/frame` : null,
  };
}
