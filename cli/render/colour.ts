import type { Style } from "./io.ts";

export function dim(text: string, { colour }: Pick<Style, "colour">): string {
  return colour ? `\u001b[2m${text}\u001b[22m` : text;
}

export function bold(text: string, { colour }: Pick<Style, "colour">): string {
  return colour ? `\u001b[1m${text}\u001b[22m` : text;
}
