import { styleText } from "node:util";
import type { Style } from "./io.ts";

/** The caller's terminal decides, not this process's: the program also runs inside the relay. */
const OPTIONS = { validateStream: false } as const;

export function dim(text: string, { colour }: Pick<Style, "colour">): string {
  return colour ? styleText("dim", text, OPTIONS) : text;
}

export function bold(text: string, { colour }: Pick<Style, "colour">): string {
  return colour ? styleText("bold", text, OPTIONS) : text;
}
