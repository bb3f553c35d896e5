import { z } from "zod";
import { AgentCost } from "../../protocol/agent-records.ts";
import { relayCommand } from "../command.ts";

export const getAgentCost = relayCommand({
  area: "agents",
  summary: "Show tokens and cost of all agents, by model and by agent",
  details: "Cost is in US dollars at the API's list prices.",
  params: z.object({ explain: z.boolean().default(false).describe("say where every sum comes from") }),
  result: AgentCost,
  role: "reader",
  reads: "what agents have cost",
  scope: "session",
  cli: [{ name: "get-agent-cost", examples: ["get-agent-cost", "get-agent-cost --explain --json"] }],
});
