import { useEffect, useRef, useState } from "react";
import { SessionId } from "../../core/protocol/ids.ts";
import { usePanel } from "./use-panel.ts";

/**
 * Asks each session for a list, at once and every `intervalMs` while the page is visible. Returns all lists together, and
 * what asks again.
 */
export function usePolledLists<Item>(
  ask: (session: SessionId) => Promise<readonly Item[] | undefined>,
  intervalMs: number,
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
    const timer = setInterval(() => {
      if (!document.hidden) void latest.current();
    }, intervalMs);
    return () => {
      isShown.current = false;
      clearInterval(timer);
    };
  }, [sessions, intervalMs]);
  return [items, () => latest.current()];
}
