import { z } from "zod";
import { Agent } from "../../protocol/agent-records.ts";
import { command } from "../command.ts";

export const getAgents = command({
  area: "agents",
  summary: "List the AI coding agents that run in the session's shells",
  params: z.object({}),
  result: z.array(Agent),
  role: "reader",
  reads: "which agents run, and where",
  scope: "session",
  shortcut: "agents",
  cli: [
    {
      name: "list-agents",
      columns: ["shellId", "agentType", "model", "state", "cost", "since", "sessionId"],
      hidden: ["status", "windows", "tasks"],
    },
  ],
  run: ({ mirror }) => mirror.agents,
});
