import { z } from "zod";
import { relayCommand } from "../command.ts";

export const answerRoleRequest = relayCommand({
  area: "session",
  summary: "Let a person type who asks for it, or refuse",
  details: "For the session's owner. The new role holds in every tab of that person, as with `clients role`.",
  params: z.object({
    request: z.int().positive().describe("id of the request"),
    allow: z.boolean().default(true).describe("let the person type"),
  }),
  result: z.object({ allowed: z.boolean() }),
  role: "admin",
  scope: "session",
  touches: "screen",
  closedToPlugins: true,
  decidesRights: true,
  closedToAutomation: true,
  panel: true,
  cli: [
    {
      name: "answer-role-request",
      args: ["request"],
      examples: ["answer-role-request 1", "answer-role-request 1 --no-allow"],
    },
  ],
});
