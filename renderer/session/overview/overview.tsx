import "./overview.css";
import { type KeyboardEvent, useEffect, useRef } from "react";
import { boxesOf } from "../../../core/layout/geometry.ts";
import type { Workspace } from "../../../core/layout/layout.ts";
import type { TileKey } from "../../../core/protocol/ids.ts";
import { waitingFor } from "../../../core/protocol/waiting.ts";
import type { TileContent } from "../../../core/state/client-state.ts";
import { useNow } from "../../ui/use-now.ts";
import { isAbout, tileInfo, workspaceTitle } from "../view/tile-info.ts";
import { useSnapshot, useView } from "../view/view.ts";
import { words } from "../words/index.ts";

/** What terminals show is read anew this often. */
const READ_EVERY_MS = 1_000;
/** By how many workspaces a key moves the focus. */
const steps: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/** All workspaces at a glance, each as a miniature of what its tiles show now. */
export function Overview() {
  const view = useView();
  const { state } = useSnapshot();
  const dialog = useRef<HTMLDialogElement>(null);
  useNow(READ_EVERY_MS);
  const close = () => view.ui.overviewOpen.set(false);
  useEffect(() => {
    const { current } = dialog;
    current?.showModal();
    current?.querySelector<HTMLElement>("[aria-current]")?.focus();
    return () => view.keyboard.focusTile();
  }, [view]);
  const keyDown = (event: KeyboardEvent<HTMLElement>) => {
    const all = [...event.currentTarget.querySelectorAll<HTMLElement>(".overview-workspace")];
    const { activeElement } = document;
    const at = activeElement instanceof HTMLElement ? all.indexOf(activeElement) : -1;
    const ends: Readonly<Record<string, number>> = { Home: 0, End: all.length - 1 };
    const step = steps[event.key];
    const next = ends[event.key] ?? (step === undefined ? undefined : at + step);
    if (next === undefined) return;
    event.preventDefault();
    all[Math.max(0, Math.min(all.length - 1, next))]?.focus();
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it too, through onCancel
    <dialog
      ref={dialog}
      className="overview"
      aria-label={words.overview.title}
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
      onClick={({ target, currentTarget }) => target === currentTarget && close()}
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys of the buttons in it */}
      <div className="overview-list" onKeyDown={keyDown}>
        {state.workspaces.map((workspace, index) => (
          <WorkspaceButton
            // biome-ignore lint/suspicious/noArrayIndexKey: a workspace is known by its place
            key={index}
            workspace={workspace}
            isCurrent={index === state.active}
            choose={() => {
              close();
              void view.run("switchWorkspace", { index });
            }}
          />
        ))}
      </div>
    </dialog>
  );
}

interface WorkspaceButtonProps {
  readonly workspace: Workspace;
  readonly isCurrent: boolean;
  choose(): void;
}

function WorkspaceButton({ workspace, isCurrent, choose }: WorkspaceButtonProps) {
  const snapshot = useSnapshot();
  const { state, mirror, self } = snapshot;
  const waiting = mirror === undefined ? [] : waitingFor(mirror, self);
  const waits = (tile: TileContent) => waiting.some((one) => isAbout(one, tile));
  const name = workspaceTitle(workspace.name);
  const tiles = workspace.recent.flatMap((key) => state.tiles[key] ?? []);
  const count = tiles.filter(waits).length;
  return (
    <button
      type="button"
      className="overview-workspace"
      aria-current={isCurrent || undefined}
      aria-label={words.overview.workspace(name, tiles.length, count)}
      data-waits={count > 0 || undefined}
      onClick={choose}
    >
      <span className="overview-head" aria-hidden="true">
        <span className="ellipsis" title={name}>
          {name}
        </span>
        <span className="overview-count">
          {count > 0 ? words.overview.waits(count) : words.palette.tiles(tiles.length)}
        </span>
      </span>
      <span className="overview-stage" aria-hidden="true">
        {boxesOf(workspace.root).map(({ group, left, top, right, bottom }) => {
          const tile = group.front === undefined ? undefined : state.tiles[group.front];
          return tile === undefined ? null : (
            <span
              key={group.front}
              className="overview-tile"
              data-waits={waits(tile) || undefined}
              style={{
                left: `${left * 100}%`,
                top: `${top * 100}%`,
                width: `${(right - left) * 100}%`,
                height: `${(bottom - top) * 100}%`,
              }}
            >
              <span className="overview-face">
                <span className="overview-title ellipsis">{tileInfo(tile, snapshot).title}</span>
                <Screen tile={tile.key} />
              </span>
            </span>
          );
        })}
      </span>
    </button>
  );
}

/** What the tile's terminal shows, from the terminal itself: no output is read a second time. */
function Screen({ tile }: { readonly tile: TileKey }) {
  const rows = useView().terminals.byTile.get(tile)?.screen() ?? [];
  return <span className="overview-screen">{rows.join("\n")}</span>;
}
