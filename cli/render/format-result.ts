import type { CommandRow } from "../parse/command-row.ts";
import { asCode } from "./cell.ts";
import type { Style } from "./io.ts";
import { safeOutput } from "./safe-output.ts";

/** A command's result as text: JSON for programs, tables and lines for people, plain output where that is the point. */
export async function formatResult(
  row: Pick<CommandRow, "print" | "columns" | "hidden">,
  result: unknown,
  style: Style,
): Promise<string> {
  if (row.print === "json") return `${jsonText(result, 2)}\n`;
  if (style.json) return jsonLine(result);
  const output = row.print === "output" ? outputOf(result) : undefined;
  if (output !== undefined) return style.isTTY ? outputForTerminal(output, style) : output;
  if (!style.isTTY) return jsonLine(result);
  const [{ terminalText: human }, { addIdle: withIdle }] = await Promise.all([
    import("./terminal-text.ts"),
    import("./add-idle.ts"),
  ]);
  return human(withIdle(result), style, row);
}

function outputForTerminal(output: string, { raw = false }: Style): string {
  const shown = raw ? output : safeOutput(output);
  return output !== "" && !output.endsWith("\n") ? `${shown}\n` : shown;
}

/** One line, so that a program reads results line by line. */
export function jsonLine(result: unknown): string {
  return `${jsonText(result)}\n`;
}

/**
 * JSON that cannot control a terminal: JSON itself escapes only the characters below the space. What a parser reads is
 * the same.
 */
function jsonText(value: unknown, indent?: number): string | undefined {
  return JSON.stringify(value, null, indent)?.replace(/[\u007f-\u009f]|\p{Bidi_C}/gu, asCode);
}

function outputOf(result: unknown): string | undefined {
  const output = typeof result === "object" && result !== null && "output" in result ? result.output : undefined;
  return typeof output === "string" ? output : undefined;
}
