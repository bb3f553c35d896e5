import { z } from "zod";
import { cleanText, oneLine } from "./wrap-text.ts";

/** Lines of a diff or a result that are shown; the agent's own record has all. */
const MOST_LINES = 40;
const MOST_TITLE = 500;
const MOST_TEXT = 100_000;

const text = z.string().nullish().catch(undefined);
const Text = z.object({ type: z.literal("text"), text: z.string() });
const Content = z.discriminatedUnion("type", [
  z.object({ type: z.literal("content"), content: Text }),
  z.object({ type: z.literal("diff"), path: z.string(), oldText: z.string().nullish(), newText: z.string() }),
]);

/** A tool call, or a change of it: any part may be missing. */
export const ToolUpdate = z.object({
  toolCallId: z.string(),
  title: text,
  kind: text,
  status: text,
  content: z.array(z.unknown()).nullish().catch(undefined),
  rawInput: z.unknown().optional(),
});
export type ToolUpdate = z.infer<typeof ToolUpdate>;

const Plan = z.object({ entries: z.array(z.object({ content: z.string(), status: text })) });

/** Returns the text of a block of content; a word for what is no text. */
export function contentText(content: unknown): string {
  const block = z.object({ type: z.string(), text: text, uri: text }).safeParse(content).data;
  if (block === undefined) return "";
  return cleanText((block.text ?? `[${block.type}${block.uri ? ` ${block.uri}` : ""}]`).slice(0, MOST_TEXT));
}

/** Returns the title of a tool call in one line. */
export function toolTitle({ title, kind }: Pick<ToolUpdate, "title" | "kind">): string {
  return oneLine(cleanText((title || kind || "a tool").slice(0, MOST_TITLE)));
}

/** Returns what a tool call is about to change, or has answered, as lines. */
export function toolContent(content: readonly unknown[] | null | undefined): string[] {
  const lines = (content ?? []).flatMap((one) => {
    const { data } = Content.safeParse(one);
    if (data === undefined) return [];
    if (data.type === "content") return contentText(data.content).split("\n");
    return [data.path, ...(data.oldText ? marked("-", data.oldText) : []), ...marked("+", data.newText)];
  });
  const shown = lines.slice(0, MOST_LINES).map((line) => `  ${line}`);
  return lines.length > MOST_LINES ? [...shown, `  … ${lines.length - MOST_LINES} more lines`] : shown;
}

function marked(sign: string, lines: string): string[] {
  return cleanText(lines.slice(0, MOST_TEXT))
    .split("\n")
    .map((line) => `${sign} ${line}`);
}

const SIGNS: Readonly<Record<string, string>> = { completed: "[x]", in_progress: "[>]" };

/** Returns the agent's plan as lines. */
export function planLines(update: unknown): string[] {
  const entries = Plan.safeParse(update).data?.entries ?? [];
  const lines = entries.map(
    ({ content, status }) => `  ${SIGNS[status ?? ""] ?? "[ ]"} ${toolTitle({ title: content, kind: "" })}`,
  );
  return lines.length === 0 ? [] : ["Plan:", ...lines.slice(0, MOST_LINES)];
}
