import { relayOps } from "../../protocol/relay-ops.ts";
import { command } from "../command.ts";
import { nameList } from "../fields.ts";

const { plugin, methods } = relayOps.allowPlugin.params.shape;

export const allowPlugin = command({
  area: "plugins",
  summary: "Set which of its requested methods a plugin may call",
  details: "Takes the place of what was allowed before; without methods the plugin runs but may call nothing.",
  params: relayOps.allowPlugin.params.extend({
    plugin: plugin.describe("id of the plugin"),
    methods: nameList(methods)
      .default([])
      .describe("methods that it may call, separated by commas, all of them among its permissions"),
  }),
  result: relayOps.allowPlugin.result,
  role: "admin",
  scope: "session",
  touches: "screen",
  closedToPlugins: true,
  cli: [
    {
      name: "allow-plugin",
      args: ["plugin"],
      examples: ["allow-plugin cost --methods getAgentCost,getTiles"],
    },
  ],
  run: (context, wanted) => context.delegate("allowPlugin", wanted),
});
