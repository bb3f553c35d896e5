/** Something that the search leads to. */
export interface SearchEntry {
  readonly key: string;
  readonly group: "sessions" | "agents" | "people" | "places" | "settings" | "actions";
  readonly name: string;
  /** Where it is, or what it is. */
  readonly detail: string;
  /** Other words for it. */
  readonly keywords?: string;
  /** What Enter does with it. */
  readonly enter: string;
  run(): void;
}

/** An entry with the letters of its name that were typed. */
export interface SearchHit extends SearchEntry {
  readonly from: number;
  readonly to: number;
}

/** How many entries of a group are listed. */
const MOST_OF_GROUP = 6;

const groups = [
  "sessions",
  "agents",
  "people",
  "places",
  "settings",
  "actions",
] as const satisfies readonly SearchEntry["group"][];

/**
 * Finds what a text leads to, by group; the best group first. Names are found at the start of their words: the whole name
 * before its beginning, before a later word, before a word that means the same.
 */
export function findEntries(entries: readonly SearchEntry[], text: string): readonly SearchHit[] {
  const wanted = text.trim().toLocaleLowerCase();
  if (wanted === "") return [];
  const scored = entries.flatMap((entry) => {
    const hit = score(entry, wanted);
    return hit === undefined ? [] : [{ ...entry, ...hit }];
  });
  const best = (group: SearchEntry["group"]) =>
    Math.min(...scored.filter((hit) => hit.group === group).map(({ rank }) => rank));
  return [...groups]
    .sort((one, other) => best(one) - best(other) || groups.indexOf(one) - groups.indexOf(other))
    .flatMap((group) =>
      scored
        .filter((hit) => hit.group === group)
        .sort((one, other) => one.rank - other.rank)
        .slice(0, MOST_OF_GROUP),
    );
}

function score(
  { name, detail, keywords = "" }: SearchEntry,
  wanted: string,
): { readonly rank: number; readonly from: number; readonly to: number } | undefined {
  const lower = name.toLocaleLowerCase();
  const at = wordStart(lower, wanted);
  if (at !== -1) return { rank: lower === wanted ? 0 : at === 0 ? 1 : 2, from: at, to: at + wanted.length };
  const isAlso =
    wordStart(keywords.toLocaleLowerCase(), wanted) !== -1 || wordStart(detail.toLocaleLowerCase(), wanted) !== -1;
  return isAlso ? { rank: 3, from: 0, to: 0 } : undefined;
}

/** Returns where a text begins with a word of another one; -1 where it does not. */
function wordStart(text: string, wanted: string): number {
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + 1)) {
    const before = text.charAt(at - 1);
    if (at === 0 || !/[\p{L}\p{N}]/u.test(before) || !/[\p{L}\p{N}]/u.test(text.charAt(at))) return at;
  }
  return -1;
}
