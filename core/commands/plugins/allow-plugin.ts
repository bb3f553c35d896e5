import { relayOps } from "../../protocol/relay-ops.ts";
import { command } from "../command.ts";

const { plugin, methods } = relayOps.allowPlugin.params.shape;

export const allowPlugin = command({
  area: "plugins",
  summary: "Say which of the methods that a plugin asks for it may call",
  details: "Takes the place of what was allowed before; without methods the plugin runs but may call nothing.",
  params: relayOps.allowPlugin.params.extend({
    plugin: plugin.describe("id of the plugin"),
    methods: methods.default([]).describe("methods that it may call, all of them among its permissions"),
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
      json: ["methods"],
      examples: [`allow-plugin cost --methods '["getAgentCost"]'`],
    },
  ],
  run: (context, wanted) => context.delegate("allowPlugin", wanted),
});
