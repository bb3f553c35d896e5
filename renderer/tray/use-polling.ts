import { useEffect, useRef } from "react";
import type { OverviewPart } from "../../core/protocol/overview-changes.ts";
import { useAskAgain } from "./use-ask-again.ts";

/**
 * Asks while the panel is visible: at once, whenever it is shown, and as `useAskAgain` does. One request is made at a time, and
 * nothing waits for it; after a failure the last answer stays.
 *
 * @returns a function that asks now, and again after a request that is under way
 */
export function usePolling<T>(
  ask: () => Promise<T>,
  answered: (answer: T) => void,
  everyMs: number,
  parts?: readonly OverviewPart[],
): () => void {
  const latest = useRef({ ask, answered });
  useEffect(() => {
    latest.current = { ask, answered };
  });
  const now = useRef<() => void>(() => undefined);
  useEffect(() => {
    let isAsking = false;
    let isDue = false;
    let isStopped = false;
    const look = async () => {
      if (document.hidden) return;
      isDue = isAsking;
      if (isAsking) return;
      isAsking = true;
      try {
        const answer = await latest.current.ask();
        if (!isStopped) latest.current.answered(answer);
      } catch {
        // The next one comes soon.
      }
      isAsking = false;
      if (isDue && !isStopped) void look();
    };
    const start = () => void look();
    now.current = start;
    document.addEventListener("visibilitychange", start);
    start();
    return () => {
      isStopped = true;
      document.removeEventListener("visibilitychange", start);
    };
  }, []);
  useAskAgain(() => now.current(), everyMs, parts);
  return useRef(() => now.current()).current;
}
