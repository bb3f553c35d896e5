import { type Context, createContext, Script } from "node:vm";
import { RemoteError } from "../../core/protocol/errors.ts";

export interface TextMatch {
  readonly index: number;
  readonly text: string;
}

export type FindMatch = (text: string) => TextMatch | null;

export interface PatternOptions {
  /** Match the text literally. */
  readonly fixed?: boolean | undefined;
  readonly ignoreCase?: boolean | undefined;
}

const MAX_PATTERN_LENGTH = 1000;
const TIME_LIMIT_MS = 100;

/**
 * Compiles patterns from callers. Matching is aborted after 100 ms, because a hostile pattern could otherwise block the
 * whole process. `^` and `$` match at lines. Throws `invalid_params` for an invalid pattern; the returned function
 * throws it for a pattern that takes too long.
 */
export function createPatternCompiler(): (source: string, options?: PatternOptions) => FindMatch {
  const script = new Script("pattern.exec(text)");
  let shared: Context | undefined;
  return (source, options = {}) => {
    const pattern = compile(source, options);
    return (text) => {
      shared ??= createContext(Object.create(null));
      Object.assign(shared, { pattern, text });
      return run(script, shared, source);
    };
  };
}

function compile(source: string, { fixed = false, ignoreCase = false }: PatternOptions): RegExp {
  if (source.length === 0 || source.length > MAX_PATTERN_LENGTH) {
    throw new RemoteError(
      "invalid_params",
      `params.text: expected a pattern of 1 to ${MAX_PATTERN_LENGTH} characters.`,
    );
  }
  try {
    return new RegExp(fixed ? escaped(source) : source, ignoreCase ? "im" : "m");
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : "it cannot be read";
    throw new RemoteError("invalid_params", `params.text: expected a regular expression; ${reason}.`, { cause });
  }
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}

function run(script: Script, context: Context, source: string): TextMatch | null {
  try {
    const found: unknown = script.runInContext(context, { timeout: TIME_LIMIT_MS });
    return Array.isArray(found) ? { index: (found as RegExpExecArray).index, text: String(found[0]) } : null;
  } catch (cause) {
    throw new RemoteError(
      "invalid_params",
      `params.text: the pattern ${source.slice(0, 80)} takes too long; make it simpler.`,
      {
        cause,
      },
    );
  } finally {
    Object.assign(context, { text: "" });
  }
}
