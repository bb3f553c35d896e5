import { z } from "zod";
import { JsonValue } from "../../protocol/json-value.ts";
import { relayCommand } from "../command.ts";
import { pluginId, stateKey } from "../fields.ts";

export const getPluginState = relayCommand({
  area: "plugins",
  summary: "Read a stored value of a plugin",
  details: "The value is null where there is none.",
  params: z.object({ plugin: pluginId, key: stateKey }),
  result: z.object({ value: JsonValue }),
  role: "reader",
  reads: "the stored values of all plugins",
  scope: "session",
  closedToPlugins: true,
  cli: [{ name: "get-plugin-state", args: ["plugin", "key"], examples: ["get-plugin-state agent-cost range"] }],
});
