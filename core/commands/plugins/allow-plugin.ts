import { z } from "zod";
import { PluginRecord } from "../../protocol/records.ts";
import { relayCommand } from "../command.ts";
import { nameList, pluginId } from "../fields.ts";

export const allowPlugin = relayCommand({
  area: "plugins",
  summary: "Set which of its requested methods a plugin may call",
  details: "Takes the place of what was allowed before; without methods the plugin runs but may call nothing.",
  params: z.object({
    plugin: pluginId,
    methods: nameList(z.array(z.string().max(100)).max(100))
      .default([])
      .describe("methods that it may call, separated by commas, all of them among its permissions"),
    events: nameList(z.array(z.string().max(200)).max(100))
      .optional()
      .describe("events that it hears, as they were shown: the answer is refused if it has changed what it asks for"),
  }),
  result: PluginRecord,
  role: "admin",
  scope: "session",
  touches: "screen",
  closedToPlugins: true,
  closedToAutomation: true,
  cli: [
    {
      name: "allow-plugin",
      args: ["plugin"],
      examples: ["allow-plugin cost --methods getAgentCost,getTiles"],
    },
  ],
});
