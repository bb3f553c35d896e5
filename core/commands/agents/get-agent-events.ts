import { z } from "zod";
import { AgentEvent, AgentEventType } from "../../protocol/agent-records.ts";
import { relayCommand } from "../command.ts";
import { nameList } from "../fields.ts";

export const getAgentEvents = relayCommand({
  area: "agents",
  summary: "List what one agent session did: messages, tool calls, requests, errors",
  details: "For the session's owner and admins: the events quote the agent's transcript.",
  params: z.object({
    sessionId: z.string().min(1).max(200).describe("id of the agent session, from list-agent-sessions"),
    types: nameList(z.array(AgentEventType))
      .optional()
      .describe(`only these, separated by commas: ${AgentEventType.options.join(", ")}`),
    limit: z.int().min(1).max(10_000).optional().describe("only the last ones, this many"),
  }),
  result: z.array(AgentEvent),
  role: "admin",
  readsOnly: true,
  reads: "what agents were asked, said and did",
  scope: "session",
  cli: [
    {
      name: "get-agent-events",
      args: ["sessionId"],
      examples: ["get-agent-events 3374e44a-3626-41a4-8b49-1220ae11de36 --types tool_call --limit 20"],
    },
  ],
});
