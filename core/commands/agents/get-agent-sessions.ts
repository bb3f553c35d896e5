import { z } from "zod";
import { relayOps } from "../../protocol/relay-ops.ts";
import { command } from "../command.ts";

export const getAgentSessions = command({
  area: "agents",
  summary: "List the distinct agent runs seen in the session, including ended ones",
  params: z.object({}),
  result: relayOps.getAgentSessions.result,
  role: "reader",
  reads: "which agents ran, and where",
  scope: "session",
  cli: [
    {
      name: "list-agent-sessions",
      columns: ["sessionId", "agentType", "model", "status", "cost", "shellId", "lastActivityAt"],
      hidden: ["state"],
    },
  ],
  run: (context) => context.delegate("getAgentSessions", {}),
});
