import { Keys } from "../../ui/keys.tsx";
import { Mark } from "../../ui/mark.tsx";
import { chordLabel } from "../keys/chord.ts";
import { useSnapshot, useView } from "../view/view.ts";

/** Hints in an empty workspace. */
export function EmptyStage() {
  const view = useView();
  const { self, mirror, state } = useSnapshot();
  const shownShells = new Set(
    Object.values(state.tiles)
      .filter(({ type }) => type === "shell" || type === "peek")
      .map(({ id }) => id),
  );
  const hiddenCount = (mirror?.shells ?? []).filter(({ id, running }) => running && !shownShells.has(id)).length;
  const starts = view.shortcuts.bindings.filter(({ title }) =>
    ["New shell", "Show the session's shells", "Show all commands"].includes(title),
  );
  return (
    <div className="empty-stage">
      <Mark size={36} />
      <h2>Nothing is open here</h2>
      <p>
        {self?.role === "reader"
          ? "You can watch the shells of this session."
          : "Start a shell, or bring back one that runs."}
      </p>
      <div className="empty-actions">
        {self?.role !== "reader" && (
          <button type="button" className="button primary" onClick={() => void view.run("createShell", {})}>
            New shell
          </button>
        )}
        {hiddenCount > 0 && (
          <button type="button" className="button outlined" onClick={() => view.ui.shellListOpen.set(true)}>
            Show {hiddenCount} running {hiddenCount === 1 ? "shell" : "shells"}
          </button>
        )}
      </div>
      <dl>
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
