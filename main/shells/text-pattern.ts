import { RemoteError } from "../../core/protocol/errors.ts";
import { RegexWorker, type TextMatch } from "./regex-worker.ts";

/** A pattern that a caller waits for. */
export interface TextPattern {
  /** Returns the first match. Rejects with `invalid_params` for a pattern that takes too long. */
  find(text: string): Promise<TextMatch | null>;
  /** Whether no match can go over the end of a line, so that a line that was searched is done with. */
  readonly inLine: boolean;
}

interface PatternOptions {
  /** Match the text literally. */
  readonly fixed?: boolean | undefined;
  readonly ignoreCase?: boolean | undefined;
  /** Who waits: each caller has its share of the time. */
  readonly caller?: string | undefined;
  /** Name of the pattern's parameter in errors; default `params.text`. */
  readonly param?: string | undefined;
}

const MAX_PATTERN_LENGTH = 1000;

/** Text that stands for itself: it is searched in one pass, so it needs no thread. */
const LITERAL = /^[^\\^$.*+?()[\]{}|\n]*$/;

/**
 * What may match the end of a line: a newline, a class that holds it, an escape that may stand for it, and groups that look
 * around or change flags.
 */
const MAY_CROSS_LINES = /\n|\[\^|\\[nrsvfWDPpxuc0]|\(\?(?!:|<[A-Za-z_$])/;

const worker = new RegexWorker();

/**
 * Compiles a pattern from a caller. `^` and `$` match at lines. Throws `invalid_params` for an invalid one.
 */
export function compilePattern(source: string, options: PatternOptions = {}): TextPattern {
  const { fixed = false, ignoreCase = false, caller = "", param = "params.text" } = options;
  const regex = compile(source, { fixed, ignoreCase, param });
  const inLine = fixed ? !source.includes("\n") : !MAY_CROSS_LINES.test(source);
  if (fixed || LITERAL.test(source)) return { inLine, find: async (text) => matchOf(regex.exec(text)) };
  return { inLine, find: (text) => worker.find(caller, regex, text) };
}

function matchOf(found: RegExpExecArray | null): TextMatch | null {
  return found === null ? null : { index: found.index, text: found[0] };
}

function compile(
  source: string,
  { fixed, ignoreCase, param }: { fixed: boolean; ignoreCase: boolean; param: string },
): RegExp {
  if (source.length === 0 || source.length > MAX_PATTERN_LENGTH) {
    throw new RemoteError("invalid_params", `${param}: expected a pattern of 1 to ${MAX_PATTERN_LENGTH} characters.`);
  }
  try {
    // Bounded pattern: it runs in a RegexWorker, which ends a search that takes over 100 ms.
    return new RegExp(fixed ? escaped(source) : source, ignoreCase ? "im" : "m");
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : "it cannot be read";
    throw new RemoteError("invalid_params", `${param}: expected a regular expression; ${reason}.`, { cause });
  }
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}
