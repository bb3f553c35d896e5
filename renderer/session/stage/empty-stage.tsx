import { Keys } from "../../ui/keys.tsx";
import { Mark } from "../../ui/mark.tsx";
import { askToType, hasAskedToType } from "../actions/ask-to-type.ts";
import { chordLabel } from "../keys/chord.ts";
import { useSnapshot, useView } from "../view/view.ts";

/** Says what the user can do in an empty workspace. */
function describeStart(reader: boolean, hidden: number): string {
  if (reader) {
    return hidden > 0
      ? "You can watch in this session: open one of its shells."
      : "You can watch in this session. Nothing runs in it yet.";
  }
  return hidden > 0 ? "Start a shell, or bring back one that runs." : "Start a shell.";
}

/** Hints in an empty workspace. */
export function EmptyStage() {
  const view = useView();
  const { self, mirror, state } = useSnapshot();
  const shownShells = new Set(
    Object.values(state.tiles)
      .filter(({ type }) => type === "shell" || type === "peek")
      .map(({ id }) => id),
  );
  const asked = hasAskedToType({ mirror, self });
  const hiddenCount = (mirror?.shells ?? []).filter(({ id, running }) => running && !shownShells.has(id)).length;
  const reader = self?.role === "reader";
  const starts = view.shortcuts.bindings.filter(({ title }) =>
    [...(reader ? [] : ["New shell"]), "Show the session's shells", "Show all commands"].includes(title),
  );
  return (
    <div className="empty-stage">
      <Mark size={36} />
      <h2>Nothing is open here</h2>
      <p>{describeStart(reader, hiddenCount)}</p>
      <div className="empty-actions">
        {!reader && (
          <button type="button" className="button primary" onClick={() => void view.run("createShell", {})}>
            New shell
          </button>
        )}
        {hiddenCount > 0 && (
          <button
            type="button"
            className={reader ? "button primary" : "button outlined"}
            onClick={() => view.ui.shellListOpen.set(true)}
          >
            Show {hiddenCount} running {hiddenCount === 1 ? "shell" : "shells"}
          </button>
        )}
        {reader && (
          <button type="button" className="button outlined" disabled={asked} onClick={() => void askToType(view)}>
            {asked ? "Asked to type" : "Ask to type"}
          </button>
        )}
      </div>
      <dl className="keyboard-only">
        {starts.map(({ title, chord }) => (
          <div key={title}>
            <dt>{title}</dt>
            <dd>{chord !== undefined && <Keys label={chordLabel(chord, view.shortcuts.mac)} />}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
