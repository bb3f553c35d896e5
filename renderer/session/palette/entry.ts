import uFuzzy from "@leeoniya/ufuzzy";
import type { View } from "../view/view.ts";

export interface EntryAction {
  readonly label: string;
  /** The palette stays open after it. */
  readonly stays?: true;
  run(view: View): unknown;
}

/** A line of the palette: a command, or a place to go to. */
export interface Entry {
  readonly id: string;
  /** Heading that it stands under while nothing is typed. */
  readonly group: string;
  readonly title: string;
  /** What tells it from others of the same title; found by a search too. */
  readonly detail: string;
  /** Further words that a search finds. */
  readonly keywords?: string;
  readonly chord?: string | undefined;
  /** Something there waits for the user. */
  readonly waits?: boolean;
  /** A state in a few words, for example of an agent. */
  readonly state?: { readonly label: string; readonly dot: string } | undefined;
  /** The default one first; at least one. */
  readonly actions: readonly [EntryAction, ...EntryAction[]];
}

/** Letters and words may be missing between those that are typed, words may come in any order, in any script. */
const fuzzy = new uFuzzy({
  unicode: true,
  interSplit: "[^\\p{L}\\d']+",
  intraSplit: "\\p{Ll}\\p{Lu}",
  intraBound: "\\p{L}\\d|\\d\\p{L}|\\p{Ll}\\p{Lu}",
  intraChars: "[\\p{L}\\d' ]",
  intraContr: "'\\p{L}{1,2}\\b",
  intraIns: 8,
});

/** Number of words whose order does not matter. */
const MAX_PERMUTED_WORDS = 3;

/**
 * Returns the entries that match the typed text: matches of the title before those of detail and state, in each what waits
 * for the user first, then the best matches. All entries in their order where nothing is typed.
 */
export function searchEntries(entries: readonly Entry[], typed: string): readonly Entry[] {
  const needle = typed.trim();
  if (needle === "") return entries;
  const byTitle = ranked(entries, needle, ({ title }) => title);
  const found = new Set(byTitle);
  const rest = ranked(
    entries.filter((entry) => !found.has(entry)),
    needle,
    ({ title, detail, state, keywords = "" }) => [title, detail, state?.label ?? "", keywords].join(" "),
  );
  return [...waitingFirst(byTitle), ...waitingFirst(rest)];
}

function ranked(entries: readonly Entry[], needle: string, textOf: (entry: Entry) => string): readonly Entry[] {
  // Text without letters, such as `~/`, has no words to rank by.
  if (fuzzy.split(needle).length === 0) return entries.filter((entry) => textOf(entry).includes(needle));
  const texts = entries.map((entry) => uFuzzy.latinize(textOf(entry)));
  const [ids, info, order] = fuzzy.search(texts, uFuzzy.latinize(needle), MAX_PERMUTED_WORDS);
  const sorted = order === null || info === null ? (ids ?? []) : order.map((at) => info.idx[at] ?? 0);
  return sorted.flatMap((at) => entries[at] ?? []);
}

function waitingFirst(entries: readonly Entry[]): readonly Entry[] {
  return [...entries.filter(({ waits }) => waits === true), ...entries.filter(({ waits }) => waits !== true)];
}
