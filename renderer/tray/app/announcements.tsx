import { useEffect, useRef, useState } from "react";
import { formatNumber } from "../../../core/phrases.ts";
import { isOpen } from "../../../core/protocol/questions.ts";
import { inboxItems, machineItems } from "../inbox-items.ts";
import { requestItems } from "../now/wait-items.ts";
import { usePanel } from "../use-panel.ts";
import { words } from "../words/index.ts";

/**
 * Tells screen readers once what has come to wait: by the name of its card, or by its number where no card is shown. A card
 * that takes the focus is read for that.
 */
export function Announcements() {
  const { content, remotes, waiting } = usePanel();
  const known = useRef<ReadonlySet<string>>(undefined);
  const [said, say] = useState({ text: "", turn: 0 });
  useEffect(() => {
    const open = [...inboxItems(content), ...machineItems(remotes)].filter(({ question }) => isOpen(question));
    const keys = [...open, ...requestItems(content)].map(({ key }) => key);
    const before = known.current;
    known.current = new Set(keys);
    const [first, ...others] = before === undefined ? [] : keys.filter((key) => !before.has(key));
    if (first === undefined) return;
    // The focus goes to a card after this effect.
    requestAnimationFrame(() => {
      const card = document.querySelector(`[data-question="${CSS.escape(first)}"]`);
      if (card?.contains(document.activeElement)) return;
      const name = others.length === 0 ? card?.getAttribute("aria-label") : undefined;
      say(({ turn }) => ({ text: name ?? `${formatNumber(waiting)} ${words.panel.badge(waiting)}`, turn: turn + 1 }));
    });
  }, [content, remotes, waiting]);
  return (
    <div className="visually-hidden" aria-live="polite">
      <p key={said.turn}>{said.text}</p>
    </div>
  );
}
