import { createElement, type ReactNode } from "react";
import { CodeText } from "../../ui/code-text.ts";

/** A run of lines of one kind. */
interface TextBlock {
  readonly kind: "text" | "heading" | "code";
  readonly text: string;
}

const FENCE = /^(?:`{3,}|~{3,})/;
const HEADING = /^#{1,6} /;
/** Code, or bold words, which may hold code. `**` of a pattern for files is neither. */
const MARKED = /`[^`]+`|\*\*(?![\s/*])(?:`[^`]+`|[^`*])+\*\*/g;

/**
 * Shows what an agent writes as it is meant: code, tables, headings and bold words stand out. Of Markdown only these marks are
 * read: HTML and addresses stay text, and nothing is loaded.
 */
export function AgentText({ text }: { readonly text: string }) {
  return textBlocks(text).map((block, index) => {
    const key = String(index);
    if (block.kind === "code") return createElement("pre", { key, className: "conversation-code" }, block.text);
    const parts = block.text.split("\n").flatMap((line, at) => (at === 0 ? inline(line) : ["\n", ...inline(line)]));
    const isHeading = block.kind === "heading";
    return createElement(
      "p",
      { key, className: "conversation-text", "data-heading": isHeading || undefined },
      ...parts,
    );
  });
}

/** Splits a text into its blocks. A fence that is not closed goes on to the end, as where an agent is still writing. */
export function textBlocks(text: string): readonly TextBlock[] {
  const blocks: TextBlock[] = [];
  let open: { readonly kind: TextBlock["kind"]; readonly fence?: string; readonly lines: string[] } | undefined;
  const close = () => {
    const lines = open?.lines.join("\n") ?? "";
    const whole = open?.kind === "code" ? lines : lines.trim();
    if (open !== undefined && whole !== "") blocks.push({ kind: open.kind, text: whole });
    open = undefined;
  };
  for (const line of text.split("\n")) {
    if (open?.fence !== undefined) {
      if (closes(line, open.fence)) close();
      else open.lines.push(line);
      continue;
    }
    const fence = fenceOf(line);
    const isHeading = HEADING.test(line);
    const kind = isHeading ? "heading" : line.startsWith("|") ? "code" : "text";
    if (fence !== undefined || isHeading || open?.kind !== kind) close();
    if (fence !== undefined) open = { kind: "code", fence, lines: [] };
    else if (open === undefined) open = { kind, lines: [isHeading ? line.replace(HEADING, "") : line] };
    else open.lines.push(line);
  }
  close();
  return blocks;
}

/** Returns the fence that a line opens. Backticks that are closed in the same line are code within a text. */
function fenceOf(line: string): string | undefined {
  const begun = line.trimStart();
  const fence = FENCE.exec(begun)?.[0];
  return fence === undefined || begun.includes("`", fence.length) ? undefined : fence;
}

function closes(line: string, fence: string): boolean {
  const mark = line.trim();
  return mark.startsWith(fence) && mark === fence.charAt(0).repeat(mark.length);
}

function inline(line: string): readonly ReactNode[] {
  const parts: ReactNode[] = [];
  let end = 0;
  for (const { 0: marked, index } of line.matchAll(MARKED)) {
    parts.push(line.slice(end, index));
    end = index + marked.length;
    if (marked.startsWith("`")) parts.push(createElement("code", null, marked.slice(1, -1)));
    else parts.push(createElement("strong", null, createElement(CodeText, { text: marked.slice(2, -2) })));
  }
  return [...parts, line.slice(end)];
}
