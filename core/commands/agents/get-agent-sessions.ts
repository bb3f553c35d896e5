import { z } from "zod";
import { AgentSession } from "../../protocol/agent-records.ts";
import { relayCommand } from "../command.ts";

export const getAgentSessions = relayCommand({
  area: "agents",
  summary: "List the distinct agent runs seen in the session, including ended ones",
  params: z.object({}),
  result: z.array(AgentSession),
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
});
