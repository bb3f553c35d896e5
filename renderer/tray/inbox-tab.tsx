import type { FocusEvent, KeyboardEvent } from "react";
import { formatNumber, pluralForm } from "../../core/phrases.ts";
import { itemsOf } from "./inbox-items.ts";
import { isUsable } from "./machine-state.ts";
import { PolicyAnswers } from "./policy-list.tsx";
import { QuestionCard } from "./question-card.tsx";
import { Machines } from "./remote-machines.tsx";
import { type Inbox, type InboxEntry, useInbox } from "./use-inbox.ts";
import { usePanel } from "./use-panel.ts";
import { words } from "./words/index.ts";

const CONNECT_COMMAND = <code className="panel-word">service agents connect claude</code>;

/** The inbox: the agents' questions of all sessions, those on other machines too, answered by pointer or by keyboard. */
export function InboxTab() {
  const { content } = usePanel();
  const inbox = useInbox();
  const { entries } = inbox;
  const waiting = content.sessions.flatMap(({ agents }) => agents.filter(({ state }) => state === "waiting")).length;
  const open = entries.filter(({ question, isAway }) => question.state === "open" && !isAway).length;
  // One stop for Tab; the arrow keys lead to the others.
  const first = entries[0]?.key;
  const list = (label: string, shown: readonly InboxEntry[]) => (
    <Questions label={label} entries={shown} first={first} inbox={inbox} />
  );
  return (
    <>
      <div className="panel-head" role="status">
        {open > 0 ? (
          <p className="panel-sum">
            {pluralForm(open, words.inbox.waiting)({ count: <strong>{formatNumber(open)}</strong> })}
          </p>
        ) : (
          <div className="panel-empty inbox-empty">
            <p>{waiting === 0 ? words.inbox.empty : words.inbox.notHere}</p>
            <p>{words.inbox.connect({ command: CONNECT_COMMAND })}</p>
          </div>
        )}
      </div>
      {open > 0 && <p className="panel-faint inbox-hint">{words.inbox.keys}</p>}
      <div data-inbox>
        {list(words.inbox.title, itemsOf(entries, undefined))}
        <PolicyAnswers />
        <Machines>
          {(remote) => {
            const there = itemsOf(entries, remote);
            if (there.length > 0) return list(words.inbox.titleOn(remote.machine), there);
            return isUsable(remote) && <p className="panel-faint">{words.inbox.none}</p>;
          }}
        </Machines>
      </div>
    </>
  );
}

function Questions(props: {
  readonly label: string;
  readonly entries: readonly InboxEntry[];
  /** Key of the question that Tab leads to. */
  readonly first: string | undefined;
  readonly inbox: Pick<Inbox, "answer" | "dismiss" | "setFocused">;
}) {
  const { label, entries, first, inbox } = props;
  if (entries.length === 0) return null;
  return (
    <ul
      className="panel-list inbox-list"
      aria-label={label}
      onKeyDown={moveFocus}
      onFocus={({ target }) => inbox.setFocused(cardOf(target)?.dataset.question)}
      onBlur={(event) => leaves(event) && inbox.setFocused(undefined)}
    >
      {entries.map((entry) => (
        <li key={entry.key}>
          <QuestionCard
            entry={entry}
            isFirst={entry.key === first}
            answer={(given) => void inbox.answer(entry, given)}
            dismiss={() => inbox.dismiss(entry.key)}
          />
        </li>
      ))}
    </ul>
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
  const { key, target } = event;
  const card = cardOf(target);
  if (card === null || target instanceof HTMLInputElement || event.ctrlKey || event.altKey || event.metaKey) return;
  // Those of the other machines follow.
  const lists = card.closest("[data-inbox]");
  const cards = [...(lists?.querySelectorAll<HTMLElement>("[data-question]") ?? [])];
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
