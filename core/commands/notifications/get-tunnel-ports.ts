import { z } from "zod";
import { Tunnel } from "../../protocol/records.ts";
import { command } from "../command.ts";

export const getTunnelPorts = command({
  area: "notifications",
  summary: "Ports that programs in the session's shells listen on",
  params: z.object({}),
  result: z.array(Tunnel),
  role: "reader",
  scope: "session",
  shortcut: "tunnels",
  cli: [{ name: "list-tunnels" }],
  run: ({ mirror }) => mirror.tunnels,
});
