import type { FocusEvent, KeyboardEvent } from "react";
import { formatNumber, pluralForm } from "../../core/phrases.ts";
import { PolicyAnswers } from "./policy-list.tsx";
import { QuestionCard } from "./question-card.tsx";
import { type InboxEntry, useInbox } from "./use-inbox.ts";
import { usePanel } from "./use-panel.ts";
import { words } from "./words/index.ts";

/** The inbox: the agents' questions of all sessions, answered by pointer or by keyboard. */
export function InboxTab() {
  const { content } = usePanel();
  const { entries, answer, dismiss, setFocused } = useInbox();
  const waiting = content.sessions.flatMap(({ agents }) => agents.filter(({ state }) => state === "waiting")).length;
  const open = entries.filter(({ question }) => question.state === "open").length;
  // One stop for Tab; the arrow keys lead to the others.
  const first = entries[0]?.key;
  return (
    <>
      <div className="panel-head" role="status">
        {open > 0 ? (
          <p className="panel-sum">
            {pluralForm(open, words.inbox.waiting)({ count: <strong>{formatNumber(open)}</strong> })}
          </p>
        ) : (
          <p className="panel-empty inbox-empty">{waiting === 0 ? words.inbox.empty : words.inbox.notHere}</p>
        )}
      </div>
      {entries.length > 0 && (
        <>
          {open > 0 && <p className="panel-faint inbox-hint">{words.inbox.keys}</p>}
          <ul
            className="panel-list inbox-list"
            aria-label={words.inbox.title}
            onKeyDown={moveFocus}
            onFocus={({ target }) => setFocused(cardOf(target)?.dataset.question)}
            onBlur={(event) => leaves(event) && setFocused(undefined)}
          >
            {entries.map((entry: InboxEntry) => (
              <li key={entry.key}>
                <QuestionCard
                  entry={entry}
                  isFirst={entry.key === first}
                  answer={(given) => void answer(entry, given)}
                  dismiss={() => dismiss(entry.key)}
                />
              </li>
            ))}
          </ul>
        </>
      )}
      <PolicyAnswers />
    </>
  );
}

function cardOf(target: EventTarget): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>("[data-question]") : null;
}

function leaves({ currentTarget, relatedTarget }: FocusEvent): boolean {
  return !(relatedTarget instanceof Node && currentTarget.contains(relatedTarget));
}

/** Up and down move between questions, left and right between the options of one. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const { key, target, currentTarget } = event;
  const card = cardOf(target);
  if (card === null || target instanceof HTMLInputElement || event.ctrlKey || event.altKey || event.metaKey) return;
  const cards = [...currentTarget.querySelectorAll<HTMLElement>("[data-question]")];
  const options = [...card.querySelectorAll<HTMLElement>("[data-option]")];
  const at = cards.indexOf(card);
  const option = target instanceof HTMLElement ? options.indexOf(target) : -1;
  const next = {
    ArrowDown: cards[at + 1],
    ArrowUp: cards[at - 1],
    Home: cards[0],
    End: cards.at(-1),
    ArrowRight: options[option + 1],
    ArrowLeft: option > 0 ? options[option - 1] : card,
  }[key];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
  card.scrollIntoView({ block: "nearest" });
  next.scrollIntoView({ block: "nearest" });
}
