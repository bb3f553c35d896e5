import { memo, Suspense, useRef } from "react";
import type { Leaf } from "../../../core/layout/layout.ts";
import { waitingFor } from "../../../core/protocol/waiting.ts";
import type { TileContent } from "../../../core/state/client-state.ts";
import { useLanguage } from "../../ui/language.ts";
import { LoadGuard, lazyPart } from "../../ui/load-guard.tsx";
import { useStore } from "../../ui/store.ts";
import { words as shared } from "../../ui/words.ts";
import { openMenu } from "../menu/context-menu.tsx";
import { terminalMenu, tileMenu } from "../menu/menus.ts";
import { TerminalTile } from "../tiles/terminal-tile.tsx";
import type { SessionSnapshot } from "../view/session-host.ts";
import { isAbout, type TileInfo, tileInfo } from "../view/tile-info.ts";
import { useSnapshot, useView, type View } from "../view/view.ts";
import { words } from "../words/index.ts";
import type { PixelBox } from "./pixels.ts";
import { TitleBar } from "./title-bar.tsx";
import type { StartDrag } from "./use-tile-drag.ts";
import { useTileMotion } from "./use-tile-motion.ts";

const WebTile = lazyPart(
  () => import("../tiles/web-tile.tsx"),
  ({ WebTile }) => WebTile,
);
/** The contents of tiles without a live shell, of which most sessions have none. */
const otherParts = {
  tunnel: WebTile,
  browser: WebTile,
  history: lazyPart(
    () => import("../search/history-tile.tsx"),
    ({ HistoryTile }) => HistoryTile,
  ),
  plugin: lazyPart(
    () => import("../tiles/plugin-tile.tsx"),
    ({ PluginTile }) => PluginTile,
  ),
} as const;

interface Props {
  readonly tile: TileContent;
  readonly group: Leaf;
  readonly box: PixelBox;
  readonly shown: boolean;
  readonly focused: boolean;
  readonly maximized: boolean;
  /** Its place follows something that moves by itself. */
  readonly still: boolean;
  /** The pointer moves this tile. */
  readonly dragged: boolean;
  /** Undefined if tiles cannot be dragged. */
  readonly startDrag: StartDrag | undefined;
}

/** One tile: its title bar with the tabs of its group, and its content. */
export const Tile = memo(function Tile(props: Props) {
  const { tile, group, box, shown, still, focused, maximized, dragged, startDrag } = props;
  useLanguage();
  const view = useView();
  const snapshot = useSnapshot();
  const element = useRef<HTMLElement>(null);
  useTileMotion(element, { box, shown, isStill: still });
  const info = tileInfo(tile, snapshot);
  const typedInto = useStore(view.ui.typesIntoAll) && isTypedInto(tile, info, snapshot);
  const focus = () => {
    if (!focused) void view.run("focusTile", { key: tile.key });
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a tile is no set of form fields
    <section
      ref={element}
      className="tile"
      role="group"
      tabIndex={-1}
      aria-label={info.title}
      data-tile={tile.key}
      data-focused={focused || undefined}
      data-dragged={dragged || undefined}
      data-typed-into={typedInto || undefined}
      data-waits={waitsIn(snapshot, tile) || undefined}
      hidden={!shown}
      style={{ ...box }}
      onPointerDownCapture={focus}
      onFocusCapture={focus}
      onContextMenuCapture={(event) => showMenu(view, event, tile)}
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

/** Shows the menu of the terminal, or of the tile whose title bar or tab was pressed. Fields and pages have their own. */
function showMenu(view: View, event: React.MouseEvent, tile: TileContent): void {
  const { target } = event;
  if (!(target instanceof Element) || target.closest("input, iframe") !== null) return;
  if (target.closest(".terminal") !== null) {
    const isPress = event.button === 2 && !event.shiftKey;
    // The program has this press; Shift keeps it from the program, as for a selection.
    if (isPress && view.terminals.byTile.get(tile.key)?.takesPointer()) event.preventDefault();
    else openMenu(view, event, words.stage.terminal, terminalMenu(view, tile));
    return;
  }
  const tab = Number(target.closest<HTMLElement>("[data-tab]")?.dataset.tab ?? tile.key);
  const shown = view.host.snapshot().state.tiles[tab] ?? tile;
  const onTile = target.closest(".title-bar") !== null || target.matches("[data-tile]");
  if (onTile) openMenu(view, event, words.stage.tile, tileMenu(view, shown));
}

/** Reports whether the tile takes what is typed into every shell on show. */
function isTypedInto({ type }: TileContent, { shell }: TileInfo, { self }: SessionSnapshot): boolean {
  return type === "shell" && shell?.running === true && self !== undefined && self.role !== "reader";
}

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
  if (tile.type === "shell" || tile.type === "peek")
    return <TerminalTile tile={tile} info={info} shown={shown} focused={focused} />;
  const Part = otherParts[tile.type];
  return (
    <LoadGuard fallback={<p className="tile-note">{shared.notLoaded}</p>} attempt={shown}>
      <Suspense fallback={null}>
        <Part tile={tile} shown={shown} />
      </Suspense>
    </LoadGuard>
  );
}
