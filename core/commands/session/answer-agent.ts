import { z } from "zod";
import { RemoteError } from "../../protocol/errors.ts";
import { relayOps } from "../../protocol/relay-ops.ts";
import { AgentAnswer } from "../../protocol/shell-restrictions.ts";
import { command } from "../command.ts";

export const answerAgent = command({
  area: "session",
  summary: "Answer an agent in a shell that asks to control the session",
  details:
    "`once` allows it until this run of the agent ends; `always` allows every agent of its kind in its folder, and takes an admin; `no` refuses until this run ends. `list-restrictions` lists the requests. Closed to agents and to restricted shells and keys.",
  params: z.object({
    request: z.int().positive().describe("id of the request"),
    answer: AgentAnswer.describe("once, always or no"),
  }),
  result: relayOps.answerAgent.result,
  role: "writer",
  scope: "client",
  onScreen: false,
  touches: "screen",
  closedToPlugins: true,
  decidesRights: true,
  cli: [
    {
      name: "answer-agent",
      args: ["request", "answer"],
      examples: ["answer-agent 1 once", "answer-agent 1 no"],
    },
  ],
  run(context, { request, answer }) {
    const known = context.mirror.restrictions.requests.find((candidate) => candidate.id === request);
    if (known === undefined) throw new RemoteError("unknown_request", `No request ${request} of an agent is open.`);
    context.hit.shell = known.shellId;
    return context.delegate("answerAgent", { request, answer });
  },
});
