import { nearestName } from "./nearest.ts";

/** Interchangeable verbs. */
const VERBS = /^(?:get|list|show)/;
const MAX_SUGGESTIONS = 3;

/**
 * Suggests known names for an unknown one. Uses the first rule that matches: another spelling of the same name
 * (`splitShell`, `split-shell`), the same name after another verb (`list`, `get`), a prefix, the nearest name.
 * @param known every spelling with the name that it stands for
 */
export function suggestNames<T extends string>(
  name: string,
  known: Iterable<readonly [spelling: string, means: T]>,
): readonly T[] {
  const means = new Map<string, Set<T>>();
  for (const [spelling, meaning] of known) {
    const key = normalize(spelling);
    means.set(key, (means.get(key) ?? new Set<T>()).add(meaning));
  }
  // An exact name takes precedence over aliases with the same spelling.
  for (const [key, meanings] of means) {
    const own = [...meanings].filter((meaning) => normalize(meaning) === key);
    if (own.length > 0) means.set(key, new Set(own));
  }
  const wanted = normalize(name);
  const spellings = [...means.keys()];
  const stem = wanted.replace(VERBS, "");
  const near = nearestName(wanted, spellings);
  const found = [
    spellings.filter((spelling) => spelling === wanted),
    spellings.filter((spelling) => stem !== wanted && spelling.replace(VERBS, "") === stem),
    spellings.filter((spelling) => wanted.length >= 3 && spelling.startsWith(wanted)),
    near === undefined ? [] : [near],
  ].find((names) => names.length > 0);
  return [...new Set(found?.flatMap((spelling) => [...(means.get(spelling) ?? [])]))].slice(0, MAX_SUGGESTIONS);
}

/** Returns ` Did you mean …?` with a leading space, or "". */
export function didYouMeanOneOf(names: readonly string[]): string {
  return names.length === 0 ? "" : ` Did you mean ${names.join(" or ")}?`;
}

function normalize(name: string): string {
  return name
    .slice(0, 60)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "");
}
