import { memo } from "react";
import type { Leaf } from "../../../core/layout/layout.ts";
import { waitingFor } from "../../../core/protocol/waiting.ts";
import type { TileContent } from "../../../core/state/client-state.ts";
import { PluginTile } from "../tiles/plugin-tile.tsx";
import { TerminalTile } from "../tiles/terminal-tile.tsx";
import { WebTile } from "../tiles/web-tile.tsx";
import { isAbout, tileInfo } from "../view/tile-info.ts";
import { useSnapshot, useView } from "../view/view.ts";
import type { PixelBox } from "./pixels.ts";
import { TitleBar } from "./title-bar.tsx";
import type { StartDrag } from "./use-tile-drag.ts";

interface Props {
  readonly tile: TileContent;
  readonly group: Leaf;
  readonly box: PixelBox;
  readonly shown: boolean;
  readonly focused: boolean;
  readonly maximized: boolean;
  /** The pointer moves this tile. */
  readonly dragged: boolean;
  /** Undefined if tiles cannot be dragged. */
  readonly startDrag: StartDrag | undefined;
}

/** One tile: its title bar with the tabs of its group, and its content. */
export const Tile = memo(function Tile(props: Props) {
  const { tile, group, box, shown, focused, maximized, dragged, startDrag } = props;
  const view = useView();
  const snapshot = useSnapshot();
  const info = tileInfo(tile, snapshot);
  const focus = () => {
    if (!focused) void view.run("focusTile", { key: tile.key });
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a tile is no set of form fields
    <section
      className="tile"
      role="group"
      tabIndex={-1}
      aria-label={info.title}
      data-tile={tile.key}
      data-focused={focused || undefined}
      data-dragged={dragged || undefined}
      data-waits={waitsIn(snapshot, tile) || undefined}
      hidden={!shown}
      style={{ ...box }}
      onPointerDownCapture={focus}
      onFocusCapture={focus}
    >
      {shown && (
        <TitleBar tile={tile} group={group} info={info} focused={focused} maximized={maximized} startDrag={startDrag} />
      )}
      <div className="tile-body">
        <TileBody tile={tile} info={info} shown={shown} focused={focused} />
      </div>
    </section>
  );
});

/** Reports whether something in the tile waits for the user. */
function waitsIn({ mirror, self }: ReturnType<typeof useSnapshot>, tile: TileContent): boolean {
  return mirror !== undefined && waitingFor(mirror, self).some((one) => isAbout(one, tile));
}

function TileBody({
  tile,
  info,
  shown,
  focused,
}: Pick<Props, "tile" | "shown" | "focused"> & { info: ReturnType<typeof tileInfo> }) {
  switch (tile.type) {
    case "shell":
    case "peek":
      return <TerminalTile tile={tile} info={info} shown={shown} focused={focused} />;
    case "tunnel":
    case "browser":
      return <WebTile tile={tile} />;
    case "plugin":
      return <PluginTile tile={tile} />;
  }
}
