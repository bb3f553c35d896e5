import { useCallback, useEffect, useRef, useState } from "react";
import type { OperationInput } from "../../../core/operations/index.ts";
import type { AuditEntry } from "../../../core/protocol/audit.ts";
import { overviewParts } from "../../../core/protocol/overview-changes.ts";
import { useAskAgain } from "../use-ask-again.ts";
import { usePanel } from "../use-panel.ts";

const PAGE = 200;
const POLL_INTERVAL_MS = 3_000;

type Search = Pick<OperationInput<"audit">, "text" | "session" | "outcome" | "kind">;

interface AuditPages {
  /** Newest first; undefined until loaded. */
  readonly entries: readonly AuditEntry[] | undefined;
  readonly hasOlder: boolean;
  loadOlder(): void;
}

/** The loaded pages of one search. */
interface LoadedPages {
  /** Asks for a page of the search that they are of; another search has another one. */
  readonly page: (before?: number) => unknown;
  readonly entries: readonly AuditEntry[];
  readonly hasOlder: boolean;
}

/** Loads the audit log page by page and polls for new entries. */
export function useAudit({ text, session, outcome, kind }: Search): AuditPages {
  const { call } = usePanel();
  const ask = useRef(call);
  ask.current = call;
  const [known, setKnown] = useState<LoadedPages>();
  const page = useCallback(
    (before?: number) => ask.current("audit", { text, session, outcome, kind, before, limit: PAGE }),
    [text, session, outcome, kind],
  );
  const poll = useRef<() => void>(() => undefined);
  useEffect(() => {
    let wanted = true;
    const look = async () => {
      const newest = await page();
      if (!wanted || newest === undefined) return;
      setKnown((before) =>
        before?.page === page
          ? { ...before, entries: mergeEntries(newest, before.entries) }
          : { page, entries: newest, hasOlder: newest.length === PAGE },
      );
    };
    poll.current = () => void look();
    void look();
    return () => {
      wanted = false;
    };
  }, [page]);
  useAskAgain(() => poll.current(), POLL_INTERVAL_MS, overviewParts);
  const older = async () => {
    if (known?.page !== page) return;
    const more = await page(known.entries.at(-1)?.id);
    if (more === undefined) return;
    setKnown((before) =>
      before?.page === page
        ? { page, entries: mergeEntries(before.entries, more), hasOlder: more.length === PAGE }
        : before,
    );
  };
  const hasOlder = known?.page === page && known.hasOlder;
  return { entries: known?.entries, hasOlder, loadOlder: () => void older() };
}

/** Merges two lists by id; the first takes precedence, because the count of repeated entries grows. */
function mergeEntries(first: readonly AuditEntry[], then: readonly AuditEntry[]): readonly AuditEntry[] {
  const ids = new Set(first.map(({ id }) => id));
  return [...first, ...then.filter(({ id }) => !ids.has(id))].sort((one, other) => other.id - one.id);
}
