import { RE2JS } from "re2js";
import { RemoteError } from "./errors.ts";

/** Where a pattern was found in a text. */
interface Match {
  readonly index: number;
  readonly length: number;
}

/** What a search looks for, in any case. */
export interface SearchPattern {
  /** Texts that each match has: an index is asked for them. */
  readonly literals: readonly string[];
  /** Finds all matches, from the first one. */
  matches(text: string): Iterable<Match>;
}

/** Shortest text that an index of trigrams finds. */
const LEAST_LITERAL = 3;

/**
 * Returns the pattern of a search. Regular expressions are those of RE2, which take linear time whatever they are.
 *
 * @throws RemoteError `invalid_params` for what is no regular expression of RE2, and for one without three characters in a
 *   row that each match has
 */
export function searchPattern({ query, regex = false }: { query: string; regex?: boolean | undefined }): SearchPattern {
  if (!regex) {
    const quoted = query.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
    // Bounded pattern: a literal of at most 1,000 characters.
    const literal = new RegExp(quoted, "giu");
    return { literals: [query], matches: (text) => lengths(text.matchAll(literal)) };
  }
  const compiled = compile(query);
  const literals = literalsOf(query);
  if (literals.length > 0) return { literals, matches: (text) => matchesOf(compiled, text) };
  throw new RemoteError(
    "invalid_params",
    "params.query: expected a regular expression with three letters or digits in a row that each match has, outside of groups and choices.",
  );
}

function compile(query: string): RE2JS {
  try {
    return RE2JS.compile(query, RE2JS.CASE_INSENSITIVE | RE2JS.MULTILINE);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new RemoteError("invalid_params", `params.query: expected a regular expression, got one with ${why}.`);
  }
}

function* lengths(found: Iterable<RegExpMatchArray>): Generator<Match> {
  for (const { index = 0, 0: match } of found) yield { index, length: match.length };
}

function* matchesOf(compiled: RE2JS, text: string): Generator<Match> {
  // A terminal's line ends are two characters; `$` stands before the second.
  const matcher = compiled.matcher(text.replaceAll("\r\n", "\n\n"));
  while (matcher.find()) {
    const length = matcher.end() - matcher.start();
    if (length > 0) yield { index: matcher.start(), length };
  }
}

/**
 * Returns runs of letters and digits that each match has: those outside of groups, classes and escapes that nothing makes
 * optional. None where there are choices at the top.
 */
export function literalsOf(pattern: string): readonly string[] {
  const runs: string[] = [];
  let run = "";
  let depth = 0;
  const end = () => {
    if (run.length >= LEAST_LITERAL) runs.push(run);
    run = "";
  };
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern[at] ?? "";
    if (character === "|" && depth === 0) return [];
    if (character === "\\") {
      // Quoted text is left to the comparison.
      if (pattern[at + 1] === "Q") return runs;
      at = endOfEscape(pattern, at);
    } else if (character === "[") at = endOfClass(pattern, at);
    else if (character === "(") depth += 1;
    else if (character === ")") depth -= 1;
    else if (character === "{") at = Math.max(at, pattern.indexOf("}", at));
    const isLetter = depth === 0 && /[\p{L}\p{N} _\-/:=,;"'<>@#%&!~]/u.test(character);
    if (isLetter) run += character;
    else {
      // What may be absent, or be there several times, ends the run before it.
      if (/[?*{]/.test(character)) run = run.slice(0, -1);
      end();
    }
  }
  end();
  return runs;
}

/** `\x{…}`, `\p{…}` and `\p` with one letter have more than one character. */
function endOfEscape(pattern: string, at: number): number {
  const kind = pattern[at + 1] ?? "";
  if (/[xpP]/.test(kind)) {
    if (pattern[at + 2] === "{") return Math.max(at + 1, pattern.indexOf("}", at));
    return at + (kind === "x" ? 3 : 2);
  }
  return at + (/[0-7]/.test(kind) ? 3 : 1);
}

function endOfClass(pattern: string, start: number): number {
  let at = start + 1;
  if (pattern[at] === "^") at += 1;
  // A bracket in front stands for itself.
  if (pattern[at] === "]") at += 1;
  for (; at < pattern.length && pattern[at] !== "]"; at++) {
    if (pattern[at] === "\\") at += 1;
    else if (pattern.startsWith("[:", at)) at = Math.max(at, pattern.indexOf(":]", at) + 1);
  }
  return at;
}
