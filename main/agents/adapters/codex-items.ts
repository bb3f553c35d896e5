import { z } from "zod";
import type { MessageImage } from "../../../core/protocol/conversations.ts";
import type { EventDetails, TranscriptEvent, TranscriptNote } from "./adapter.ts";
import { linkedImage, textOf, toolInput } from "./event-parts.ts";

/** What Codex's records say in items and in the results of tools, apart from how they are counted. */

/** An event of an item, without what all events of its record have in common. */
interface ItemEvent {
  readonly type: (TranscriptEvent | TranscriptNote)["type"];
  readonly text: string;
  readonly data?: TranscriptEvent["data"];
  readonly details?: EventDetails;
}

/**
 * Returns what an item tells.
 * @param isCalled - whether the model has called a tool with this id: its call and result have records of their own
 */
export function itemEvents(value: unknown, isCalled: (id: string) => boolean): readonly ItemEvent[] {
  const { data: item } = Item.safeParse(value);
  if (item === undefined || (item.id !== undefined && isCalled(item.id))) return [];
  switch (item.type) {
    case "UserMessage":
      return [promptEvent(item.content)];
    case "AgentMessage":
      return [{ type: "assistant_message", text: textOf(item.content) }];
    case "Reasoning":
      return [{ type: "thinking", text: item.summary_text?.join("\n") ?? "" }];
    case "ContextCompaction":
      return [{ type: "compacted", text: "Conversation compacted" }];
    case "Plan":
      return [{ type: "assistant_message", text: item.text ?? "" }];
    case "CommandExecution":
      return shellEvents(item);
    default:
      return otherEvents(item);
  }
}

/** Returns the event of a prompt with its images. */
function promptEvent(content: unknown): ItemEvent {
  const images = imagesIn(content);
  const text = textOf(content);
  const details = images.length > 0 && { details: { images } };
  if (text === "" && images.length > 0)
    return { type: "note", text, details: { images, kind: "prompt", role: "user" } };
  return { type: "user_message", text, ...details };
}

/** A command that the user has run in the terminal (`!`). */
function shellEvents({ command, aggregated_output: output, exit_code: exitCode }: Item): readonly ItemEvent[] {
  const words = command ?? [];
  const line = words.length === 3 && /^-l?c$/.test(words[1] ?? "") ? (words[2] ?? "") : words.join(" ");
  return [
    { type: "note", text: `!${line}`, details: { kind: "command", role: "user" } },
    { type: "note", text: output ?? "", details: { kind: "output", ...(exitCode != null && { exitCode }) } },
  ];
}

/** What Codex or its provider has done by itself: a search, a picture, a review. */
function otherEvents(item: Item): readonly ItemEvent[] {
  const { type, id = "", status, content: _, ...rest } = item;
  const text = item.text ?? item.review;
  if (text !== undefined) return [{ type: "note", text }];
  const isError = status === "failed";
  return [
    { type: "tool_call", text: type, data: { id, name: type, input: toolInput(rest) } },
    { type: "tool_result", text: "", data: { id, isError, refused: false } },
  ];
}

/** Returns the context that Codex has sent to the model by itself; undefined for what has a record of its own. */
export function contextOf(payload: unknown): string | undefined {
  const { data: message } = ContextMessage.safeParse(payload);
  if (message === undefined || message.role === "assistant") return undefined;
  const text = textOf(message.content);
  return text !== "" && (message.role !== "user" || INJECTED.test(text)) ? text : undefined;
}

const INJECTED =
  /^\s*(?:<(?:environment_context|turn_aborted|user_instructions|skill|subagent_notification|user_action|model_switch|personality_spec)\b|# AGENTS\.md instructions\b)/;

/** The result of a tool call. */
interface ToolResult {
  readonly text: string;
  readonly isError: boolean;
  /** Absent where the words do not say it: a call that ends with its turn may have run before. */
  readonly refused?: boolean;
  readonly exitCode?: number;
  readonly durationMs?: number;
  readonly images?: readonly MessageImage[];
}

/** Reads a result by its own words: Codex writes the exit code and the time into its text. */
export function resultOf(output: unknown): ToolResult {
  const wrapped = Wrapped.safeParse(output).data;
  const text = wrapped?.content ?? textOf(output);
  const json = text.startsWith("{") ? JsonResult.safeParse(jsonOr(text)).data?.metadata : undefined;
  const ran = RAN.exec(text);
  const code = json?.exit_code ?? (ran === null ? undefined : Number(ran[1]));
  const seconds = json?.duration_seconds ?? Number(WALL_TIME.exec(text)?.[1] ?? Number.NaN);
  const refused = REFUSED.test(text) ? true : code !== undefined ? false : undefined;
  const images = imagesIn(output);
  const failed = wrapped?.success === false || FAILED.test(text);
  return {
    text,
    isError: refused === true || failed || (code !== undefined && code !== 0),
    ...(refused !== undefined && { refused }),
    ...(code !== undefined && { exitCode: code }),
    ...(seconds >= 0 && { durationMs: Math.round(seconds * 1000) }),
    ...(images.length > 0 && { images }),
  };
}

const REFUSED = /^(?:exec command|patch) rejected by user|^exec_command failed for [^\n]*rejected by user/;
const RAN =
  /^(?:Chunk ID: [^\n]*\n)?(?:Wall time: [^\n]*\n)?(?:Exit code: (?=-?\d)|Process exited with code (?=-?\d))(-?\d{1,9})/;
const WALL_TIME = /^(?:Chunk ID: [^\n]*\n)?(?:Exit code: [^\n]*\n)?Wall time: (\d{1,9}(?:\.\d{1,9})?) seconds/;
const FAILED = /^(?:exec_command failed|Wall time: [^\n]*\naborted by user|aborted by user)/;

/** Returns the value of a JSON text, or the text unchanged. */
export function jsonOr(value: unknown): unknown {
  if (typeof value !== "string") return value ?? null;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

function imagesIn(content: unknown): MessageImage[] {
  if (!Array.isArray(content)) return [];
  return content.flatMap((part: unknown) => {
    const { data } = ImagePart.safeParse(part);
    const address = data?.image_url ?? data?.path;
    return address === undefined ? [] : [linkedImage(address)];
  });
}

const text = z.string().optional().catch(undefined);
const Item = z.looseObject({
  type: z.string(),
  id: text,
  status: text,
  text,
  review: text,
  content: z.unknown().optional(),
  summary_text: z.array(z.string()).optional().catch(undefined),
  command: z.array(z.string()).optional().catch(undefined),
  aggregated_output: text,
  exit_code: z.int().nullish().catch(undefined),
});
type Item = z.infer<typeof Item>;
const ImagePart = z.object({
  type: z.enum(["image", "input_image", "local_image", "localImage"]),
  image_url: text,
  path: text,
});
const ContextMessage = z.object({ type: z.literal("message"), role: z.string(), content: z.unknown().optional() });
const Wrapped = z.object({ content: z.string(), success: z.boolean().nullish().catch(undefined) });
const JsonResult = z.object({
  metadata: z.object({ exit_code: z.int(), duration_seconds: z.number().min(0).optional().catch(undefined) }),
});
