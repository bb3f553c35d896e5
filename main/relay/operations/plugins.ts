import type { pluginOperations } from "../../../core/operations/plugins.ts";
import type { Handlers } from "../calls/calls.ts";
import type { Plugins } from "../plugins/plugins.ts";

export function pluginHandlers(plugins: Plugins): Handlers<keyof typeof pluginOperations> {
  return {
    listPlugins: (_params, { session }) => plugins.list(session.id),
    async installPlugin({ plugin_id: id, manifest_url: manifestUrl }, { session }) {
      await plugins.install(session.id, { id, manifestUrl });
      return { ok: true };
    },
    removePlugin: ({ plugin }, { session }) => plugins.remove(session.id, plugin),
  };
}
