import { focusOf } from "../../../core/state/client-state.ts";
import { useSnapshot, useView } from "../view/view.ts";

const keys = [
  ["Esc", "escape"],
  ["Tab", "tab"],
  ["^C", "ctrl-c"],
  ["^D", "ctrl-d"],
  ["←", "left"],
  ["↓", "down"],
  ["↑", "up"],
  ["→", "right"],
  ["|", "|"],
  ["/", "/"],
  ["-", "-"],
] as const;

/** Terminal keys that touch keyboards lack. CSS shows the row on touch devices only. */
export function KeyRow() {
  const view = useView();
  const { state } = useSnapshot();
  const focus = focusOf(state);
  return (
    <div className="key-row" role="toolbar" aria-label="Terminal keys">
      {keys.map(([label, name]) => (
        <button
          key={name}
          type="button"
          className="button outlined"
          // The terminal keeps the focus, so that the touch keyboard stays open.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => focus !== null && view.terminals.byTile.get(focus)?.key(name)}
        >
          {label}
        </button>
      ))}
    </div>
  );
}
