import { useEffect, useRef, useState } from "react";
import { errorText } from "../../core/protocol/error-text.ts";
import type { SearchAnswer, SearchHit } from "../../core/protocol/history-search.ts";
import { isSearchable } from "../../core/protocol/searchable.ts";

/** Results of each kind that are asked for, at first and as the user scrolls on. */
const LIMITS = [50, 250, 1000] as const;
export const MOST_RESULTS = LIMITS[2];
const LATER_MS = 60;
/** When a search is asked again whose answer is not complete: each time twice as long after it. */
const AGAIN_MS = { first: 250, most: 4000 };

/** Asks for what holds a text; without one for what is to be known beside results. The same function for the same search. */
export type AskSearch<A extends SearchAnswer> = (wanted: {
  readonly query: string | undefined;
  readonly limit: number;
}) => Promise<A>;

interface FoundResults<A extends SearchAnswer> {
  readonly hits: A["hits"];
  /** What they were found for; undefined before the first answer. */
  readonly text: string | undefined;
  /** Whether there may be older ones. */
  readonly hasMore: boolean;
  /** Whether everything up to now was searched; otherwise the search goes on. */
  readonly complete: boolean;
  /** The search that has found them; undefined before the first answer. */
  readonly by: AskSearch<A> | undefined;
}

export interface SearchState<A extends SearchAnswer = SearchAnswer> {
  readonly found: FoundResults<A>;
  /** Returns whether a result is one of the text that stands there; until its answer comes, one of a former text may be. */
  isResult(hit: SearchHit): boolean;
  /** The last answer, whatever it was to. */
  readonly answer: A | undefined;
  /** Why the last search failed. */
  readonly failed: string | undefined;
  readonly searching: boolean;
  /** Asks for older results too. */
  more(): void;
}

/** Results before the first answer, and for too short a text. */
const noResults = { hits: [], text: undefined, hasMore: false, complete: true, by: undefined };

/** Returns whether there are as many results of a kind as were asked for. */
function isCut(hits: readonly SearchHit[], limit: number): boolean {
  const counts = new Map<string, number>();
  for (const { in: place } of hits) counts.set(place, (counts.get(place) ?? 0) + 1);
  return [...counts.values()].some((count) => count >= limit);
}

/**
 * Searches as the user types: one search at a time, and none for what was typed over meanwhile. While an answer is not
 * complete it is asked for again, so that what was printed just before is found. What has failed is asked for again when the
 * connection is back.
 */
export function useSearch<A extends SearchAnswer>(text: string, ask: AskSearch<A>, isConnected = true): SearchState<A> {
  const [found, setFound] = useState<FoundResults<A>>(noResults);
  const [last, setLast] = useState<A>();
  const [failed, setFailed] = useState<string>();
  const [searching, setSearching] = useState(false);
  const isAway = !isConnected && failed !== undefined;
  const wanted = text.trim();
  const [step, setStep] = useState({ of: wanted, at: 0 });
  const at = step.of === wanted ? step.at : 0;
  const limit = LIMITS[at] ?? MOST_RESULTS;
  const busy = useRef<Promise<unknown>>(Promise.resolve());
  useEffect(() => {
    let isStale = false;
    let timer: number | undefined;
    const isShort = !isSearchable(wanted);
    const run = async (pause: number) => {
      await busy.current;
      if (isStale) return;
      const asked = ask({ query: isShort ? undefined : wanted, limit });
      busy.current = asked.catch(() => undefined);
      try {
        const answer = await asked;
        if (isStale) return;
        const { hits, complete } = answer;
        setSearching(false);
        setLast(answer);
        setFailed(undefined);
        setFound(isShort ? noResults : { hits, complete, text: wanted, hasMore: isCut(hits, limit), by: ask });
        if (!complete) timer = window.setTimeout(() => void run(Math.min(2 * pause, AGAIN_MS.most)), pause);
      } catch (error) {
        if (isStale) return;
        setSearching(false);
        setFailed(errorText(error));
      }
    };
    if (isShort) setFound(noResults);
    setSearching(!isShort && !isAway);
    if (!isAway) timer = window.setTimeout(() => void run(AGAIN_MS.first), LATER_MS);
    return () => {
      isStale = true;
      window.clearTimeout(timer);
    };
  }, [ask, wanted, limit, isAway]);
  const more = () => {
    if (found.hasMore && !searching && at < LIMITS.length - 1) setStep({ of: wanted, at: at + 1 });
  };
  const isResult = ({ line }: SearchHit) =>
    found.by === ask && (found.text === wanted || line.toLowerCase().includes(wanted.toLowerCase()));
  return { found, isResult, answer: last, failed, searching, more };
}
