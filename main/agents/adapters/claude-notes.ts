import { z } from "zod";
import type { MessageImage } from "../../../core/protocol/conversations.ts";
import type { EventDetails } from "./adapter.ts";
import { linkedImage, storedImage, textOf } from "./event-parts.ts";

/** Parts of Claude Code's records that only a conversation shows: commands and their output, images, tools of the provider. */

const COMMAND = /^\s*(?:<command-message>[^<]*<\/command-message>\s*)?<command-name>([^<]*)<\/command-name>/;
const OUTPUTS = ["local-command-stdout", "local-command-stderr", "bash-stdout", "bash-stderr"] as const;

/** Returns a text that Claude Code has put into its transcript by itself: a command, what one has printed, or a reminder. */
export function noteIn(text: string): { readonly text: string; readonly details: EventDetails } {
  const command = COMMAND.exec(text)?.[1];
  if (command !== undefined) {
    const [args = ""] = taggedParts(text, "command-args");
    return { text: `${command} ${args}`.trim(), details: { kind: "command", role: "user" } };
  }
  const isOutput = OUTPUTS.some((tag) => text.trimStart().startsWith(`<${tag}>`));
  if (!isOutput) return { text, details: {} };
  const parts = OUTPUTS.flatMap((tag) => taggedParts(text, tag));
  return { text: parts.filter((part) => part !== "").join("\n"), details: { kind: "output" } };
}

/** Returns the command that was typed in the shell mode (`!`); undefined for any other text. */
export function shellCommand(text: string): string | undefined {
  return text.startsWith("<bash-input>") && text.endsWith("</bash-input>")
    ? taggedParts(text, "bash-input")[0]
    : undefined;
}

/** The texts between a tag and its end. */
function taggedParts(text: string, tag: string): string[] {
  const parts: string[] = [];
  const [open, close] = [`<${tag}>`, `</${tag}>`];
  for (let from = text.indexOf(open); from !== -1; from = text.indexOf(open, from)) {
    const start = from + open.length;
    const end = text.indexOf(close, start);
    if (end === -1) break;
    parts.push(text.slice(start, end));
    from = end + close.length;
  }
  return parts;
}

/** Whether a block calls a tool: one of the agent, or one that the provider runs. */
export function isCall(type: string): boolean {
  return type === "tool_use" || type === "server_tool_use" || type === "mcp_tool_use";
}

/** Whether a block is the result of a tool that the provider runs, which stands in the answer itself. */
export function isResult(type: string): boolean {
  return type.endsWith("_tool_result");
}

/** Returns what a tool of the provider has found, as text. */
export function servedText(content: unknown): string {
  const text = textOf(content);
  return text === "" ? (JSON.stringify(content) ?? "") : text;
}

/** Returns the images among the blocks of a content. */
export function imagesIn(content: unknown): MessageImage[] {
  if (!Array.isArray(content)) return [];
  return content.flatMap((block: unknown) => {
    const { data } = ImageBlock.safeParse(block);
    if (data === undefined) return [];
    const { media_type: mediaType, data: base64, url } = data.source;
    return url === undefined ? [storedImage(mediaType, base64 ?? "")] : [linkedImage(url)];
  });
}

/** Returns the file that a prompt names by `@`, as the model got it. */
export function fileText(name: string, content: unknown): string {
  const text = AttachedFile.safeParse(content).data?.file.content;
  return text === undefined ? name : `${name}\n\n${text}`;
}

const word = z.string().optional().catch(undefined);
const ImageBlock = z.object({
  type: z.literal("image"),
  source: z.object({ media_type: z.string().max(200).optional().catch(undefined), data: word, url: word }),
});
const AttachedFile = z.object({ file: z.object({ content: z.string() }) });
