import "./key-row.css";
import { focusOf } from "../../../core/state/client-state.ts";
import { useStore } from "../../ui/store.ts";
import { runViewAction } from "../actions/run-binding.ts";
import type { StickyKey } from "../terminal/terminals.ts";
import { useSnapshot, useView } from "../view/view.ts";
import { words } from "../words/index.ts";

const modifiers = [
  ["Ctrl", "ctrl"],
  ["Alt", "alt"],
] as const satisfies readonly (readonly [string, StickyKey])[];

const keys = [
  ["Esc", "escape"],
  ["Tab", "tab"],
  ["^C", "ctrl-c"],
  ["^D", "ctrl-d"],
  ["←", "left"],
  ["↓", "down"],
  ["↑", "up"],
  ["→", "right"],
  ["PgUp", "page-up"],
  ["PgDn", "page-down"],
  ["|", "|"],
  ["/", "/"],
  ["-", "-"],
] as const;

/** Terminal keys that touch keyboards lack, where a terminal takes them. CSS shows the row on touch devices only. */
export function KeyRow() {
  const view = useView();
  const { state, self } = useSnapshot();
  const sticky = useStore(view.terminals.sticky);
  const focus = focusOf(state);
  const isTypedInto = focus !== null && state.tiles[focus]?.type === "shell" && self?.role !== "reader";
  const toggle = (key: StickyKey) => {
    const next = new Set(sticky);
    if (!next.delete(key)) next.add(key);
    view.terminals.sticky.set(next);
  };
  if (!isTypedInto) return null;
  return (
    <div
      className="key-row"
      role="toolbar"
      aria-label={words.frame.keyRow.title}
      // The terminal keeps the focus, so that the touch keyboard stays open.
      onPointerDown={(event) => event.preventDefault()}
    >
      {modifiers.map(([label, key]) => (
        <button
          key={key}
          type="button"
          className="button outlined"
          aria-pressed={sticky.has(key)}
          title={words.frame.keyRow.sticky(label)}
          onClick={() => toggle(key)}
        >
          {label}
        </button>
      ))}
      {keys.map(([label, name]) => (
        <button
          key={name}
          type="button"
          className="button outlined"
          onClick={() => view.terminals.byTile.get(focus)?.key(name)}
        >
          {label}
        </button>
      ))}
      <button type="button" className="button outlined" onClick={() => runViewAction(view, "paste")}>
        {words.frame.keyRow.paste}
      </button>
    </div>
  );
}
