import { relayOps } from "../../protocol/relay-ops.ts";
import { command } from "../command.ts";

const { plugin } = relayOps.removePlugin.params.shape;

export const removePlugin = command({
  area: "plugins",
  summary: "Remove a plugin with its permissions and its state",
  params: relayOps.removePlugin.params.extend({ plugin: plugin.describe("id of the plugin") }),
  result: relayOps.removePlugin.result,
  role: "admin",
  scope: "session",
  touches: "screen",
  palette: [
    {
      title: "Remove a plugin…",
      submit: "Remove",
      fields: { plugin: { label: "Plugin", pick: "plugin", needed: true } },
    },
  ],
  closedToPlugins: true,
  cli: [{ name: "remove-plugin", args: ["plugin"], examples: ["remove-plugin agent-cost"] }],
  run: (context, wanted) => context.delegate("removePlugin", wanted),
});
