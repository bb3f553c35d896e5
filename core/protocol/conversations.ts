import { z } from "zod";
import { AgentSessionName, AgentStatus, TokenUsage } from "./agent-records.ts";
import { SessionId, ShellId } from "./ids.ts";
import { JsonValue } from "./json-value.ts";
import { Timestamp } from "./records.ts";

/** Bounds of one page, in UTF-16 code units of its texts: a longer text is read on by `getConversationText`. */
export const conversationLimits = {
  text: 1024 * 1024,
  page: 4 * 1024 * 1024,
  messages: 1000,
} as const;

/** Place of a message in its conversation. */
export const MessageCursor = z.string().min(1).max(200);

/** Who says a message. `subagent`: what a sub-agent was asked and says; its tool calls are `tool` too. */
export const MessageRole = z.enum(["user", "assistant", "tool", "system", "subagent"]);
export type MessageRole = z.infer<typeof MessageRole>;

/**
 * What a message is. `command`: a command of the agent itself or of its shell mode; `output`: what such a command printed;
 * `note`: what the agent has added by itself, such as reminders and the content of attached files.
 */
export const MessageKind = z.enum([
  "prompt",
  "text",
  "thinking",
  "tool",
  "command",
  "output",
  "question",
  "answer",
  "interrupted",
  "compacted",
  "summary",
  "error",
  "note",
]);
export type MessageKind = z.infer<typeof MessageKind>;

/** An image in a message, without its bytes. */
export const MessageImage = z
  .object({
    mediaType: z.string().describe("empty where it is not stored"),
    bytes: z.int().min(0).optional().describe("size of the image; absent where it is only named"),
    place: z.string().optional().describe("path or address of an image that is not in the transcript"),
  })
  .meta({ id: "MessageImage" });
export type MessageImage = z.infer<typeof MessageImage>;

/** The texts of a message that `getConversationText` reads on. */
export const MessagePart = z.enum(["text", "input", "result"]);
export type MessagePart = z.infer<typeof MessagePart>;

/** A tool call and, once it is there, its result. */
export const MessageTool = z
  .object({
    id: z.string(),
    name: z.string(),
    input: JsonValue.describe("its arguments; the beginning of their JSON where `longer` names them"),
    result: z.string().optional().describe("absent while there is none"),
    isError: z.boolean().optional().describe("it failed, by its own exit code or by the agent's record"),
    exitCode: z.int().optional(),
    refused: z
      .boolean()
      .optional()
      .describe("it was refused, and has not run; absent where the transcript does not say"),
    decision: z.string().optional().describe("who let it run or not, in the agent's own words"),
    durationMs: z.number().min(0).optional().describe("from the call to its result, or as the agent measured it"),
  })
  .meta({ id: "MessageTool" });
export type MessageTool = z.infer<typeof MessageTool>;

/** A message of a conversation. Texts are Markdown as the agent wrote them. */
export const ConversationMessage = z
  .object({
    id: z.string(),
    cursor: z.string().describe("its place, for `before`, `after` and `getConversationText`"),
    role: MessageRole,
    kind: MessageKind,
    at: Timestamp,
    text: z.string(),
    turn: z.int().min(0).describe("number of the user's prompt that it belongs to; 0 before the first one"),
    subagent: z.string().optional().describe("id of the sub-agent that it is of"),
    model: z.string().optional(),
    tokenUsage: TokenUsage.optional().describe(
      "of the API calls that it begins: those of all messages are the session's",
    ),
    tool: MessageTool.optional(),
    images: z.array(MessageImage).optional(),
    longer: z
      .partialRecord(MessagePart, z.int())
      .optional()
      .describe("the texts that are not whole here, each with its length in UTF-16 code units"),
    incomplete: z.string().optional().describe("what the transcript does not contain of it"),
  })
  .meta({ id: "ConversationMessage" });
export type ConversationMessage = z.infer<typeof ConversationMessage>;

/** A conversation that a transcript was found of. */
export const Conversation = AgentSessionName.extend({
  cwd: z.string().optional().describe("its folder, where the transcript says it"),
  title: z.string().describe("the beginning of its first prompt; empty where there is none yet"),
  startedAt: Timestamp.optional(),
  changedAt: Timestamp.describe("when its transcript was last written"),
  status: AgentStatus.describe("`ended` where no agent of this relay works on it"),
  session: SessionId.optional().describe("the session in whose shells it was last seen"),
  shellId: ShellId.optional(),
  model: z.string().optional(),
}).meta({ id: "Conversation" });
export type Conversation = z.infer<typeof Conversation>;

/** How a conversation is resumed in a new shell. */
export const ConversationResume = z.object({
  command: z.string().describe("the line that resumes it, without quotes, so that every shell reads it alike"),
  cwd: z.string().describe("folder of the conversation, in which the shell starts"),
  env: z.record(z.string(), z.string()).describe("variables of the shell that choose the agent's account"),
  leftOut: z
    .array(z.string())
    .describe("options of its last start that are not repeated, because they are not known or would need quotes"),
});
export type ConversationResume = z.infer<typeof ConversationResume>;

/** How a conversation is resumed, and what speaks against it now. */
export const KnownResume = ConversationResume.extend({
  why: z.string().optional().describe("why it cannot be resumed now; absent where it can"),
  runsIn: z
    .object({ session: SessionId, shellId: ShellId })
    .optional()
    .describe("the shell in which an agent works on it"),
});
export type KnownResume = z.infer<typeof KnownResume>;

/** Some messages of a conversation, in their order. */
export const ConversationPage = AgentSessionName.extend({
  messages: z.array(ConversationMessage),
  before: z.string().nullable().describe("`before` for the page before this one; null at the beginning"),
  after: z
    .string()
    .nullable()
    .describe("`after` for the messages that follow or are still to come; null without messages"),
  hasMore: z.boolean().describe("whether messages follow this page now"),
  incomplete: z.string().optional().describe("what the transcript does not contain"),
}).meta({ id: "ConversationPage" });
export type ConversationPage = z.infer<typeof ConversationPage>;
