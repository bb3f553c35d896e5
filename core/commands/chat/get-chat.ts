import { z } from "zod";
import { limits } from "../../protocol/limits.ts";
import { ChatMessage } from "../../protocol/records.ts";
import { command } from "../command.ts";

export const getChat = command({
  area: "chat",
  summary: "Show the chat history, oldest first",
  details: `The last ${limits.chatMessages} messages.`,
  params: z.object({}),
  result: z.array(ChatMessage),
  role: "reader",
  reads: "the chat",
  scope: "session",
  shortcut: "chat",
  cli: [{ name: "get-chat", columns: ["at", "from.name", "from.guest", "text"] }],
  run: ({ mirror }) => mirror.chat,
});
