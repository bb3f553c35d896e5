import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { errorText } from "../../core/protocol/error-text.ts";
import {
  isAnsweredOnScreen,
  isOpen,
  needsAttention,
  type Question,
  questionKey,
  SETTLED_SHOWN_MS,
  shownDigest,
} from "../../core/protocol/questions.ts";
import { isUsable } from "../../core/protocol/waiting-elsewhere.ts";
import type { GivenAnswer } from "../ui/question-answers.tsx";
import { OutcomeUnknown } from "./host.ts";
import { type InboxItem, inboxItems, itemsOf, machineItems, withKept } from "./inbox-items.ts";
import { usePanel } from "./use-panel.ts";

/** Longer than the relay waits for proof of an answer, so that the result says how that ended. */
const PROOF_TIMEOUT_S = 12;

/** An item with what the user did about it. */
export interface InboxEntry extends InboxItem {
  /** The answer is on its way. */
  readonly sending: boolean;
  /** Why the answer was refused. */
  readonly problem: string | undefined;
  /** The relay has not said in time whether the answer arrived. */
  readonly isUnknown: boolean;
  /** The machine that it is on cannot be asked now. */
  readonly isAway: boolean;
}

interface Kept extends InboxItem {
  readonly sending: boolean;
  readonly problem?: string | undefined;
  readonly isUnknown?: boolean | undefined;
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
 * The questions of all sessions, those on other machines after those on this one. One that the user answers, or has the
 * focus on, stays with its outcome: for a moment once that is settled, else until it is dismissed or the panel hides, and
 * always while its answer is on its way. A digit that is pressed just then must not answer the question after it.
 */
export function useInbox(): Inbox {
  const { content, remotes, answerQuestion, questionsOf } = usePanel();
  const live = useMemo(() => [...inboxItems(content), ...machineItems(remotes)], [content, remotes]);
  const [kept, setKept] = useState<ReadonlyMap<string, Kept>>(new Map());
  const [focused, setFocused] = useState<string>();
  /** Answered questions that the user wants to see no more. */
  const [dismissed, setDismissed] = useState<ReadonlySet<string>>(new Set());
  const before = useRef<ReadonlyMap<string, InboxItem>>(new Map());

  const keep = useCallback((item: InboxItem, more: Partial<Kept> = {}) => {
    setKept((now) => new Map([...now, [item.key, { ...item, sending: false, ...more }]]));
  }, []);
  const refresh = useCallback(
    async (item: InboxItem): Promise<Question> => {
      const { session, id, shellId: shell } = item.question;
      const all = await questionsOf(item.machine, { session, shell }).catch(() => undefined);
      const gone = { ...item.question, state: "withdrawn" as const, answerable: false };
      return all === undefined ? item.question : (all.find((question) => question.id === id) ?? gone);
    },
    [questionsOf],
  );

  useEffect(() => {
    const now = new Map(live.map((item) => [item.key, item]));
    const gone = [...before.current.values()].filter(({ key }) => !now.has(key) && (key === focused || kept.has(key)));
    before.current = now;
    for (const item of gone) {
      if (kept.get(item.key)?.sending) continue;
      keep(item, kept.get(item.key));
      void refresh(item).then((question) => {
        keep({ ...item, question }, failureOf(kept.get(item.key) ?? {}, question));
      });
    }
  }, [live, focused, kept, keep, refresh]);

  useEffect(() => {
    // A question whose answer is on its way must not be answered again.
    const forget = () => document.hidden && setKept((now) => new Map([...now].filter(([, { sending }]) => sending)));
    document.addEventListener("visibilitychange", forget);
    return () => document.removeEventListener("visibilitychange", forget);
  }, []);

  const answer = useCallback(
    async (item: InboxItem, given: GivenAnswer) => {
      keep(item, { sending: true });
      setDismissed((now) => new Set([...now].filter((known) => known !== item.key)));
      const { session, id } = item.question;
      const confirmScreen = isAnsweredOnScreen(item.question);
      try {
        const full = { session, id, ...given, ...shownDigest(item.question), confirmScreen, wait: PROOF_TIMEOUT_S };
        const question = await answerQuestion(item.machine, full);
        keep({ ...item, question });
      } catch (error) {
        const problem = errorText(error);
        // A relay that hangs would not say either how the question is now.
        if (error instanceof OutcomeUnknown) return keep(item, { problem, isUnknown: true });
        keep({ ...item, question: await refresh(item) }, { problem });
      }
    },
    [answerQuestion, keep, refresh],
  );
  const dismiss = useCallback((key: string) => {
    setKept((now) => new Map([...now].filter(([known]) => known !== key)));
    setFocused((now) => (now === key ? undefined : now));
    setDismissed((now) => new Set([...now, key]));
  }, []);

  useEffect(() => {
    const settled = [...kept.values()].filter(
      ({ key, question, sending, problem }) =>
        key !== focused && !sending && problem === undefined && !needsAttention(question),
    );
    if (settled.length === 0) return;
    const timer = setTimeout(() => {
      setKept((now) => new Map([...now].filter(([, item]) => !settled.includes(item))));
    }, SETTLED_SHOWN_MS);
    return () => clearTimeout(timer);
  }, [kept, focused]);

  const held = focused === undefined ? undefined : before.current.get(focused);
  const all = withKept(live, [...(held === undefined ? [] : [held]), ...kept.values()])
    .filter(({ key, question }) => isOpen(question) || !dismissed.has(key))
    .map((item) => {
      const { sending = false, ...answered } = kept.get(item.key) ?? {};
      return { ...item, sending, ...failureOf(answered, item.question), isAway: false };
    });
  // This machine first, then the others in the order in which they are shown.
  const there = remotes.flatMap((remote) =>
    itemsOf(all, remote).map((entry) => ({ ...entry, isAway: !isUsable(remote) })),
  );
  const entries = reachedOnce([...itemsOf(all, undefined), ...there]);
  return { entries, answer, dismiss, setFocused };
}

/** Returns why an answer failed, as far as the question does not say by now what became of it. */
function failureOf(
  { problem, isUnknown = false }: Pick<Kept, "problem" | "isUnknown">,
  question: Question,
): Pick<InboxEntry, "problem" | "isUnknown"> {
  return isUnknown && !isOpen(question) ? { problem: undefined, isUnknown: false } : { problem, isUnknown };
}

/** Leaves one entry of a question that is reached in several ways: the first whose machine can be asked. */
function reachedOnce(entries: readonly InboxEntry[]): readonly InboxEntry[] {
  const best = new Map<string, InboxEntry>();
  const byUse = [...entries.filter(({ isAway }) => !isAway), ...entries.filter(({ isAway }) => isAway)];
  for (const entry of byUse) {
    const key = questionKey(entry.question);
    if (!best.has(key)) best.set(key, entry);
  }
  return entries.filter((entry) => best.get(questionKey(entry.question)) === entry);
}
