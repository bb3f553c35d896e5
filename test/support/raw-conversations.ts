import { readFileSync } from "node:fs";
import Database from "libsql";
import { z } from "zod";
import type { ConversationMessage } from "../../core/protocol/conversations.ts";
import type { TranscriptFiles } from "../../main/agents/adapters/adapter.ts";

/**
 * What was said in a session by its raw records, read without the parsers of the product: a line for each prompt, text,
 * thinking, tool call and result. For the fixtures, which have no other shapes of records.
 */
export function rawConversation(kind: string, files: TranscriptFiles, session: string): string[] {
  if (kind === "opencode") return opencode(files.main ?? "", session);
  const read = readers[kind];
  if (read === undefined) throw new Error(`no raw reader for ${kind}`);
  return [files.main ?? "", ...files.subagents].flatMap((path) => {
    const text = readFileSync(path, "utf8");
    const lines = path.endsWith(".json") ? [text] : text.split("\n").filter((line) => line !== "");
    return read(
      lines.map((line) => new Raw(JSON.parse(line))),
      session,
    );
  });
}

const SAID: ReadonlySet<string> = new Set(["prompt", "text", "thinking", "error"]);

/** What a message says, as `rawConversation` writes it; nothing of what the agent adds by itself. */
export function saidIn({ kind, text, tool }: ConversationMessage): string[] {
  if (tool === undefined) return SAID.has(kind) ? [`${kind} ${text}`] : [];
  const called = tool.name === "" ? [] : [`call ${tool.id} ${tool.name} ${JSON.stringify(tool.input)}`];
  return [...called, ...(tool.result === undefined ? [] : [`result ${tool.id} ${tool.result}`])];
}

/** A JSON value, of which a part that is missing is an empty one. */
class Raw {
  readonly value: unknown;

  constructor(value: unknown) {
    this.value = value;
  }

  get(...path: readonly string[]): Raw {
    return path.reduce<Raw>(
      (at, key) => new Raw(z.record(z.string(), z.unknown()).safeParse(at.value).data?.[key]),
      this,
    );
  }

  get text(): string {
    return typeof this.value === "string" ? this.value : "";
  }

  get list(): Raw[] {
    return Array.isArray(this.value) ? this.value.map((one: unknown) => new Raw(one)) : [];
  }

  /** The text of a content: of a string, or of the blocks that have one. */
  get said(): string {
    const texts = this.list.map((block) => block.get("text").text);
    return this.text || texts.filter((text) => text !== "").join("\n");
  }
}

const call = (id: Raw, name: Raw, input: unknown) => `call ${id.text} ${name.text} ${JSON.stringify(input ?? null)}`;
const outputOf = (response: Raw) => response.get("output").text || response.get("error").text;
const some = (kind: string, text: string) => (text === "" ? [] : [`${kind} ${text}`]);

const readers: Readonly<Record<string, (records: readonly Raw[], session: string) => string[]>> = {
  claude: (records, session) =>
    records.flatMap((record) => {
      const type = record.get("type").text;
      const content = record.get("message", "content");
      if (type !== "assistant" && type !== "user") return [];
      if (type === "assistant" && record.get("isApiErrorMessage").value === true) return some("error", content.said);
      const blocks = content.list.flatMap((block) => {
        if (record.get("sessionId").text !== session && record.get("isSidechain").value === true) return [];
        switch (block.get("type").text) {
          case "text":
            return type === "assistant" ? [`text ${block.get("text").text}`] : [];
          case "thinking":
            return [`thinking ${block.get("thinking").text}`];
          case "tool_use":
            return [call(block.get("id"), block.get("name"), block.get("input").value)];
          case "tool_result":
            return [`result ${block.get("tool_use_id").text} ${block.get("content").said}`];
          default:
            return [];
        }
      });
      const isOthers = record.get("sessionId").text !== session && record.get("isSidechain").value === true;
      const isInjected = ["isMeta", "isCompactSummary"].some((name) => record.get(name).value === true);
      if (type !== "user" || isInjected || isOthers) return blocks;
      const text = content.said;
      return text.startsWith("<") || text.startsWith("[Request") ? blocks : [...blocks, ...some("prompt", text)];
    }),
  codex: (records) => {
    const isNew = records.some((record) => record.get("payload", "type").text === "item_completed");
    return records.flatMap((record) => {
      const payload = record.get("payload");
      const item = payload.get("item");
      switch (payload.get("type").text) {
        case "function_call":
          return [call(payload.get("call_id"), payload.get("name"), JSON.parse(payload.get("arguments").text))];
        case "function_call_output":
          return [`result ${payload.get("call_id").text} ${payload.get("output").text}`];
        case "item_completed":
          return [
            ...(item.get("type").text === "UserMessage" ? [`prompt ${item.get("content").said}`] : []),
            ...(item.get("type").text === "AgentMessage" ? [`text ${item.get("content").said}`] : []),
            ...(item.get("type").text === "Reasoning"
              ? [`thinking ${item.get("summary_text").list.map((part) => part.text)}`]
              : []),
          ];
        case "user_message":
          return isNew ? [] : [`prompt ${payload.get("message").text}`];
        case "agent_message":
          return isNew ? [] : [`text ${payload.get("message").text}`];
        case "agent_reasoning":
          return isNew ? [] : [`thinking ${payload.get("text").text}`];
        case "task_complete":
          return payload.get("error").value == null
            ? []
            : [`error ${new Raw(JSON.parse(payload.get("error", "message").text)).get("error", "message").text}`];
        default:
          return [];
      }
    });
  },
  gemini: (records) => {
    const messages = new Map<string, Raw>();
    for (const record of records) {
      const again = record.get("$set", "messages").list;
      for (const message of [record, ...record.get("messages").list, ...again]) {
        const isCopy =
          message.get("tokens").value == null && (again.length > 0 || message.get("content").list.length > 0);
        const isAnswer = message.get("type").text === "gemini";
        if (message.get("id").text !== "" && !(isCopy && isAnswer)) messages.set(message.get("id").text, message);
      }
    }
    return [...messages.values()].flatMap((message) => {
      const text = message.get("content").said;
      if (message.get("type").text === "user") return text.startsWith("<session_context>") ? [] : some("prompt", text);
      if (message.get("type").text !== "gemini") return message.get("type").text === "error" ? [`error ${text}`] : [];
      const thoughts = message.get("thoughts").list;
      return [
        ...thoughts.map((one) => `thinking ${one.get("subject").text}: ${one.get("description").text}`),
        ...some("text", text),
        ...message.get("toolCalls").list.flatMap((tool) => {
          const response = tool.get("result").list[0]?.get("functionResponse", "response") ?? new Raw(undefined);
          const result = tool.get("resultDisplay").text || outputOf(response);
          return [
            call(tool.get("id"), tool.get("name"), tool.get("args").value),
            `result ${tool.get("id").text} ${result}`,
          ];
        }),
      ];
    });
  },
  qwen: (records) =>
    records.flatMap((record) => {
      const parts = record.get("message", "parts").list;
      const text = parts.map((part) => part.get("text").text).join("");
      const error = record.get("systemPayload", "uiEvent", "error_message").text;
      if (error !== "") return [`error ${error}`];
      if (record.get("type").text === "user") return some("prompt", text);
      return [
        ...some("text", text),
        ...parts.flatMap((part) => {
          const called = part.get("functionCall");
          const answered = part.get("functionResponse");
          if (called.value !== undefined) return [call(called.get("id"), called.get("name"), called.get("args").value)];
          return answered.value === undefined
            ? []
            : [`result ${answered.get("id").text} ${outputOf(answered.get("response"))}`];
        }),
      ];
    }),
  copilot: (records) =>
    records.flatMap((record) => {
      const data = record.get("data");
      switch (record.get("type").text) {
        case "user.message":
          return [`prompt ${data.get("content").text}`];
        case "session.error":
          return [`error ${data.get("message").text}`];
        case "tool.execution_complete":
          return [`result ${data.get("toolCallId").text} ${data.get("result", "content").text}`];
        case "assistant.message":
          return [
            ...some("text", data.get("content").text),
            ...data
              .get("toolRequests")
              .list.map((one) => call(one.get("toolCallId"), one.get("name"), one.get("arguments").value)),
          ];
        default:
          return [];
      }
    }),
};

function opencode(path: string, session: string): string[] {
  const database = new Database(path, { readonly: true });
  try {
    const select = `SELECT json_object('message', json(message.data), 'part', json(part.data)) AS record FROM message
      LEFT JOIN part ON part.message_id = message.id WHERE message.session_id = ?`;
    const rows = z.array(z.object({ record: z.string() })).parse(database.prepare(select).all([session]));
    return rows.flatMap(({ record }) => {
      const { message, part } = {
        message: new Raw(JSON.parse(record)).get("message"),
        part: new Raw(JSON.parse(record)).get("part"),
      };
      const id = part.get("callID");
      switch (part.get("type").text) {
        case "text":
          return [`${message.get("role").text === "user" ? "prompt" : "text"} ${part.get("text").text}`];
        case "tool":
          return [
            call(id, part.get("tool"), part.get("state", "input").value),
            `result ${id.text} ${part.get("state", "output").text}`,
          ];
        default:
          return some("error", message.get("error", "data", "message").text);
      }
    });
  } finally {
    database.close();
  }
}
