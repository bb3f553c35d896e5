import { z } from "zod";
import { JsonValue } from "../../protocol/json-value.ts";
import { relayCommand } from "../command.ts";
import { pluginId, stateKey } from "../fields.ts";

export const setPluginState = relayCommand({
  area: "plugins",
  summary: "Store a value for a plugin",
  details: "A plugin keeps at most 100 values of at most 16 KiB each; null removes one.",
  params: z.object({
    plugin: pluginId,
    key: stateKey,
    value: JsonValue.describe("any JSON; null removes it"),
  }),
  result: z.object({ key: z.string() }),
  role: "writer",
  scope: "session",
  touches: "screen",
  closedToPlugins: true,
  sensitive: ["value"],
  frequent: true,
  cli: [
    {
      name: "set-plugin-state",
      args: ["plugin", "key", "value"],
      json: ["value"],
      examples: [`set-plugin-state agent-cost range '"day"'`],
    },
  ],
});
