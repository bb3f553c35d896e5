import {
  type ConversationMessage,
  conversationLimits,
  type MessageKind,
  type MessagePart,
  type MessageRole,
  type MessageTool,
} from "../../core/protocol/conversations.ts";
import type { ApiCall, TranscriptEvent, TranscriptNote } from "./adapters/adapter.ts";
import type { Place } from "./conversation-place.ts";

/** What a transcript tells of a conversation. */
export type ConversationEntry = TranscriptEvent | TranscriptNote;

/** A message that is being put together: the result of its tool and the use of its answer come later in the transcript. */
export interface Draft {
  readonly place: Place;
  readonly message: Pick<
    ConversationMessage,
    "id" | "role" | "kind" | "at" | "text" | "turn" | "subagent" | "model" | "images" | "longer" | "incomplete"
  >;
  readonly tool?: MessageTool;
  /** See `EventDetails.answer`. */
  readonly answer: string | undefined;
  /** The API calls that are counted at this message. */
  readonly calls: ApiCall[];
  /** Length of its texts in UTF-16 code units. */
  readonly size: number;
}

const KINDS: Readonly<Record<ConversationEntry["type"], MessageKind>> = {
  user_message: "prompt",
  assistant_message: "text",
  thinking: "thinking",
  tool_call: "tool",
  tool_result: "tool",
  permission_request: "question",
  interrupted: "interrupted",
  compacted: "compacted",
  subagent_prompt: "prompt",
  error: "error",
  note: "note",
};

const ROLES: Readonly<Partial<Record<ConversationEntry["type"], MessageRole>>> = {
  user_message: "user",
  assistant_message: "assistant",
  thinking: "assistant",
  tool_call: "tool",
  tool_result: "tool",
};

/** Returns the message of an event. `whole`: its texts are not cut. */
export function draftOf(
  event: ConversationEntry,
  { place, turn, stream, whole }: { place: Place; turn: number; stream: string | undefined; whole: boolean },
): Draft {
  const { id, type, at, model, images, incomplete } = event;
  const isTool = type === "tool_call" || type === "tool_result";
  const subagent = stream ?? event.subagent ?? (event.data.subagent === true ? "" : undefined);
  const longer: Partial<Record<MessagePart, number>> = {};
  const cut = (part: MessagePart, text: string) => {
    const shown = whole ? text : shortened(text);
    if (shown.length < text.length) longer[part] = text.length;
    return shown;
  };
  const tool =
    type === "tool_call" ? calledTool(event, cut) : type === "tool_result" ? withoutCall(event, cut) : undefined;
  const text = isTool ? "" : cut("text", event.words ?? event.text);
  return {
    place,
    message: {
      id,
      role: isTool ? "tool" : roleOf(event, subagent !== undefined),
      kind: event.kind ?? KINDS[type],
      at,
      text,
      turn,
      ...(subagent !== undefined && { subagent }),
      ...(model !== undefined && model !== "" && { model }),
      ...(images !== undefined && { images: [...images] }),
      ...(Object.keys(longer).length > 0 && { longer }),
      ...(incomplete !== undefined && { incomplete }),
    },
    ...(tool !== undefined && { tool }),
    answer: event.answer,
    calls: [],
    size: text.length + (tool?.result?.length ?? 0) + (tool === undefined ? 0 : JSON.stringify(tool.input).length),
  };
}

/** Returns a tool call's message with its result. */
export function withResult(draft: Draft, event: ConversationEntry, whole: boolean): Draft {
  const { tool, message } = draft;
  if (tool === undefined) return draft;
  const { text, images, incomplete } = event;
  const result = whole ? text : shortened(text);
  const measured = event.durationMs ?? Date.parse(event.at) - Date.parse(message.at);
  return {
    ...draft,
    size: draft.size + result.length,
    tool: { ...tool, result, ...outcomeOf(event), ...(measured >= 0 && { durationMs: measured }) },
    message: {
      ...message,
      ...(result.length < text.length && { longer: { ...message.longer, result: text.length } }),
      ...(images !== undefined && { images: [...(message.images ?? []), ...images] }),
      ...(incomplete !== undefined && { incomplete }),
    },
  };
}

type Cut = (part: MessagePart, text: string) => string;

function calledTool({ text, data }: ConversationEntry, cut: Cut): MessageTool {
  const input = data.input ?? null;
  const json = JSON.stringify(input);
  const shown = cut("input", json);
  return { id: String(data.id ?? ""), name: text, input: shown.length < json.length ? shown : input };
}

/** A result whose call is in no transcript, or that is not the first one of its call. */
function withoutCall(event: ConversationEntry, cut: Cut): MessageTool {
  const result = cut("result", event.text);
  return { id: String(event.data.id ?? ""), name: "", input: null, result, ...outcomeOf(event) };
}

function outcomeOf({ data, exitCode, decision }: ConversationEntry): Partial<MessageTool> {
  return {
    isError: data.isError === true,
    ...(exitCode !== undefined && { exitCode }),
    ...(typeof data.refused === "boolean" && { refused: data.refused }),
    ...(decision !== undefined && { decision }),
  };
}

function roleOf({ type, role }: ConversationEntry, isSubagent: boolean): MessageRole {
  const of = role ?? ROLES[type];
  if (!isSubagent) return of ?? "system";
  return of === undefined && type !== "subagent_prompt" ? "system" : "subagent";
}

/** The beginning of a text that one page has room for, without half a character at its end. */
function shortened(text: string): string {
  const { text: most } = conversationLimits;
  if (text.length <= most) return text;
  return text.slice(0, /[\uD800-\uDBFF]/.test(text.charAt(most - 1)) ? most - 1 : most);
}
