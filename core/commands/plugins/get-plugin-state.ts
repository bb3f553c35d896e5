import { relayOps } from "../../protocol/relay-ops.ts";
import { command } from "../command.ts";

const { plugin, key } = relayOps.getPluginState.params.shape;

export const getPluginState = command({
  area: "plugins",
  summary: "Read a stored value of a plugin",
  details: "The value is null where there is none.",
  params: relayOps.getPluginState.params.extend({
    plugin: plugin.describe("id of the plugin"),
    key: key.describe("name of the value"),
  }),
  result: relayOps.getPluginState.result,
  role: "reader",
  reads: "the stored values of all plugins",
  scope: "session",
  closedToPlugins: true,
  cli: [{ name: "get-plugin-state", args: ["plugin", "key"], examples: ["get-plugin-state agent-cost range"] }],
  run: (context, wanted) => context.delegate("getPluginState", wanted),
});
