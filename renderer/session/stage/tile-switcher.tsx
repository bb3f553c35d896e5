import { tilesOf } from "../../../core/layout/workspace.ts";
import { activeWorkspace, focusOf } from "../../../core/state/client-state.ts";
import { Icon } from "../../ui/icon.tsx";
import { tileInfo } from "../view/tile-info.ts";
import { useSnapshot, useView } from "../view/view.ts";
import { words } from "../words/index.ts";
import { nextTile } from "./arrange.ts";

/** Switches between tiles on a narrow screen, which shows one tile at a time. */
export function TileSwitcher() {
  const view = useView();
  const snapshot = useSnapshot();
  const { state } = snapshot;
  const keys = tilesOf(activeWorkspace(state));
  const focus = focusOf(state);
  if (focus === null || keys.length < 2) return null;
  const go = (step: number) => {
    const key = nextTile(state, step);
    if (key !== undefined) void view.run("focusTile", { key });
  };
  return (
    <nav className="tile-switcher" aria-label={words.stage.switcher.title}>
      <button type="button" className="icon-button" aria-label={words.stage.switcher.previous} onClick={() => go(-1)}>
        <Icon name="left" />
      </button>
      <select
        className="field"
        aria-label={words.stage.switcher.current}
        value={focus}
        onChange={(event) => void view.run("focusTile", { key: Number(event.target.value) })}
      >
        {keys.map((key, index) => {
          const tile = state.tiles[key];
          if (tile === undefined) return null;
          const { title, agent } = tileInfo(tile, snapshot);
          return (
            <option key={key} value={key}>
              {agent?.state === "waiting"
                ? words.stage.switcher.entryWaits(index + 1, keys.length, title)
                : words.stage.switcher.entry(index + 1, keys.length, title)}
            </option>
          );
        })}
      </select>
      <button type="button" className="icon-button" aria-label={words.stage.switcher.next} onClick={() => go(1)}>
        <Icon name="right" />
      </button>
    </nav>
  );
}
