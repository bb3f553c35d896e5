import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { checkSync } from "recheck/lib/browser.js";

/**
 * The patterns that the checker has found to be linear, by digest: to judge them all takes most of a minute.
 * test/unit/patterns.test.ts judges them anew among the slow tests, and writes the file with `-u`.
 */
export const LINEAR_PATTERNS = join(import.meta.dirname, "linear-patterns.txt");
/** Part of the digests: a change of the checker or of its parameters makes old verdicts worthless. */
const CHECKER = "recheck 4.5.0, 1";
/** The automaton does not know these, so recheck searches for an attack instead. */
const NEEDS_SEARCH = /\(\?<?[=!]|\\[1-9k]/;

export type PatternTime = "linear" | "super-linear" | "unknown";

/** Tells whether a regular expression takes time linear in its text, by an earlier verdict or by recheck. */
export function timeOfPattern(source: string, flags: string): PatternTime {
  known ??= new Set(readFileSync(LINEAR_PATTERNS, "utf8").split("\n"));
  return known.has(digestOfPattern(source, flags)) ? "linear" : judgePattern(source, flags);
}

let known: ReadonlySet<string> | undefined;

/** Tells whether a regular expression takes time linear in its text, by recheck. */
export function judgePattern(source: string, flags: string): PatternTime {
  if (isBoundedBacktracking(source, flags)) return "linear";
  const { status } = NEEDS_SEARCH.test(source)
    ? checkSync(source, flags, { checker: "fuzz", timeout: null, incubationLimit: 10_000, maxIteration: 4 })
    : checkSync(source, flags, { checker: "automaton", timeout: null, maxNFASize: 1_000_000 });
  return status === "safe" ? "linear" : status === "vulnerable" ? "super-linear" : "unknown";
}

/** Names a pattern and the checker that judged it. */
export function digestOfPattern(source: string, flags: string): string {
  return createHash("sha256")
    .update(JSON.stringify([CHECKER, source, flags]))
    .digest("hex")
    .slice(0, 32);
}

/**
 * Recognizes what needs no checker: a pattern without unbounded repetition takes bounded time at each place of the text, and
 * one that fits at the text's start only may repeat one character class.
 */
function isBoundedBacktracking(source: string, flags: string): boolean {
  const plain = source.replace(/\\(?:[pP]\{[^}]*\}|.)/gs, "x").replace(/\[[^\]]*\]/g, "x");
  const repeated = [...plain.matchAll(/(.)(?:[*+]|\{\d+,\})/gs)];
  if (repeated.length === 0) return !NEEDS_SEARCH.test(source);
  const isAnchored = plain.startsWith("^") && !flags.includes("m") && !hasTopLevelChoice(plain);
  return isAnchored && repeated.length === 1 && repeated[0]?.[1] !== ")";
}

function hasTopLevelChoice(plain: string): boolean {
  let depth = 0;
  for (const character of plain) {
    if (character === "(") depth += 1;
    else if (character === ")") depth -= 1;
    else if (character === "|" && depth === 0) return true;
  }
  return false;
}
