import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { checkSync } from "recheck/lib/browser.js";

const checkout = resolve(import.meta.dirname, "../..");
/** Verdicts by pattern, which another run need not find again. */
const CACHE = join(checkout, "node_modules/.cache/patterns");
/** Part of the cache's names: a change of the checker or of its parameters makes old verdicts worthless. */
const CHECKER = "recheck 4.5.0, 1";
/** The automaton does not know these, so recheck searches for an attack instead. */
const NEEDS_SEARCH = /\(\?<?[=!]|\\[1-9k]/;

export type PatternTime = "linear" | "super-linear" | "unknown";

/** Tells whether a regular expression takes time linear in its text, by recheck. */
export function timeOfPattern(source: string, flags: string): PatternTime {
  if (isBoundedBacktracking(source, flags)) return "linear";
  const file = join(
    CACHE,
    createHash("sha256")
      .update(JSON.stringify([CHECKER, source, flags]))
      .digest("hex"),
  );
  const known = read(file);
  if (known !== undefined) return known;
  const { status } = NEEDS_SEARCH.test(source)
    ? checkSync(source, flags, { checker: "fuzz", timeout: null, incubationLimit: 10_000, maxIteration: 4 })
    : checkSync(source, flags, { checker: "automaton", timeout: null, maxNFASize: 1_000_000 });
  const time = status === "safe" ? "linear" : status === "vulnerable" ? "super-linear" : "unknown";
  mkdirSync(CACHE, { recursive: true });
  writeFileSync(file, time);
  return time;
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

function read(file: string): PatternTime | undefined {
  try {
    const text = readFileSync(file, "utf8");
    return (["linear", "super-linear", "unknown"] as const).find((time) => time === text);
  } catch {
    return undefined;
  }
}
