import "./history-tile.css";
import { useState } from "react";
import type { ShellId } from "../../../core/protocol/ids.ts";
import type { TileContent } from "../../../core/state/client-state.ts";
import { HistoryPlace } from "./history-place.tsx";

/** A place in what a shell has printed, also one that is closed, from where it can be read on and played. */
export function HistoryTile({ tile, shown }: { tile: TileContent; shown: boolean }) {
  const [everShown, setEverShown] = useState(shown);
  if (shown && !everShown) setEverShown(true);
  if (!everShown) return null;
  const { key, id, offset, length = 0 } = tile;
  // A tile may get another place.
  const place = `${id} ${offset} ${length}`;
  return (
    <div className="history-tile">
      <HistoryPlace key={place} shell={id as ShellId} offset={offset} length={length} tile={key} isVisible={shown} />
    </div>
  );
}
