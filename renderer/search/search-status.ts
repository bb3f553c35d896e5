import { isSearchable } from "../../core/protocol/searchable.ts";
import { MOST_RESULTS, type SearchState } from "./use-search.ts";
import { search as words } from "./words.ts";

/** Tells in a line how a search fares: how much was found, and whether it goes on. Empty where nothing is searched. */
export function searchStatus(count: number, text: string, state: SearchState): string {
  const counted = countOf(count, text.trim(), state);
  return state.found.complete || count === 0 ? counted : `${counted} · ${words.partial}`;
}

function countOf(count: number, text: string, { found, searching, failed }: SearchState): string {
  if (failed !== undefined || text === "") return "";
  if (!isSearchable(text)) return words.tooShort;
  if (found.text === undefined || (searching && count === 0)) return searching ? words.searching : "";
  if (!found.hasMore) return words.count(count);
  return count >= MOST_RESULTS ? words.most(MOST_RESULTS) : words.latest(count);
}
