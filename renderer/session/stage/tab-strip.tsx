import type { Leaf } from "../../../core/layout/layout.ts";
import type { TileKey } from "../../../core/protocol/ids.ts";
import { Icon } from "../../ui/icon.tsx";
import { closeTile } from "../actions/close.ts";
import { tileInfo } from "../view/tile-info.ts";
import { useSnapshot, useView } from "../view/view.ts";
import { words } from "../words/index.ts";
import type { StartDrag } from "./use-tile-drag.ts";

/** The tabs of a group. Arrow keys switch tabs; tabs can be dragged out. */
export function TabStrip({ group, startDrag }: { group: Leaf; startDrag: StartDrag | undefined }) {
  const view = useView();
  const snapshot = useSnapshot();
  const show = (key: TileKey | undefined) => {
    if (key !== undefined) void view.run("focusTile", { key });
  };
  return (
    <div className="tab-strip" role="tablist" aria-label={words.stage.tabs.title}>
      {group.tiles.map((key, index) => {
        const tile = snapshot.state.tiles[key];
        if (tile === undefined) return null;
        const { title, agent } = tileInfo(tile, snapshot);
        const front = key === group.front;
        return (
          <button
            key={key}
            type="button"
            role="tab"
            className="tab"
            aria-selected={front}
            tabIndex={front ? 0 : -1}
            title={title}
            data-tab={key}
            data-waits={agent?.state === "waiting" || undefined}
            onPointerDown={(event) => startDrag?.(event, key)}
            onClick={() => show(key)}
            onAuxClick={(event) => event.button === 1 && void closeTile(view, key)}
            onKeyDown={(event) => {
              if (event.key === "ArrowRight") show(group.tiles.at((index + 1) % group.tiles.length));
              else if (event.key === "ArrowLeft") show(group.tiles.at(index - 1));
              else if (event.key === "Delete") void closeTile(view, key);
              else return;
              event.preventDefault();
            }}
          >
            {agent?.state === "waiting" && <span className="dot wait" />}
            <span className="ellipsis">{title}</span>
            {agent?.state === "waiting" && <span className="visually-hidden">{words.stage.tabs.waits}</span>}
          </button>
        );
      })}
      {group.tiles.length > 8 && (
        <span className="tab-count" title={words.stage.tabs.count(group.tiles.length)}>
          <Icon name="down" size={12} />
          {group.tiles.length}
        </span>
      )}
    </div>
  );
}
