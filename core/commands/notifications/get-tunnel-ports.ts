import { z } from "zod";
import { Tunnel } from "../../protocol/records.ts";
import { command } from "../command.ts";

export const getTunnelPorts = command({
  area: "notifications",
  summary: "List the ports that programs in the session's shells listen on",
  details:
    "`url` is where browsers in the session reach the program, with the pass that they get as guests; an API key does not open it. `localUrl` is the port itself, for programs on the same machine, such as curl.",
  params: z.object({}),
  result: z.array(Tunnel),
  role: "reader",
  reads: "the ports and names of programs",
  scope: "session",
  shortcut: "tunnels",
  cli: [{ name: "list-tunnels", columns: ["port", "shellId", "process", "localUrl", "url"] }],
  run: ({ mirror }) => mirror.tunnels,
});
