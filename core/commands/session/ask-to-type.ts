import { z } from "zod";
import { Timestamp } from "../../protocol/records.ts";
import { relayCommand } from "../command.ts";

export const askToType = relayCommand({
  area: "session",
  summary: "Ask for the right to type, as a client that can only watch",
  details:
    "The session's owner has 10 min to answer; the outcome is a `role.answered` event. A person has one open request, which is withdrawn when they leave, and may ask again a minute later, after a refusal 5 min later.",
  params: z.object({}),
  result: z.object({
    request: z.int().describe("id of the request, for `answerRoleRequest`"),
    expiresAt: Timestamp,
    hosts: z.int().describe("connected clients that can answer; 0: the owner is away at the moment"),
  }),
  role: "reader",
  scope: "client",
  onScreen: false,
  touches: "screen",
  closedToPlugins: true,
  cli: [{ name: "ask-to-type", examples: ["ask-to-type --client 3"] }],
});
