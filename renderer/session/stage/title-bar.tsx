import type { MethodName } from "../../../core/commands/specs.ts";
import type { Leaf } from "../../../core/layout/layout.ts";
import type { TileKey } from "../../../core/protocol/ids.ts";
import type { Shell } from "../../../core/protocol/records.ts";
import type { TileContent } from "../../../core/state/client-state.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { formatTimeOfDay } from "../../ui/format-time.ts";
import { Icon, type IconName } from "../../ui/icon.tsx";
import { InlineName } from "../../ui/inline-name.tsx";
import { useStore } from "../../ui/store.ts";
import { askToType, hasAskedToType } from "../actions/ask-to-type.ts";
import { closeTile } from "../actions/close.ts";
import { chordLabel } from "../keys/chord.ts";
import type { ViewAction } from "../keys/keymap.ts";
import { takeOver } from "../shells/shell-actions.ts";
import { onlookersOf, type TileInfo } from "../view/tile-info.ts";
import { useKeys, useSnapshot, useView } from "../view/view.ts";
import { words } from "../words/index.ts";
import { AgentBadge } from "./agent-badge.tsx";
import { TabStrip } from "./tab-strip.tsx";
import type { StartDrag } from "./use-tile-drag.ts";

interface Props {
  readonly tile: TileContent;
  readonly group: Leaf;
  readonly info: TileInfo;
  readonly focused: boolean;
  readonly maximized: boolean;
  readonly startDrag: StartDrag | undefined;
}

/** A tile's bar: drag it to move the tile, double-click it to maximize. */
export function TitleBar({ tile, group, info, focused, maximized, startDrag }: Props) {
  const view = useView();
  const { self } = useSnapshot();
  const renaming = useStore(view.ui.renaming);
  const changes = self?.role !== "reader";
  const { title, detail, agent, owner, shell } = info;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: what the pointer does here, buttons and shortcuts do too
    <div
      className="title-bar"
      onPointerDown={(event) => {
        if (event.target instanceof Element && event.target.closest("button, input") === null)
          startDrag?.(event, tile.key);
      }}
      onDoubleClick={(event) => {
        if (event.target instanceof Element && event.target.closest("button, input") === null) {
          void view.run("maximize", { tile: tile.key });
        }
      }}
    >
      {renaming?.kind === "tile" && renaming.key === tile.key ? (
        <TileName tile={tile} title={title} />
      ) : group.tiles.length > 1 ? (
        <TabStrip group={group} startDrag={startDrag} />
      ) : (
        <span className="title ellipsis" title={title}>
          {title}
        </span>
      )}
      {tile.type === "peek" && (
        <span className="chip" title={words.stage.titleBar.liveView}>
          <Icon name="eye" size={12} />
          {owner === undefined ? words.stage.titleBar.watching : owner.name}
        </span>
      )}
      <span className="detail ellipsis" title={detail}>
        {detail}
      </span>
      {owner !== undefined && tile.type !== "peek" && (
        <span className="owner">
          <Avatar name={owner.name} id={owner.id} colour={owner.colour} />
          <span className="visually-hidden">{words.stage.titleBar.shellOf(owner.name)}</span>
        </span>
      )}
      <Onlookers tile={tile} />
      {shell?.lease !== undefined && (
        <span
          className="chip"
          title={words.stage.titleBar.leaseHint(shell.lease.holder, formatTimeOfDay(shell.lease.expiresAt))}
        >
          <Icon name="commands" size={12} />
          <span className="ellipsis">{words.stage.titleBar.types(shell.lease.holder)}</span>
        </span>
      )}
      {agent !== undefined && <AgentBadge agent={agent} />}
      {shell?.progress !== undefined && <Progress {...shell.progress} />}
      <ScreenViews tile={tile.key} />
      <span className="tile-actions">
        {changes && tile.type === "peek" && shell !== undefined && <TakeOver shell={shell} />}
        {!changes && focused && shell?.running === true && <AskToType />}
        {changes && (
          <BarButton
            icon="split-right"
            label={words.keys.splitRight}
            method="splitShell"
            run={() => void view.run("splitShell", { tile: tile.key, direction: "horizontal" })}
          />
        )}
        <BarButton
          icon={maximized ? "restore" : "maximize"}
          label={maximized ? words.stage.titleBar.restore : words.stage.titleBar.maximize}
          method="maximize"
          run={() => void view.run("maximize", { tile: tile.key })}
        />
        <BarButton
          icon="close"
          label={words.stage.titleBar.close}
          method="close-tile"
          run={() => void closeTile(view, tile.key)}
        />
      </span>
    </div>
  );
}

/** The choice between all of a screen that is too small to read and a part of it. */
function ScreenViews({ tile }: { tile: TileKey }) {
  const { screenViews } = useView().ui;
  const views = useStore(screenViews);
  const now = views.get(tile);
  if (now === undefined) return null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: two buttons, no form
    <span className="layout-choice" role="group" aria-label={words.stage.titleBar.screenView}>
      {(["fit", "readable"] as const).map((one) => (
        <button
          key={one}
          type="button"
          aria-pressed={one === now}
          title={words.stage.titleBar.screenViews[one].hint}
          onClick={() => screenViews.set(new Map([...views, [tile, one]]))}
        >
          {words.stage.titleBar.screenViews[one].label}
        </button>
      ))}
    </span>
  );
}

/** Number of onlookers whose initials a tile shows. */
const MAX_ONLOOKERS = 3;

/** The initials of the other people who look at the tile, each in the person's colour. */
function Onlookers({ tile }: { tile: TileContent }) {
  const people = onlookersOf(tile, useSnapshot());
  if (people.length === 0) return null;
  const label = words.stage.titleBar.onlookers(people.map(({ name }) => name));
  return (
    <span className="onlookers" role="img" aria-label={label} title={label}>
      {people.slice(0, MAX_ONLOOKERS).map(({ id, name, colour }) => (
        <Avatar key={id} id={id} name={name} colour={colour} />
      ))}
      {people.length > MAX_ONLOOKERS && <span className="more">+{people.length - MAX_ONLOOKERS}</span>}
    </span>
  );
}

/** How far the program in the tile is, as it reports itself: at the lower edge of the bar. */
function Progress({ state, percent }: NonNullable<Shell["progress"]>) {
  const known = state !== "indeterminate" && percent !== null ? percent : undefined;
  const label = words.stage.progress[state];
  return (
    <span
      className="tile-progress"
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={known}
      title={known === undefined ? label : words.stage.progress.known(label, known)}
      data-state={state}
    >
      <span style={{ width: `${known ?? 100}%` }} />
    </span>
  );
}

/** The field for the user's own name of a tile. An empty name is that of what the tile shows. */
function TileName({ tile, title }: { tile: TileContent; title: string }) {
  const view = useView();
  return (
    <InlineName
      className="tile-name"
      label={words.stage.titleBar.name(title)}
      name={tile.label ?? title}
      mayBeEmpty
      save={(name) => void view.run("renameTile", { name, key: tile.key })}
      done={() => {
        view.ui.renaming.set(undefined);
        view.terminals.byTile.get(tile.key)?.focus();
      }}
    />
  );
}

/** Takes the shell over, or asks its owner; while the owner has not answered, says so. */
function TakeOver({ shell }: { shell: Shell }) {
  const view = useView();
  const { mirror, self } = useSnapshot();
  if (self === undefined) return null;
  const { label, run } = takeOver(shell, self);
  const asked = mirror?.adoptRequests.some(({ shellId, from }) => shellId === shell.id && from.clientId === self.id);
  return (
    <button type="button" className="button quiet small" disabled={asked} onClick={() => void run(view)}>
      {asked ? words.stage.titleBar.askedWaiting : label}
    </button>
  );
}

/** For those who can watch; while the host has not answered, says so. */
function AskToType() {
  const view = useView();
  const asked = hasAskedToType(useSnapshot());
  return (
    <button type="button" className="button quiet small" disabled={asked} onClick={() => void askToType(view)}>
      {asked ? words.stage.titleBar.asked : words.stage.titleBar.ask}
    </button>
  );
}

function BarButton({
  icon,
  label,
  method,
  run,
}: {
  icon: IconName;
  label: string;
  method: MethodName | ViewAction;
  run: () => void;
}) {
  const { bindings, mac } = useKeys();
  const binding = bindings.find(({ action }) =>
    action.kind === "view" ? action.viewAction === method : action.method === method,
  );
  const title =
    binding?.chord === undefined ? label : words.stage.titleBar.withKeys(label, chordLabel(binding.chord, mac));
  return (
    <button type="button" className="icon-button" aria-label={label} title={title} onClick={run}>
      <Icon name={icon} size={14} />
    </button>
  );
}
