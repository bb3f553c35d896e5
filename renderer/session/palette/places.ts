import type { Workspace } from "../../../core/layout/layout.ts";
import type { ClientRecord, Shell } from "../../../core/protocol/records.ts";
import { waitingFor } from "../../../core/protocol/waiting.ts";
import { focusOf, type TileContent } from "../../../core/state/client-state.ts";
import { roleWords } from "../../ui/words.ts";
import { closeTile, closeWorkspace } from "../actions/close.ts";
import { shellActions } from "../shells/shell-actions.ts";
import type { SessionHost, SessionSnapshot } from "../view/session-host.ts";
import { describeAgent, describeExit, shellInfo, tileInfo, workspaceTitle } from "../view/tile-info.ts";
import { words } from "../words/index.ts";
import type { Entry } from "./entry.ts";

/** The app around the session, where there is one, and the machine that serves the session. */
type AppHost = Pick<SessionHost, "app" | "machine">;

/**
 * Returns every place to go to: shells, other tiles, workspaces, sessions of the app and people. What waits for the user
 * comes first, then tiles by their last use with the current one at the end.
 * @param now milliseconds since the epoch, for how long an agent has had its state
 */
export function placeEntries(snapshot: SessionSnapshot, host: AppHost, now: number): readonly Entry[] {
  const { mirror, state, self } = snapshot;
  if (mirror === undefined) return [];
  const waiting = waitingFor(mirror, self);
  const shells = new Set(waiting.flatMap((one) => ("shell" in one ? [one.shell] : [])));
  const plugins = new Set(waiting.flatMap((one) => ("plugin" in one ? [one.plugin] : [])));
  const shellPlaces = mirror.shells.map((shell) => shellEntry(shell, snapshot, { waits: shells.has(shell.id), now }));
  const tilePlaces = Object.values(state.tiles)
    .filter(({ type }) => type !== "shell" && type !== "peek")
    .map((tile) => tileEntry(tile, snapshot, tile.plugin !== undefined && plugins.has(tile.plugin)));
  const places = byLastUse([...shellPlaces, ...tilePlaces], snapshot);
  return [
    ...places.filter(({ waits }) => waits === true),
    ...places.filter(({ waits }) => waits !== true),
    ...state.workspaces.map((workspace, index) => workspaceEntry(workspace, index)),
    ...sessionEntries(host, mirror.session.id),
    ...mirror.clients.filter(({ id }) => id !== self?.id).map((client) => personEntry(client, snapshot)),
  ];
}

interface Facts {
  readonly waits: boolean;
  readonly now: number;
}

function shellEntry(shell: Shell, snapshot: SessionSnapshot, { waits, now }: Facts): Entry {
  const { mirror, self, state } = snapshot;
  const { name, detail } = shellInfo(shell.id, snapshot);
  const agent = mirror?.agents.find(({ shellId }) => shellId === shell.id);
  const tile = Object.values(state.tiles).find(
    ({ type, id }) => (type === "shell" || type === "peek") && id === shell.id,
  );
  const [first, ...others] = shellActions(shell, snapshot);
  const owner = shell.ownerClientId === self?.id ? "" : (shell.owner ?? words.palette.noOwner);
  const about = [detail, shell.running ? "" : describeExit(shell), owner, tile && workspaceOfTile(tile, snapshot)];
  return {
    id: `shell:${shell.id}`,
    group: waits ? words.palette.waits : words.palette.shown,
    icon: agent === undefined || agent.state === "ended" ? "terminal" : "agent",
    title: name,
    detail: about.filter((part) => part !== undefined && part !== "").join(" · "),
    waits,
    state: agent === undefined || agent.state === "ended" ? undefined : describeAgent(agent, now),
    actions: first === undefined ? [{ label: words.palette.close, run: () => undefined }] : [first, ...others],
  };
}

function tileEntry(tile: TileContent, snapshot: SessionSnapshot, waits: boolean): Entry {
  const { title, detail } = tileInfo(tile, snapshot);
  return {
    id: `tile:${tile.key}`,
    group: waits ? words.palette.waits : words.palette.shown,
    icon: tile.type === "plugin" ? "plugin" : tile.type === "history" ? "clock" : "globe",
    title,
    detail: [detail, workspaceOfTile(tile, snapshot)].filter((part) => part !== "").join(" · "),
    waits,
    actions: [
      { label: words.palette.goTo, run: ({ run }) => run("focusTile", { key: tile.key }) },
      { label: words.palette.close, stays: true, run: (view) => closeTile(view, tile.key) },
    ],
  };
}

function workspaceEntry({ name, recent }: Workspace, index: number): Entry {
  return {
    id: `workspace:${index}`,
    group: words.palette.workspaces,
    icon: "workspace",
    title: workspaceTitle(name),
    detail: words.palette.tiles(recent.length),
    actions: [
      { label: words.palette.goTo, run: ({ run }) => run("switchWorkspace", { index }) },
      { label: words.palette.close, stays: true, run: (view) => closeWorkspace(view, index) },
    ],
  };
}

function sessionEntries({ app, machine }: AppHost, current: string): readonly Entry[] {
  // A session of another machine is none of the app's, whatever its id is.
  const others = app?.facts.get().sessions.filter(({ id }) => machine !== undefined || id !== current) ?? [];
  return others.map(({ id, name, shells, waiting }) => ({
    id: `session:${id}`,
    group: words.palette.sessions,
    icon: "session",
    title: name,
    detail: words.palette.sessionShells(shells),
    waits: waiting > 0,
    state: waiting > 0 ? { label: words.palette.waiting(waiting), dot: "wait" } : undefined,
    actions: [{ label: words.palette.open, run: () => app?.openSession(id) }],
  }));
}

/** What a person looks at is not known to other clients; their shells are. */
function personEntry({ id, name, device, role }: ClientRecord, snapshot: SessionSnapshot): Entry {
  const shells = (snapshot.mirror?.shells ?? []).filter(
    ({ ownerClientId, running }) => ownerClientId === id && running,
  );
  const [first] = shells.toSorted((a, b) => (b.activeAt ?? "").localeCompare(a.activeAt ?? ""));
  const action = first === undefined ? undefined : shellActions(first, snapshot)[0];
  return {
    id: `person:${id}`,
    group: words.palette.people,
    icon: "people",
    title: name,
    detail: [device, roleWords[role], words.palette.shells(shells.length)].join(" · "),
    actions: [
      action === undefined
        ? { label: words.palette.write, run: ({ ui }) => ui.chatOpen.set(true) }
        : { label: action.kind === "go-to" ? action.label : words.palette.watch, run: action.run },
    ],
  };
}

function workspaceOfTile(tile: TileContent, { state }: SessionSnapshot): string {
  const workspace = state.workspaces.find(({ recent }) => recent.includes(tile.key));
  return workspace === undefined || state.workspaces.length === 1 ? "" : workspaceTitle(workspace.name);
}

/** Sorts by the last use of a tile, those in no tile after them, and the focused one last. */
function byLastUse(entries: readonly Entry[], { state }: SessionSnapshot): readonly Entry[] {
  const active = state.workspaces[state.active];
  const order = [
    ...(active?.recent ?? []),
    ...state.workspaces.flatMap((page) => (page === active ? [] : page.recent)),
  ];
  const rank = new Map<string, number>();
  for (const [at, key] of order.entries()) {
    const tile = state.tiles[key];
    if (tile === undefined) continue;
    const id = tile.type === "shell" || tile.type === "peek" ? `shell:${tile.id}` : `tile:${key}`;
    rank.set(id, key === focusOf(state) ? Number.MAX_SAFE_INTEGER : Math.min(rank.get(id) ?? at, at));
  }
  return entries.toSorted((a, b) => (rank.get(a.id) ?? order.length) - (rank.get(b.id) ?? order.length));
}
