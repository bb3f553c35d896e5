import { z } from "zod";
import { PluginRecord } from "../../protocol/records.ts";
import { command } from "../command.ts";

export const getPlugins = command({
  area: "plugins",
  summary: "Installed plugins, with what they ask for and what is allowed",
  params: z.object({}),
  result: z.array(PluginRecord),
  role: "reader",
  scope: "session",
  cli: [{ name: "list-plugins", columns: ["id", "name", "version", "asks", "allowed", "permissions"] }],
  run: ({ mirror }) => mirror.plugins,
});
