import { z } from "zod";
import { AgentAnswer } from "../../protocol/shell-restrictions.ts";
import { relayCommand } from "../command.ts";

export const answerAgent = relayCommand({
  area: "session",
  summary: "Answer an agent in a shell that asks to control the session",
  details:
    "`once` allows it until this run of the agent ends; `always` allows every agent of its kind in its folder, and takes an admin; `no` refuses until this run ends. `list-restrictions` lists the requests. Closed to agents and to restricted shells and keys.",
  params: z.object({
    request: z.int().positive().describe("id of the request"),
    answer: AgentAnswer.describe("once, always or no"),
  }),
  result: z.object({ answer: AgentAnswer }),
  role: "writer",
  scope: "client",
  onScreen: false,
  touches: "screen",
  closedToPlugins: true,
  decidesRights: true,
  closedToAutomation: true,
  panel: true,
  cli: [
    {
      name: "answer-agent",
      args: ["request", "answer"],
      examples: ["answer-agent 1 once", "answer-agent 1 no"],
    },
  ],
});
