import { nearest } from "./nearest.ts";

/** Verbs that people take for one another. */
const VERBS = /^(?:get|list|show)/;
const MOST = 3;

/**
 * What a name may stand for that is none, by what is known: every spelling, with what it means. In this order: the same
 * name written otherwise (`splitShell`, `split-shell`), the same after another verb (`list`, `get`), the beginning of
 * names, the nearest name.
 */
export function meantNames<T extends string>(
  name: string,
  known: Iterable<readonly [spelling: string, means: T]>,
): readonly T[] {
  const means = new Map<string, Set<T>>();
  for (const [spelling, meaning] of known) {
    const key = plain(spelling);
    means.set(key, (means.get(key) ?? new Set<T>()).add(meaning));
  }
  // A name of its own means nothing else, whatever others are called elsewhere.
  for (const [key, meanings] of means) {
    const own = [...meanings].filter((meaning) => plain(meaning) === key);
    if (own.length > 0) means.set(key, new Set(own));
  }
  const wanted = plain(name);
  const spellings = [...means.keys()];
  const stem = wanted.replace(VERBS, "");
  const near = nearest(wanted, spellings);
  const found = [
    spellings.filter((spelling) => spelling === wanted),
    spellings.filter((spelling) => stem !== wanted && spelling.replace(VERBS, "") === stem),
    spellings.filter((spelling) => wanted.length >= 3 && spelling.startsWith(wanted)),
    near === undefined ? [] : [near],
  ].find((names) => names.length > 0);
  return [...new Set(found?.flatMap((spelling) => [...(means.get(spelling) ?? [])]))].slice(0, MOST);
}

/** `Did you mean …?` with a space before it, or nothing. */
export function didYouMeanOneOf(names: readonly string[]): string {
  return names.length === 0 ? "" : ` Did you mean ${names.join(" or ")}?`;
}

function plain(name: string): string {
  return name
    .slice(0, 60)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "");
}
