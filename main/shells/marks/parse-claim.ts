import type { MarkSecret } from "./mark-secret.ts";

/** A message that a shell sends with a mark. */
export type ShellMessage =
  /** The command line has ended; the next prompt's hooks run. */
  | { readonly kind: "end"; readonly exitCode: number | null; readonly cwd: string | null }
  /** The hooks have run, the prompt is drawn next. */
  | { readonly kind: "prompt"; readonly exitCode: number | null }
  /** The prompt is drawn. `number` counts the prompts of a cycle; one that is only drawn again keeps its number. */
  | { readonly kind: "prompt-end"; readonly number: number; readonly exitCode: number | null }
  /** A prompt for the rest of an unfinished command is drawn. `number` counts as that of other prompts does. */
  | { readonly kind: "continuation"; readonly number: number }
  /** The command line begins to run. */
  | { readonly kind: "start" }
  /** Number of characters in the line editor, in reply to the report key. */
  | { readonly kind: "edited"; readonly length: number }
  /** The line editor refused a line, because it is an incomplete command. */
  | { readonly kind: "incomplete" };

/** An authentic message of the shell. */
export interface ShellClaim {
  /** Number of the cycle from prompt to prompt, from 1. */
  readonly cycle: number;
  /** Undefined for an unknown message. */
  readonly message: ShellMessage | undefined;
}

/**
 * Parses the payload of a mark; undefined when its nonce is not of this shell, because any program may have printed it.
 */
export function parseClaim(payload: string, secret: MarkSecret): ShellClaim | undefined {
  const [cycle = "", nonce = "", letter = "", ...words] = payload.split(";");
  if (!/^[1-9]\d{0,9}$/.test(cycle)) return undefined;
  if (secret.nonceOf(Number(cycle)) !== nonce) return undefined;
  return { cycle: Number(cycle), message: messageOf(letter, words) };
}

function messageOf(letter: string, [first = "", second = ""]: readonly string[]): ShellMessage | undefined {
  switch (letter) {
    case "D":
      return { kind: "end", exitCode: exitCodeOf(first), cwd: decodePath(second) ?? null };
    case "A":
      return { kind: "prompt", exitCode: exitCodeOf(first) };
    case "B":
      return { kind: "prompt-end", number: Number(first) || 0, exitCode: exitCodeOf(second) };
    case "P":
      return { kind: "continuation", number: Number(first) || 0 };
    case "C":
      return { kind: "start" };
    case "E":
      return { kind: "edited", length: Number(first) || 0 };
    case "I":
      return { kind: "incomplete" };
    default:
      return undefined;
  }
}

function exitCodeOf(word: string): number | null {
  return /^\d{1,3}$/.test(word) ? Number(word) : null;
}

/** The path of percent-encoded bytes; undefined when it is not absolute or holds a NUL. */
export function decodePath(encoded: string): string | undefined {
  if (!encoded.startsWith("/")) return undefined;
  const bytes = encoded.replace(/%([0-9a-fA-F]{2})|[\s\S]/gu, (char, hex: string | undefined) =>
    hex === undefined ? Buffer.from(char).toString("latin1") : String.fromCharCode(Number.parseInt(hex, 16)),
  );
  const path = Buffer.from(bytes, "latin1").toString("utf8");
  return path.includes("\0") ? undefined : path;
}
