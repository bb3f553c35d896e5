import { useEffect, useRef, useState } from "react";
import { SessionId } from "../../core/protocol/ids.ts";
import type { OverviewPart } from "../../core/protocol/overview-changes.ts";
import { useAskAgain } from "./use-ask-again.ts";
import { usePanel } from "./use-panel.ts";

/**
 * Asks each session for a list, at once and then as `useAskAgain` does; after a failure its last list stays. Returns all
 * lists together, and what asks again.
 */
export function usePolledLists<Item>(
  ask: (session: SessionId) => Promise<readonly Item[] | undefined>,
  everyMs: number,
  parts: readonly OverviewPart[],
): readonly [readonly Item[], () => Promise<void>] {
  const { content } = usePanel();
  const [lists, setLists] = useState<ReadonlyMap<SessionId, readonly Item[]>>(new Map());
  const sessions = content.sessions.map(({ id }) => id).join();
  const isShown = useRef(true);
  /** Numbers of the last time that was asked, and of the one whose answer is on show. */
  const turns = useRef({ asked: 0, shown: 0 });
  const load = async () => {
    turns.current.asked += 1;
    const turn = turns.current.asked;
    const ids = sessions === "" ? [] : sessions.split(",").map((id) => SessionId.parse(id));
    const answers = await Promise.all(ids.map(ask));
    // An answer may be overtaken by that to a later question, which knows of changes in between.
    if (!isShown.current || turn < turns.current.shown) return;
    turns.current.shown = turn;
    setLists((before) => new Map(ids.map((id, at) => [id, answers[at] ?? before.get(id) ?? []] as const)));
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
  return [[...lists.keys()].flatMap((id) => lists.get(id) ?? []), () => latest.current()];
}
