import { z } from "zod";
import { PluginRecord } from "../../protocol/records.ts";
import { command } from "../command.ts";

export const getPlugins = command({
  area: "plugins",
  summary: "List the installed plugins, with the methods that they ask for and that are allowed",
  params: z.object({}),
  result: z.array(PluginRecord),
  role: "reader",
  reads: "which plugins are installed",
  scope: "session",
  cli: [{ name: "list-plugins", columns: ["id", "name", "version", "asks", "allowed", "permissions"] }],
  run: ({ mirror }) => mirror.plugins,
});
