import { RE2JS } from "re2js";
import { errorText } from "./error-text.ts";
import { RemoteError } from "./errors.ts";
import { isSearchable } from "./searchable.ts";

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

/** Most instructions of a pattern: the time of RE2 is linear in the text times their number. Ordinary patterns have 30 to 300. */
const MOST_INSTRUCTIONS = 500;
/** Time for a pattern on the relay's own thread. */
const SHORT_MS = 250;
/** Time for a pattern in the thread of the index. */
export const THREAD_MS = 10_000;

/**
 * Returns the pattern of a search. Regular expressions are those of RE2, which take linear time whatever they are.
 *
 * @param longestMs - time for all matches together: after it there are none
 * @throws RemoteError `invalid_params` for what is no regular expression of RE2, for one that repeats too much, and for one
 *   without a text in each match that is long enough for the index
 */
export function searchPattern(
  { query, regex = false }: { query: string; regex?: boolean | undefined },
  longestMs = SHORT_MS,
): SearchPattern {
  if (!regex) {
    const quoted = query.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
    // Bounded pattern: a literal of at most 1,000 characters.
    const literal = new RegExp(quoted, "giu");
    return { literals: [query], matches: (text) => lengths(text.matchAll(literal)) };
  }
  const compiled = compile(query, RE2JS.CASE_INSENSITIVE | RE2JS.MULTILINE, "query");
  const literals = literalsOf(query);
  const clock = { leftMs: longestMs };
  if (literals.length > 0) return { literals, matches: (text) => matchesOf(compiled, text, clock) };
  throw new RemoteError(
    "invalid_params",
    "params.query: expected a regular expression with three letters or digits in a row that each match has, or two Chinese, Japanese or Korean ones, outside of groups and choices.",
  );
}

/**
 * Compiles a pattern that a user gives for texts of programs: one of RE2, so that it takes linear time whatever it is.
 *
 * @throws RemoteError `invalid_params` for what is no regular expression of RE2, and for one that repeats too much
 */
export function linearPattern(source: string): { test(text: string): boolean } {
  const compiled = compile(source, RE2JS.MULTILINE, "pattern");
  return { test: (text) => compiled.matcher(text).find() };
}

/**
 * Returns what finds a user's own secrets: the match of an expression of RE2, or what its first group has matched.
 *
 * @throws RemoteError `invalid_params` as `searchPattern`, and for an expression that matches nothing at all
 */
export function secretPattern(pattern: string): (text: string) => Iterable<Match> {
  const compiled = compile(pattern, RE2JS.MULTILINE, "pattern");
  if (compiled.matcher("").find()) {
    throw new RemoteError("invalid_params", "params.pattern: expected one that does not match the empty text.");
  }
  const group = compiled.groupCount() > 0 ? 1 : 0;
  return function* (text) {
    const matcher = compiled.matcher(text);
    while (matcher.find()) {
      const index = matcher.start(group);
      const length = matcher.end(group) - index;
      if (length > 0) yield { index, length };
    }
  };
}

function tooMuch(name: string): RemoteError {
  return new RemoteError(
    "invalid_params",
    `params.${name}: expected a regular expression that repeats less: what is repeated a number of times counts as often, and at most 500 characters count.`,
  );
}

/** @param name - of the parameter, for the refusal */
function compile(query: string, flags: number, name: string): RE2JS {
  if (instructionsOf(query) > MOST_INSTRUCTIONS) throw tooMuch(name);
  try {
    const compiled = RE2JS.compile(query, flags);
    if (compiled.programSize() <= MOST_INSTRUCTIONS * 2) return compiled;
  } catch (error) {
    const why = errorText(error).replace(/\(\?m\)(\(\?i\))?/, "");
    throw new RemoteError("invalid_params", `params.${name}: expected a regular expression, got one with ${why}.`);
  }
  throw tooMuch(name);
}

/** Estimates how many instructions a pattern has without compiling it, which takes as long as there are instructions. */
function instructionsOf(pattern: string): number {
  const open = [0];
  let last = 0;
  const add = (size: number) => {
    open.push((open.pop() ?? 0) + size);
  };
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern[at];
    const [whole = "", least = "", most = ""] = repetitionAt(pattern, at);
    if (whole !== "") {
      const times = Math.max(Number(least), Number(most), 1);
      // It is counted once already.
      add(last * (times - 1));
      last *= times;
      at += whole.length - 1;
    } else if (character === "(") {
      open.push(1);
      if (pattern.startsWith("?:", at + 1)) at += 2;
    } else if (character === ")" && open.length > 1) {
      last = open.pop() ?? 0;
      add(last);
    } else {
      if (character === "\\") at = endOfEscape(pattern, at);
      else if (character === "[") at = endOfClass(pattern, at);
      last = /[?*+]/.test(character ?? "") ? last + 1 : 1;
      add(1);
    }
  }
  return open.reduce((sum, size) => sum + size, 0);
}

/** Returns `{2,3}` at a place with its numbers; nothing where no repetition begins there. */
function repetitionAt(pattern: string, at: number): readonly string[] {
  return /^\{(\d{1,5})(?:,(\d{0,5}))?\}/.exec(pattern.slice(at, at + 14)) ?? [];
}

function* lengths(found: Iterable<RegExpMatchArray>): Generator<Match> {
  for (const { index = 0, 0: match } of found) yield { index, length: match.length };
}

function* matchesOf(compiled: RE2JS, text: string, clock: { leftMs: number }): Generator<Match> {
  // A terminal's line ends are two characters; `$` stands before the second.
  const matcher = compiled.matcher(text.replaceAll("\r\n", "\n\n"));
  const find = () => {
    const startedAt = Date.now();
    const isFound = clock.leftMs > 0 && matcher.find();
    clock.leftMs -= Date.now() - startedAt;
    return isFound;
  };
  while (find()) {
    const length = matcher.end() - matcher.start();
    if (length > 0) yield { index: matcher.start(), length };
  }
}

/**
 * Returns runs of letters, with their marks, and digits that each match has: those outside of groups, classes and escapes
 * that nothing makes optional. None where there are choices at the top.
 */
export function literalsOf(pattern: string): readonly string[] {
  const runs: string[] = [];
  let run = "";
  let depth = 0;
  const end = () => {
    if (isSearchable(run)) runs.push(run);
    run = "";
  };
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern[at] ?? "";
    if (character === "|" && depth === 0) return [];
    if (character === "\\") {
      // Quoted text is left to the comparison.
      if (pattern[at + 1] === "Q") {
        end();
        const quoted = pattern.indexOf("\\E", at + 2);
        if (quoted < 0) return runs;
        at = quoted + 1;
      } else at = endOfEscape(pattern, at);
    } else if (character === "[") at = endOfClass(pattern, at);
    else if (character === "(") depth += 1;
    else if (character === ")") depth -= 1;
    // Other braces stand for themselves, and there may be a choice within them.
    else if (character === "{") at += Math.max(0, (repetitionAt(pattern, at)[0]?.length ?? 0) - 1);
    const isLetter = depth === 0 && /[\p{L}\p{M}\p{N} _\-/:=,;"'<>@#%&!~]/u.test(character);
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
