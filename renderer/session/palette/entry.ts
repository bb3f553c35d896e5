import type { IconName } from "../../ui/icon.tsx";
import type { View } from "../view/view.ts";
import {
  type Folded,
  fold,
  type Hit,
  matchDetail,
  matchSynonyms,
  matchTitle,
  namesVerb,
  type Quality,
  qualities,
} from "./match.ts";
import type { MethodForm } from "./param-form.ts";

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
  /** What kind it is of: lists mix them. */
  readonly icon: IconName;
  readonly title: string;
  /** What tells it from others of the same title; found by a search too. */
  readonly detail: string;
  /** What people call it elsewhere: words or phrases with commas between them. */
  readonly keywords?: string;
  readonly chord?: string | undefined;
  /** Something there waits for the user. */
  readonly waits?: boolean;
  /** It closes or ends something: only a text that names it puts it first. */
  readonly ends?: true;
  /** A state in a few words, for example of an agent. */
  readonly state?: { readonly label: string; readonly dot: string } | undefined;
  /** The default one first; at least one. */
  readonly actions: readonly [EntryAction, ...EntryAction[]];
  /** The form that it opens, where what is typed behind the name may be its first value. */
  readonly form?: MethodForm;
  /** Opens the form with its first value. */
  takeValue?(value: string): void;
}

/** An entry with the letters of its title that match. */
export interface FoundEntry extends Entry {
  readonly hits?: readonly Hit[];
  /** Id of the command that it is, where it has a value. */
  readonly command?: string;
}

interface Ranked {
  readonly entry: FoundEntry;
  readonly rank: number;
  /** Number of the title's word that matches. */
  readonly at: number;
}

/** The first quality of a match that may be meant for something else. */
const WEAK = qualities.indexOf("inside");

/**
 * Returns the entries that match the typed text: the exact name, then names that start with it, words that stand for a name,
 * names with words that start with it, and what else is known of an entry; then weaker matches. In each, what waits for the
 * user comes first, and else the given order decides. What closes or ends something comes first only where the text names
 * it. All entries in their order where nothing is typed.
 */
export function searchEntries(entries: readonly Entry[], typed: string): readonly FoundEntry[] {
  if (typed.trim() === "") return entries;
  const needle = fold(typed);
  const ranked = entries.flatMap((entry) => rankedEntry(entry, needle) ?? []).toSorted(compare);
  const safe = ranked.findIndex(({ entry }) => entry.ends !== true);
  const named = ranked.slice(0, safe < 0 ? ranked.length : safe).filter(({ entry }) => isNamed(entry, needle));
  // Where it would lead, what is not named goes behind the first that ends nothing, or is not offered at all.
  const unnamed = ranked.filter((one, index) => index < safe && !named.includes(one));
  const rest = safe < 0 ? [] : [ranked[safe], ...unnamed, ...ranked.slice(safe + 1)];
  return [...named, ...rest].flatMap((one) => one?.entry ?? []);
}

const folded = new Map<string, Folded>();
/** Texts that are kept folded: a palette's titles, details and synonyms, which every key searches again. */
const MAX_FOLDED = 4_000;

function foldOnce(text: string): Folded {
  const known = folded.get(text);
  if (known !== undefined) return known;
  if (folded.size >= MAX_FOLDED) folded.clear();
  const now = fold(text);
  folded.set(text, now);
  return now;
}

function synonymsOf({ keywords = "" }: Entry): readonly Folded[] {
  return keywords === "" ? [] : keywords.split(",").map(foldOnce);
}

function rankedEntry(entry: Entry, needle: Folded): Ranked | undefined {
  const { title, detail, keywords = "", state } = entry;
  const byTitle = matchTitle(foldOnce(title), needle);
  const otherQuality =
    matchSynonyms(synonymsOf(entry), needle) ??
    matchDetail(foldOnce([title, detail, state?.label ?? "", keywords].join(" ")), needle);
  const byOther = rankOf(otherQuality);
  const inTitle = rankOf(byTitle?.quality);
  const rank = Math.min(inTitle, byOther);
  if (rank === qualities.length) return undefined;
  if (entry.ends === true && rank >= WEAK) return undefined;
  const hits = byTitle?.hits;
  return {
    entry: hits === undefined ? entry : { ...entry, hits },
    rank,
    at: inTitle <= byOther ? (byTitle?.at ?? 0) : 0,
  };
}

function rankOf(quality: Quality | undefined): number {
  return quality === undefined ? qualities.length : qualities.indexOf(quality);
}

function isNamed(entry: Entry, needle: Folded): boolean {
  return namesVerb(foldOnce(entry.title), needle) || matchSynonyms(synonymsOf(entry), needle) === "synonym";
}

function compare(one: Ranked, other: Ranked): number {
  const waits = Number(other.entry.waits === true) - Number(one.entry.waits === true);
  return one.rank - other.rank || waits || one.at - other.at;
}
