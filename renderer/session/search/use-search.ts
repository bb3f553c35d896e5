import { useEffect, useRef, useState } from "react";
import { errorText } from "../../../core/protocol/error-text.ts";
import type { Recording } from "../../../core/protocol/history-ops.ts";
import type { SearchHit } from "../../../core/protocol/history-search.ts";
import type { Searched } from "../view/ui-state.ts";
import { useView } from "../view/view.ts";

/** Shortest text that is searched for. */
export const LEAST_LENGTH = 3;
/** Results of each kind that are asked for, at first and as the user scrolls on. */
const LIMITS = [50, 250, 1000] as const;
export const MOST_RESULTS = LIMITS[2];
const LATER_MS = 60;

interface FoundResults {
  readonly hits: readonly SearchHit[];
  /** What they were found for; undefined before the first answer. */
  readonly text: string | undefined;
  /** Whether there may be older ones. */
  readonly hasMore: boolean;
}

export interface SearchState {
  readonly found: FoundResults;
  readonly recording: Recording | undefined;
  /** Whether the user may search conversations with agents. */
  readonly conversations: boolean;
  /** Why the last search failed. */
  readonly failed: string | undefined;
  readonly searching: boolean;
  /** Asks for older results too. */
  more(): void;
}

const nothing: FoundResults = { hits: [], text: undefined, hasMore: false };

/** Whether there are as many results of a kind as were asked for. */
function isCut(hits: readonly SearchHit[], limit: number): boolean {
  const counts = new Map<string, number>();
  for (const { in: place } of hits) counts.set(place, (counts.get(place) ?? 0) + 1);
  return [...counts.values()].some((count) => count >= limit);
}

/** Searches as the user types: one search at a time, and none for what was typed over meanwhile. */
export function useSearch({ text, in: place, regex, shell }: Searched): SearchState {
  const { host } = useView();
  const [found, setFound] = useState(nothing);
  const [recording, setRecording] = useState<Recording>();
  const [conversations, setConversations] = useState(false);
  const [failed, setFailed] = useState<string>();
  const [searching, setSearching] = useState(false);
  const wanted = text.trim();
  const [step, setStep] = useState({ of: wanted, at: 0 });
  const at = step.of === wanted ? step.at : 0;
  const limit = LIMITS[at] ?? MOST_RESULTS;
  const busy = useRef<Promise<unknown>>(Promise.resolve());
  useEffect(() => {
    let isStale = false;
    const isShort = [...wanted].length < LEAST_LENGTH;
    const run = async () => {
      await busy.current;
      if (isStale) return;
      const given = { in: place, regex, limit, ...(shell === undefined ? {} : { shell }) };
      const answer = host.search(isShort ? given : { ...given, query: wanted });
      busy.current = answer.catch(() => undefined);
      try {
        const { hits, recording: now, conversations: may } = await answer;
        if (isStale) return;
        setSearching(false);
        setRecording(now);
        setConversations(may);
        setFailed(undefined);
        setFound(isShort ? nothing : { hits, text: wanted, hasMore: isCut(hits, limit) });
      } catch (error) {
        if (isStale) return;
        setSearching(false);
        setFailed(errorText(error));
      }
    };
    if (isShort) setFound(nothing);
    setSearching(!isShort);
    const timer = setTimeout(() => void run(), LATER_MS);
    return () => {
      isStale = true;
      clearTimeout(timer);
    };
  }, [host, wanted, place, regex, shell, limit]);
  const more = () => {
    if (found.hasMore && !searching && at < LIMITS.length - 1) setStep({ of: wanted, at: at + 1 });
  };
  return { found, recording, conversations, failed, searching, more };
}
