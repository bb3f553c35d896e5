import { z } from "zod";
import { relayOps } from "../../protocol/relay-ops.ts";
import { command } from "../command.ts";

export const sendChat = command({
  area: "chat",
  summary: "Send a chat message to everyone in the session",
  params: z.object({ message: relayOps.sendChat.params.shape.text.describe("the message, at most 8 KiB") }),
  result: relayOps.sendChat.result,
  role: "writer",
  scope: "session",
  touches: "messages",
  sensitive: ["message"],
  cli: [
    { name: "send-chat", args: ["message"], rest: true, stdin: "message", examples: ["send-chat 'tests are green'"] },
  ],
  run: (context, { message }) => context.ask("sendChat", { text: message }),
});
