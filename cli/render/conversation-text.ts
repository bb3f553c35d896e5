import type { ConversationMessage, ConversationPage, MessageTool } from "../../core/protocol/conversations.ts";
import { leadingInput } from "../../core/protocol/leading-input.ts";
import { escapeControls, escapeControlsInLines, localTime } from "./cell.ts";
import { bold, dim } from "./colour.ts";
import type { Style } from "./io.ts";

/** Lines of a tool's result that are shown. */
const RESULT_LINES = 10;
/** Length of a line of it, in UTF-16 code units. */
const LINE_LENGTH = 400;

/** Returns a page of a conversation as a person reads it. */
export function conversationText(page: ConversationPage, style: Style): string {
  const { messages, before, after, hasMore, incomplete } = page;
  const notes = [
    ...(before === null ? [] : [`Earlier: --before ${before}`]),
    ...(hasMore ? [`Later: --after ${after}`] : []),
    ...(incomplete === undefined ? [] : [incomplete]),
  ];
  const said = messages.map((message) => messageText(message, style)).join("\n");
  const nothing = messages.length === 0 ? "Nothing was said.\n" : "";
  return [said, nothing, notes.map((note) => `${dim(escapeControls(note), style)}\n`).join("")]
    .filter((part) => part !== "")
    .join("\n");
}

/** Returns a message with a line above it that says whose it is. */
export function messageText(message: ConversationMessage, style: Style): string {
  const { at, text, tool, images = [], longer, incomplete, cursor } = message;
  const head = `${bold(escapeControls(nameOf(message)), style)}  ${dim(localTime(at), style)}\n`;
  const notes = [
    ...images.map(({ mediaType, place }) => `[image ${place ?? mediaType}]`),
    ...(longer === undefined ? [] : [`Cut: service conversations text ID ${cursor} reads all of it.`]),
    ...(incomplete === undefined ? [] : [incomplete]),
  ];
  return [
    head,
    tool === undefined ? "" : toolText(tool, style),
    text === "" ? "" : `${plain(text.trimEnd())}\n`,
    ...notes.map((note) => `${dim(escapeControls(note), style)}\n`),
  ].join("");
}

function nameOf({ role, kind, subagent, tool, model }: ConversationMessage): string {
  const name = tool?.name ?? (kind === "prompt" || kind === "text" ? role : kind);
  const from = [...(subagent === undefined ? [] : [`sub-agent ${subagent}`]), ...(model === undefined ? [] : [model])];
  return from.length === 0 ? name : `${name} (${from.join(", ")})`;
}

function toolText({ input, result, isError, exitCode, refused, durationMs }: MessageTool, style: Style): string {
  const states = [
    ...(result === undefined ? ["not ended"] : []),
    ...(refused === true ? ["refused"] : isError === true && exitCode === undefined ? ["failed"] : []),
    ...(exitCode === undefined ? [] : [`exit code ${exitCode}`]),
    ...(durationMs === undefined ? [] : [`${(durationMs / 1000).toFixed(1)} s`]),
  ];
  const given = plain(leadingInput(input));
  return `${given}\n${resultText(result ?? "", style)}${states.length === 0 ? "" : `${dim(states.join(", "), style)}\n`}`;
}

/** Tabs are part of what agents write; all other controls are shown. */
function plain(text: string): string {
  return escapeControlsInLines(text.replaceAll("\t", "    "));
}

function resultText(result: string, style: Style): string {
  const lines = result.trimEnd().split("\n");
  const shown = lines.slice(0, RESULT_LINES).map((line) => `  ${plain(line.slice(0, LINE_LENGTH))}`);
  const left = lines.length - shown.length;
  const more = left > 0 ? [`  ${dim(`${left} more line${left === 1 ? "" : "s"}: --json has all`, style)}`] : [];
  return result === "" ? "" : `${[...shown, ...more].join("\n")}\n`;
}
