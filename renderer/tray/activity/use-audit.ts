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

/** Loads the audit log page by page and polls for new entries. */
export function useAudit({ text, session, outcome, kind }: Search): AuditPages {
  const { call } = usePanel();
  const ask = useRef(call);
  ask.current = call;
  const [known, setKnown] = useState<readonly AuditEntry[]>();
  const [hasOlder, setHasOlder] = useState(false);
  const page = useCallback(
    (before?: number) => ask.current("audit", { text, session, outcome, kind, before, limit: PAGE }),
    [text, session, outcome, kind],
  );
  const poll = useRef<() => void>(() => undefined);
  useEffect(() => {
    let wanted = true;
    const look = async (first: boolean) => {
      const newest = await page();
      if (!wanted || newest === undefined) return;
      setKnown((before) => (first || before === undefined ? newest : mergeEntries(newest, before)));
      if (first) setHasOlder(newest.length === PAGE);
    };
    poll.current = () => void look(false);
    void look(true);
    return () => {
      wanted = false;
    };
  }, [page]);
  useAskAgain(() => poll.current(), POLL_INTERVAL_MS, overviewParts);
  const older = async () => {
    const more = await page(known?.at(-1)?.id);
    if (more === undefined) return;
    setKnown((before) => mergeEntries(before ?? [], more));
    setHasOlder(more.length === PAGE);
  };
  return { entries: known, hasOlder, loadOlder: () => void older() };
}

/** Merges two lists by id; the first takes precedence, because the count of repeated entries grows. */
function mergeEntries(first: readonly AuditEntry[], then: readonly AuditEntry[]): readonly AuditEntry[] {
  const ids = new Set(first.map(({ id }) => id));
  return [...first, ...then.filter(({ id }) => !ids.has(id))].sort((one, other) => other.id - one.id);
}
