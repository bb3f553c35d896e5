import { type FocusEvent, useState } from "react";
import { formatNumber } from "../../../core/phrases.ts";
import { isOpen } from "../../../core/protocol/questions.ts";
import type { Inbox, InboxEntry } from "../use-inbox.ts";
import { usePanel } from "../use-panel.ts";
import { words } from "../words/index.ts";
import { QuestionCard } from "./question-card.tsx";
import { RequestCard } from "./request-card.tsx";
import type { AnsweredRequests, ListedRequest } from "./use-answered-requests.ts";

type Item =
  | { readonly kind: "question"; readonly key: string; readonly entry: InboxEntry }
  | ({ readonly kind: "request"; readonly key: string; readonly at: number } & ListedRequest);

interface Props {
  readonly inbox: Inbox;
  readonly answered: AnsweredRequests;
  /** Shows each card whole; otherwise the one that has, or had, the focus, and the others as a line each. */
  readonly allOpen: boolean;
}

/** What waits for the user, with the receipts of answers just given. The oldest question comes first. */
export function Waits({ inbox, answered, allOpen }: Props) {
  const { waiting } = usePanel();
  const [current, setCurrent] = useState<string>();
  const items = waitingItems(inbox.entries, answered.listed);
  if (items.length === 0) return null;
  const first = (items.find(waits) ?? items[0])?.key;
  const open = items.some(({ key }) => key === current) ? current : first;
  const keepFocused = (key: string | undefined) => {
    inbox.setFocused(key);
    answered.setFocused(key);
  };
  const focused = ({ target }: FocusEvent) => {
    const key =
      target instanceof Element ? target.closest<HTMLElement>("[data-question]")?.dataset.question : undefined;
    if (key === undefined) return;
    setCurrent(key);
    keepFocused(key);
  };
  return (
    <section className="now-section" aria-label={words.inbox.title}>
      <h2 className="now-head">
        {words.inbox.title}
        {waiting > 0 && <span className="now-count">{formatNumber(waiting)}</span>}
      </h2>
      <ul
        className="now-cards"
        aria-label={words.inbox.title}
        onFocus={focused}
        onBlur={(event) => leaves(event) && keepFocused(undefined)}
      >
        {items.map((item, index) => {
          const { key } = item;
          const place = { key, index, isOpen: allOpen || key === open, isFirst: key === first };
          return (
            <li key={key}>
              {item.kind === "question" ? (
                <QuestionCard
                  entry={item.entry}
                  place={place}
                  answer={(given) => void inbox.answer(item.entry, given)}
                  dismiss={() => inbox.dismiss(key)}
                />
              ) : (
                <RequestCard
                  item={item.request}
                  place={place}
                  answered={item.answered}
                  answer={(answer, result) =>
                    void answered.answer({ request: item.request, at: item.at, answer }, result)
                  }
                  dismiss={() => answered.dismiss(key)}
                />
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** Questions first, in their order: the one that is answered must not move when a request comes or goes. */
function waitingItems(entries: readonly InboxEntry[], requests: readonly ListedRequest[]): readonly Item[] {
  return [
    ...entries.map((entry) => ({ kind: "question" as const, key: entry.key, entry })),
    ...requests.map((listed, at) => ({ kind: "request" as const, key: listed.request.key, at, ...listed })),
  ];
}

/** Reports whether an item waits for an answer, as its card says it: the focus passes over a receipt above it. */
function waits(item: Item): boolean {
  if (item.kind === "request") return item.answered === undefined;
  const { question, sending, isAway } = item.entry;
  return isOpen(question) && !sending && !isAway;
}

function leaves({ currentTarget, relatedTarget, target }: FocusEvent): boolean {
  // A window that the user leaves keeps its focus: a receipt that went meanwhile would give it to another card.
  if (target === document.activeElement) return false;
  return !(relatedTarget instanceof Node && currentTarget.contains(relatedTarget));
}
