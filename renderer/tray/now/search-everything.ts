import { useCallback, useMemo } from "react";
import type { OperationInput, OperationResult } from "../../../core/operations/index.ts";
import type { HitPlace, SearchAnswer, SearchHit } from "../../../core/protocol/history-search.ts";
import type { PanelSession } from "../../../preload/channels.ts";
import { type GroupNames, groupHits, latestFirst, placeOf, type ResultGroup } from "../../search/results.ts";
import { type AskSearch, type SearchState, useSearch } from "../../search/use-search.ts";
import { search as searchWords } from "../../search/words.ts";
import { usePanel } from "../use-panel.ts";
import { words } from "../words/index.ts";

/** Sessions that are asked at the same time. */
const AT_ONCE = 4;
/** Seconds that a session may take to index what was printed last: the search goes on while that is not done. */
const WAIT_S = 0.3;

/** A result, and the session that has answered it. */
interface FoundHit extends SearchHit {
  readonly session: string;
}

interface FoundAnswer extends SearchAnswer {
  hits: FoundHit[];
}

/** Results of one shell, one conversation or one chat, of any session. */
export type FoundGroup = ResultGroup<FoundHit>;

export interface FoundEverything {
  readonly groups: readonly FoundGroup[];
  readonly state: SearchState<FoundAnswer>;
  /** Returns the session to go to for a result, and the place in it. */
  target(hit: FoundHit): { readonly session: string; readonly place: HitPlace };
}

/** Searches in all sessions for what was printed, run and said, as the user types. */
export function useEverything(text: string): FoundEverything {
  const { content, ask } = usePanel();
  const { sessions } = content;
  const ids = sessions.map(({ id }) => id).join(" ");
  // The panel is another one after each change in it: what is searched is not.
  // biome-ignore lint/correctness/useExhaustiveDependencies: asks the same host whenever it was made
  const search: AskSearch<FoundAnswer> = useCallback(
    ({ query, limit }) =>
      query === undefined
        ? Promise.resolve({ hits: [], complete: true })
        : searchSessions((wanted) => ask("search", wanted), ids === "" ? [] : ids.split(" "), { query, limit }),
    [ids],
  );
  const state = useSearch(text, search);
  const { hits } = state.found;
  const groups = useMemo(() => groupFound(hits, sessions), [hits, sessions]);
  return {
    groups,
    state,
    target(hit) {
      const { session, ...found } = hit;
      const others = hits.filter((one) => one.session === session);
      return { session: sessionOf(hit, sessions), place: { ...placeOf(found, others), query: text.trim() } };
    },
  };
}

type AskSession = (wanted: OperationInput<"search">) => Promise<OperationResult<"search">>;

/**
 * Searches in sessions, a few at a time. One that was closed meanwhile has no results.
 *
 * @throws what the first session answers where none can be searched
 */
export async function searchSessions(
  ask: AskSession,
  sessions: readonly string[],
  wanted: { readonly query: string; readonly limit: number },
): Promise<FoundAnswer> {
  const answers: PromiseSettledResult<FoundAnswer>[] = [];
  const left = [...sessions.entries()];
  const askOne = async (at: number, session: string) => {
    // Conversations are the same in each session.
    const where = at === 0 ? "everything" : "session";
    const { hits, complete } = await ask({ ...wanted, session, in: where, wait: WAIT_S });
    return { hits: hits.map((hit) => ({ ...hit, session })), complete };
  };
  const work = async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const [settled] = await Promise.allSettled([askOne(...next)]);
      answers[next[0]] = settled;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const found = answers.flatMap((answer) => (answer.status === "fulfilled" ? [answer.value] : []));
  const [first] = answers;
  if (found.length === 0 && first?.status === "rejected") throw first.reason;
  return { hits: found.flatMap(({ hits }) => hits), complete: found.every(({ complete }) => complete) };
}

/** Groups the results of all sessions, those with the latest result first. */
function groupFound(hits: readonly FoundHit[], sessions: readonly PanelSession[]): readonly FoundGroup[] {
  return sessions
    .flatMap((session) => {
      const own = hits.filter((hit) => hit.session === session.id);
      return groupHits(own, namesIn(session)).map((group) => ({ ...group, key: `${session.id} ${group.key}` }));
    })
    .toSorted(latestFirst);
}

/** Names the groups of a session as the panel does, each beside the name of the session. */
function namesIn({ name: session, shells }: PanelSession): GroupNames {
  return {
    shell(id) {
      const shell = shells.find((one) => one.id === id);
      return shell === undefined
        ? { name: words.shell(id), detail: `${session} · ${searchWords.groups.closed}` }
        : { name: shell.name, detail: session };
    },
    chatDetail: session,
  };
}

/** A conversation is of no session: the one in which its agent runs can go on with it. */
function sessionOf({ conversation, session }: FoundHit, sessions: readonly PanelSession[]): string {
  const runsIn = sessions.find(({ agents }) =>
    agents.some(({ sessionId }) => conversation !== undefined && sessionId === conversation.agentSessionId),
  );
  return runsIn?.id ?? session;
}
