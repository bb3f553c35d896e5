import { z } from "zod";
import { relayCommand } from "../command.ts";
import { pluginId } from "../fields.ts";

export const removePlugin = relayCommand({
  area: "plugins",
  summary: "Remove a plugin with its permissions and its state",
  params: z.object({ plugin: pluginId }),
  result: z.object({ id: z.string() }),
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
});
