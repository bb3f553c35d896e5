import { relayOps } from "../../protocol/relay-ops.ts";
import { command } from "../command.ts";

const { plugin, key, value } = relayOps.setPluginState.params.shape;

export const setPluginState = command({
  area: "plugins",
  summary: "Store a value for a plugin",
  details: "A plugin keeps at most 100 values of at most 16 KiB each; null removes one.",
  params: relayOps.setPluginState.params.extend({
    plugin: plugin.describe("id of the plugin"),
    key: key.describe("name of the value"),
    value: value.describe("any JSON; null removes it"),
  }),
  result: relayOps.setPluginState.result,
  role: "writer",
  scope: "session",
  touches: "screen",
  closedToPlugins: true,
  sensitive: ["value"],
  cli: [
    {
      name: "set-plugin-state",
      args: ["plugin", "key", "value"],
      json: ["value"],
      examples: [`set-plugin-state agent-cost range '"day"'`],
    },
  ],
  run: (context, wanted) => context.delegate("setPluginState", wanted),
});
