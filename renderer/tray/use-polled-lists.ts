import { useEffect, useRef, useState } from "react";
import { SessionId } from "../../core/protocol/ids.ts";
import type { OverviewPart } from "../../core/protocol/overview-changes.ts";
import { useAskAgain } from "./use-ask-again.ts";
import { usePanel } from "./use-panel.ts";

/**
 * Asks each session for a list, at once and then as `useAskAgain` does. Returns all lists together, and what asks again.
 */
export function usePolledLists<Item>(
  ask: (session: SessionId) => Promise<readonly Item[] | undefined>,
  everyMs: number,
  parts: readonly OverviewPart[],
): readonly [readonly Item[], () => Promise<void>] {
  const { content } = usePanel();
  const [items, setItems] = useState<readonly Item[]>([]);
  const sessions = content.sessions.map(({ id }) => id).join();
  const isShown = useRef(true);
  const load = async () => {
    const ids = sessions === "" ? [] : sessions.split(",").map((id) => SessionId.parse(id));
    const lists = await Promise.all(ids.map(ask));
    if (isShown.current) setItems(lists.flatMap((list) => list ?? []));
  };
  const latest = useRef(load);
  latest.current = load;
  // biome-ignore lint/correctness/useExhaustiveDependencies: begins anew when sessions come and go.
  useEffect(() => {
    isShown.current = true;
    void latest.current();
    return () => {
      isShown.current = false;
    };
  }, [sessions]);
  useAskAgain(() => void latest.current(), everyMs, parts);
  return [items, () => latest.current()];
}
