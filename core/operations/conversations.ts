import { z } from "zod";
import {
  Conversation,
  ConversationPage,
  ConversationResume,
  conversationLimits,
  MessageCursor,
  MessagePart,
} from "../protocol/conversations.ts";
import { SecretsWish } from "../protocol/history-export.ts";
import { ShellId } from "../protocol/ids.ts";
import { operation } from "./operation.ts";
import { SessionParam } from "./sessions.ts";

/** Without a default in the declaration: callers send that to relays of before, too, which refuse it. */
const shown = {
  secrets: SecretsWish.optional().describe("default: hide"),
};

const named = {
  agentSessionId: z.string().min(1).max(200).describe("the agent's own session, as `getConversations` names it"),
  agentType: z.string().min(1).max(100).optional().describe("kind of agent, where several have a session of this id"),
};

export const conversationOperations = {
  getConversations: operation({
    summary: "List the conversations with agents that have a transcript on this machine, newest first",
    details:
      "Those of agents in shells, and all others in the agents' own folders of the user that runs the relay; running or ended long ago. Secrets are hidden, also in what is read of them, unless `secrets` is `keep`, which is for the relay's owner without restrictions.",
    params: z.object({
      agentType: z.string().min(1).max(100).optional().describe("only those of this kind of agent"),
      cwd: z.string().min(1).max(4096).optional().describe("only those of this folder and the folders in it"),
      before: z.iso.datetime().optional().describe("only those whose transcript was last written before"),
      limit: z.int().min(1).max(500).default(50),
      ...shown,
    }),
    result: z.array(Conversation),
    access: "read",
    owner: "relay",
    effect: "read",
    http: { method: "GET", path: "conversations" },
    cli: {
      word: "conversations",
      action: "list",
      isDefault: true,
      wordSummary: "read what was said in conversations with agents",
      paths: ["cwd"],
      columns: ["changedAt", "agentType", "sessionId", "status", "title", "cwd"],
      examples: ["conversations", "conversations --cwd . --limit 10", "conversations --agent-type codex --json"],
    },
  }),
  getConversation: operation({
    summary: "Read the messages of a conversation with an agent",
    details:
      "Without a cursor the last ones. A page ends early where its texts would be longer than 4 MiB together; a text of more than 1 MiB is named in `longer`, and `getConversationText` reads the rest. `after` the last cursor reads what was said since, and with `wait` what is said next. Answers and permissions are those that this relay has kept.",
    params: z.object({
      ...named,
      before: MessageCursor.optional().describe("only messages before this cursor, the last ones of them"),
      after: MessageCursor.optional().describe(
        "only messages after this cursor, the first ones; `start` for the first ones of all",
      ),
      limit: z.int().min(1).max(conversationLimits.messages).default(100),
      wait: z.number().min(0).max(60).optional().describe("with `after`: seconds to wait for a message"),
      ...shown,
    }),
    result: ConversationPage,
    access: "read",
    owner: "relay",
    effect: "read",
    http: { method: "GET", path: "conversations/:agentSessionId" },
    cli: {
      word: "conversations",
      action: "show",
      args: ["agentSessionId"],
      examples: [
        "conversations show 3374e44a-3626-41a4-8b49-1220ae11de36",
        "conversations show 3374e44a-3626-41a4-8b49-1220ae11de36 --after start --limit 20 --json",
        "conversations show 3374e44a-3626-41a4-8b49-1220ae11de36 --follow",
        "conversations show 3374e44a-3626-41a4-8b49-1220ae11de36 --secrets keep",
      ],
    },
  }),
  resumeConversation: operation({
    summary: "Resume a conversation with an agent in a new shell",
    details:
      "By the agent's own means, however long ago it ended: in the folder of the conversation, with the account and the known options of its last start. Without `yes` nothing starts: the answer shows the line. Needs the right to create a shell with that line. Refused (400 `invalid_request`) while an agent or another process works on it, where its folder is gone, and for kinds of agents that cannot resume by an id. A shell that ended with its conversations is started again in its own place by `restoreSession`.",
    params: z.object({
      session: SessionParam,
      ...named,
      yes: z.boolean().default(false).describe("resume it; otherwise the line is only shown"),
    }),
    result: ConversationResume.extend({
      state: z.enum(["shown", "started"]),
      shellId: ShellId.nullable().describe("shell that it is resumed in; null where one would be created"),
    }),
    access: "shells",
    owner: "relay",
    effect: "change",
    http: { method: "POST", path: "sessions/:session/conversations/:agentSessionId/resume" },
    cli: {
      word: "conversations",
      action: "resume",
      args: ["agentSessionId"],
      examples: [
        "conversations resume 3374e44a-3626-41a4-8b49-1220ae11de36",
        "conversations resume 3374e44a-3626-41a4-8b49-1220ae11de36 --yes",
      ],
    },
  }),
  getConversationText: operation({
    summary: "Read on in a long text of a conversation",
    params: z.object({
      ...named,
      message: MessageCursor.describe("cursor of the message"),
      part: MessagePart.default("text"),
      offset: z.int().min(0).default(0).describe("where to read on, in UTF-16 code units"),
      ...shown,
    }),
    result: z.object({
      text: z.string(),
      length: z.int().describe("length of the whole text in UTF-16 code units"),
      next: z.int().nullable().describe("`offset` to read on; null at the end"),
    }),
    access: "read",
    owner: "relay",
    effect: "read",
    http: { method: "GET", path: "conversations/:agentSessionId/text" },
    cli: {
      word: "conversations",
      action: "text",
      args: ["agentSessionId", "message"],
      shows: "text",
      examples: ["conversations text 3374e44a-3626-41a4-8b49-1220ae11de36 0.m.12 --part result"],
    },
  }),
} as const;
