import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { isAnsweredOnScreen, type Question } from "../../core/protocol/questions.ts";
import type { GivenAnswer } from "../ui/question-answers.tsx";
import { type InboxItem, inboxItems, withKept } from "./inbox-items.ts";
import { usePanel } from "./use-panel.ts";

/** Longer than the relay waits for proof of an answer, so that the result says how that ended. */
const PROOF_TIMEOUT_S = 12;

/** An item with what the user did about it. */
export interface InboxEntry extends InboxItem {
  /** The answer is on its way. */
  readonly sending: boolean;
  /** Why the answer was refused. */
  readonly problem: string | undefined;
}

interface Kept extends InboxItem {
  readonly sending: boolean;
  readonly problem?: string | undefined;
}

export interface Inbox {
  readonly entries: readonly InboxEntry[];
  answer(item: InboxItem, given: GivenAnswer): Promise<void>;
  /** Removes a closed question from the list. */
  dismiss(key: string): void;
  /** The question that has the keyboard's focus; it stays where it is when it closes. */
  setFocused(key: string | undefined): void;
}

/**
 * The questions of all sessions. One that the user answers, or has the focus on, stays with its outcome until it is
 * dismissed or the panel is hidden: a digit that is pressed just then must not answer the question after it.
 */
export function useInbox(): Inbox {
  const { content, ask } = usePanel();
  const live = useMemo(() => inboxItems(content), [content]);
  const [kept, setKept] = useState<ReadonlyMap<string, Kept>>(new Map());
  const [focused, setFocused] = useState<string>();
  const before = useRef<ReadonlyMap<string, InboxItem>>(new Map());

  const keep = useCallback((item: InboxItem, more: Partial<Kept> = {}) => {
    setKept((now) => new Map([...now, [item.key, { ...item, sending: false, ...more }]]));
  }, []);
  const refresh = useCallback(
    async (item: InboxItem): Promise<Question> => {
      const { session, id, shellId: shell } = item.question;
      const all = await ask("getQuestions", { session, closed: true, shell }).catch(() => []);
      return all.find((question) => question.id === id) ?? item.question;
    },
    [ask],
  );

  useEffect(() => {
    const now = new Map(live.map((item) => [item.key, item]));
    const gone = [...before.current.values()].filter(({ key }) => !now.has(key) && (key === focused || kept.has(key)));
    before.current = now;
    for (const item of gone) {
      if (kept.get(item.key)?.sending) continue;
      keep(item, kept.get(item.key));
      void refresh(item).then((question) => keep({ ...item, question }, { problem: kept.get(item.key)?.problem }));
    }
  }, [live, focused, kept, keep, refresh]);

  useEffect(() => {
    const forget = () => document.hidden && setKept(new Map());
    document.addEventListener("visibilitychange", forget);
    return () => document.removeEventListener("visibilitychange", forget);
  }, []);

  const answer = useCallback(
    async (item: InboxItem, given: GivenAnswer) => {
      keep(item, { sending: true });
      const { session, id } = item.question;
      const confirmScreen = isAnsweredOnScreen(item.question);
      try {
        const question = await ask("answerQuestion", { session, id, ...given, confirmScreen, wait: PROOF_TIMEOUT_S });
        keep({ ...item, question });
      } catch (error) {
        const problem = error instanceof Error ? error.message : String(error);
        keep({ ...item, question: await refresh(item) }, { problem });
      }
    },
    [ask, keep, refresh],
  );
  const dismiss = useCallback((key: string) => {
    setKept((now) => new Map([...now].filter(([known]) => known !== key)));
    setFocused((now) => (now === key ? undefined : now));
  }, []);

  const held = focused === undefined ? undefined : before.current.get(focused);
  const entries = withKept(live, [...(held === undefined ? [] : [held]), ...kept.values()]).map((item) => {
    const { sending = false, problem } = kept.get(item.key) ?? {};
    return { ...item, sending, problem };
  });
  return { entries, answer, dismiss, setFocused };
}
