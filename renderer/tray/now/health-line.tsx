import { useState } from "react";
import { Icon } from "../../ui/icon.tsx";
import { firstSentence, healthNotices } from "../health.ts";
import { usePanel } from "../use-panel.ts";
import { words } from "../words/index.ts";

/** Where the notices that the user has hidden are kept. */
const HIDDEN = "patchbay.panel.hidden-notices";

/** What does not work, in one line with the way to its remedy. Hidden, it comes back when something else does not work. */
export function HealthLine() {
  const { content, goTo } = usePanel();
  const [hidden, setHidden] = useState(readHidden);
  const notices = healthNotices(content).filter(({ text }) => !hidden.includes(text));
  const [first] = notices;
  if (first === undefined) return null;
  const hide = () => {
    const all = [...hidden, ...notices.map(({ text }) => text)];
    setHidden(all);
    keepHidden(all);
  };
  return (
    <section className="now-health" aria-label={words.health.notice}>
      <Icon name="info" size={14} />
      <p className="ellipsis" role="status" title={notices.map(({ text }) => text).join("\n")}>
        {notices.length === 1
          ? firstSentence(first.text)
          : words.health.several(firstSentence(first.text), notices.length - 1)}
      </p>
      <button type="button" className="button quiet small" onClick={() => goTo("settings", { section: "health" })}>
        {words.health.how}
      </button>
      <button type="button" className="button quiet small" onClick={hide}>
        {words.health.hide}
      </button>
    </section>
  );
}

/** Most notices that are remembered: each is a sentence of this program or of the system. */
const MOST_HIDDEN = 20;

function readHidden(): readonly string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(HIDDEN) ?? "[]");
    return Array.isArray(kept) ? kept.filter((text) => typeof text === "string") : [];
  } catch {
    return [];
  }
}

function keepHidden(texts: readonly string[]): void {
  try {
    localStorage.setItem(HIDDEN, JSON.stringify(texts.slice(-MOST_HIDDEN)));
  } catch {
    // Without storage they are hidden until the panel is loaded again.
  }
}
