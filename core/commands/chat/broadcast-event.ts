import { z } from "zod";
import { JsonValue } from "../../protocol/json-value.ts";
import { relayCommand } from "../command.ts";

export const broadcastEvent = relayCommand({
  area: "chat",
  summary: "Broadcast a plugin event to all connected clients and subscribers",
  params: z.object({
    type: z.string().min(1).max(200).describe("name of the event type"),
    data: JsonValue.optional().describe("payload, any JSON"),
  }),
  result: z.object({ clients: z.int() }),
  role: "writer",
  scope: "session",
  touches: "messages",
  sensitive: ["data"],
  untargeted: true,
  cli: [
    {
      name: "broadcast-event",
      args: ["type"],
      json: ["data"],
      examples: [`broadcast-event build.done --data '{"ok":true}'`],
    },
  ],
});
