import { z } from "zod";
import { relayOps } from "../../protocol/relay-ops.ts";
import { command } from "../command.ts";

export const getAgentSessions = command({
  area: "agents",
  summary: "Distinct agent runs seen in the session, also those that have ended",
  params: z.object({}),
  result: relayOps.getAgentSessions.result,
  role: "reader",
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
