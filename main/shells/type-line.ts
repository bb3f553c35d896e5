import { RemoteError } from "../../core/protocol/errors.ts";

/** Longer lines are pasted, because shells redraw and highlight typed characters one by one. */
const TYPED_AT_MOST = 1000;
// biome-ignore lint/suspicious/noControlCharactersInRegex: a shell would act on these as keys
const KEYS = /[\u0000-\u001f\u007f]/;
const PASTE_END = "\u001b[201~";
/** Characters that terminals and line editors always interpret; tabs, line ends and escapes can be pasted. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones to refuse
const NEVER_TYPED = /[\u0000-\u0008\u000b\u000c\u000e-\u001a\u001c-\u001f\u007f]/;

/**
 * Throws for a command line with characters that act as keys, such as Ctrl-C, which would end it before it is entered.
 */
export function refuseKeys(line: string): void {
  const code = (NEVER_TYPED.exec(line)?.[0] ?? (line.includes(PASTE_END) ? "\u001b" : undefined))?.charCodeAt(0);
  if (code === undefined) return;
  const hex = code.toString(16).padStart(2, "0");
  throw new RemoteError(
    "invalid_params",
    `command: holds the control character U+00${hex.toUpperCase()}, which a shell takes for a key; write it as an escape such as $'\\x${hex}', or press keys with writeToShell.`,
  );
}

/** Returns the bytes that enter a command line, as a paste when the shell supports it and the line needs it. */
export function lineInput(line: string, bracketedPaste: boolean): string {
  return `${bracketedPaste && needsPaste(line) ? pasteInput(line, true) : withReturns(line)}\r`;
}

/** Whether a line is long or contains characters that a shell interprets as keys. */
export function needsPaste(line: string): boolean {
  return KEYS.test(line) || line.length > TYPED_AT_MOST;
}

/** Returns the bytes that paste a text: bracketed when the program supports it, and never ending the bracket early. */
export function pasteInput(text: string, bracketedPaste: boolean): string {
  if (!bracketedPaste) return withReturns(text);
  let inner = text;
  while (inner.includes(PASTE_END)) inner = inner.replaceAll(PASTE_END, "");
  return `\u001b[200~${withReturns(inner)}${PASTE_END}`;
}

/** The Enter key sends a carriage return. */
function withReturns(text: string): string {
  return text.replace(/\r?\n/g, "\r");
}
