import type { Question } from "../../../core/protocol/questions.ts";

/** What a question asks for, as far as its card differs. */
export type CardKind = "command" | "change" | "use" | "choice" | "text" | "plan" | "login" | "screen" | "budget";

/** Returns which card shows a question. */
export function cardKindOf({ kind, source, detail }: Pick<Question, "kind" | "source" | "detail">): CardKind {
  if (source === "governor") return "budget";
  if (source === "screen") return "screen";
  if (kind !== "permission") return kind;
  if (detail.command !== undefined) return "command";
  return detail.diff !== undefined || detail.files !== undefined ? "change" : "use";
}

/** Returns what a question is about in one line: `npm test` of `Bash: npm test`. */
export function subjectOf({ title, detail }: Pick<Question, "title" | "detail">): string {
  const [, subject] = /^[\w.-]+: (.+)$/s.exec(title) ?? [];
  return subject ?? detail.command?.split("\n")[0] ?? title;
}

/** Returns the tool that a question's title names: `WebFetch` of `WebFetch: https://…`. */
export function toolOf({ title }: Pick<Question, "title">): string | undefined {
  return /^([\w.-]+): ./.exec(title)?.[1];
}

/**
 * Returns what an option's label names of a command: a rule such as `Bash(npm run test:*)`, or else the most words of the
 * command that stand there in a row; undefined where that is nothing, or one word that does not begin the command.
 *
 * Looks for the words of the label in the command, because a label is short and a command may have thousands of words. Where
 * a row of words stands there, so do its parts: each look begins or ends one word further than the one before.
 */
export function codeInLabel(label: string, command: string | undefined): string | undefined {
  const [rule] = /\b\w{1,64}\([^()]+\)/.exec(label) ?? [];
  const words = command?.split(/\s+/).filter((word) => word !== "") ?? [];
  const [first] = words;
  if (rule !== undefined || first === undefined) return rule;
  const named = label.split(" ");
  const whole = ` ${words.join(" ")} `;
  const row = (start: number, end: number) => named.slice(start, end).join(" ");
  let longest: string | undefined;
  for (let start = 0, end = 1; end <= named.length; end = Math.max(end, start + 1)) {
    const run = row(start, end);
    const stands = !named.slice(start, end).includes("") && whole.includes(` ${run} `);
    if (stands && (end > start + 1 || run === first) && run.length > (longest?.length ?? 0)) longest = run;
    if (stands) end += 1;
    else start += 1;
  }
  return longest;
}

/** Counts the lines that a change adds and removes. */
export function countChanges(diff: string): { readonly added: number; readonly removed: number } {
  const lines = diff.split("\n");
  const count = (sign: string, header: string) =>
    lines.filter((line) => line.startsWith(sign) && !line.startsWith(header)).length;
  return { added: count("+", "+++ "), removed: count("-", "--- ") };
}
