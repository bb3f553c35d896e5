import { Keys } from "../../ui/keys.tsx";
import { Mark } from "../../ui/mark.tsx";
import { askToType, hasAskedToType } from "../actions/ask-to-type.ts";
import { chordLabel } from "../keys/chord.ts";
import { useKeys, useSnapshot, useView } from "../view/view.ts";
import { words } from "../words/index.ts";
import { StartingLayouts } from "./layout-choices.tsx";

/** Hints in an empty workspace. */
export function EmptyStage() {
  const view = useView();
  const shortcuts = useKeys();
  const { self, mirror, state } = useSnapshot();
  const shownShells = new Set(
    Object.values(state.tiles)
      .filter(({ type }) => type === "shell" || type === "peek")
      .map(({ id }) => id),
  );
  const asked = hasAskedToType({ mirror, self });
  const hiddenCount = (mirror?.shells ?? []).filter(({ id, running }) => running && !shownShells.has(id)).length;
  const reader = self?.role === "reader";
  const starts = shortcuts.bindings.filter(({ title }) => [words.keys.shells, words.keys.commands].includes(title));
  const newShell = shortcuts.bindings.find(({ title }) => title === words.keys.newShell)?.chord;
  return (
    <div className="empty-stage">
      <Mark size={36} />
      <h2>{words.stage.empty.title}</h2>
      {/* Buttons say what those who can type do here. */}
      {reader && <p>{hiddenCount > 0 ? words.stage.empty.watchOpen : words.stage.empty.watchNothing}</p>}
      <div className="empty-actions">
        {!reader && (
          <button type="button" className="button primary" onClick={() => void view.run("createShell", {})}>
            {words.keys.newShell}
            {newShell !== undefined && (
              <span className="keyboard-only" aria-hidden="true">
                <Keys label={chordLabel(newShell, shortcuts.mac)} />
              </span>
            )}
          </button>
        )}
        {hiddenCount > 0 && (
          <button
            type="button"
            className={reader ? "button primary" : "button outlined"}
            onClick={() => view.ui.shellListOpen.set(true)}
          >
            {words.stage.empty.show(hiddenCount)}
          </button>
        )}
        {reader && (
          <button type="button" className="button outlined" disabled={asked} onClick={() => void askToType(view)}>
            {asked ? words.stage.empty.asked : words.stage.empty.ask}
          </button>
        )}
      </div>
      {!reader && <StartingLayouts />}
      <dl className="keyboard-only">
        {starts.map(({ title, chord }) => (
          <div key={title}>
            <dt>{title}</dt>
            <dd>{chord !== undefined && <Keys label={chordLabel(chord, shortcuts.mac)} />}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
