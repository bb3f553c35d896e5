import { z } from "zod";
import { relayOps } from "../../protocol/relay-ops.ts";
import { command } from "../command.ts";

export const askToType = command({
  area: "session",
  summary: "Ask for the right to type, as a client that can only watch",
  details:
    "The session's owner has 10 min to answer; the outcome is a `role.answered` event. A person has one open request, which is withdrawn when they leave, and may ask again a minute later, after a refusal 5 min later.",
  params: z.object({}),
  result: relayOps.askToType.result,
  role: "reader",
  scope: "client",
  onScreen: false,
  touches: "screen",
  closedToPlugins: true,
  cli: [{ name: "ask-to-type", examples: ["ask-to-type --client 3"] }],
  run: (context) => context.delegate("askToType", {}),
});
