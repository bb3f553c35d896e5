import { relayOps } from "../../protocol/relay-ops.ts";
import { command } from "../command.ts";

const { type, data } = relayOps.broadcastEvent.params.shape;

export const broadcastEvent = command({
  area: "chat",
  summary: "Broadcast a plugin event to all connected clients and subscribers",
  params: relayOps.broadcastEvent.params.extend({
    type: type.describe("name of the event type"),
    data: data.describe("payload, any JSON"),
  }),
  result: relayOps.broadcastEvent.result,
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
  run: (context, event) => context.delegate("broadcastEvent", event),
});
