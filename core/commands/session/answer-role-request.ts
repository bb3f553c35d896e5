import { z } from "zod";
import { relayOps } from "../../protocol/relay-ops.ts";
import { command } from "../command.ts";

export const answerRoleRequest = command({
  area: "session",
  summary: "Let a person type who asks for it, or refuse",
  details: "For the session's owner. The new role holds in every tab of that person, as with `clients role`.",
  params: z.object({
    request: z.int().positive().describe("id of the request"),
    allow: z.boolean().default(true).describe("let the person type"),
  }),
  result: relayOps.answerRoleRequest.result,
  role: "admin",
  scope: "session",
  touches: "screen",
  closedToPlugins: true,
  decidesRights: true,
  cli: [
    {
      name: "answer-role-request",
      args: ["request"],
      examples: ["answer-role-request 1", "answer-role-request 1 --no-allow"],
    },
  ],
  run: (context, answer) => context.delegate("answerRoleRequest", answer),
});
