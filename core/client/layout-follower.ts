import type { Workspace } from "../layout/layout.ts";
import { hasScreen } from "../protocol/headless.ts";
import type { ClientId } from "../protocol/ids.ts";
import type { SessionMirror } from "../protocol/mirror.ts";
import type { ClientRecord } from "../protocol/records.ts";
import { type ClientState, restoreState, withoutTiles } from "../state/client-state.ts";
import type { Client } from "./client.ts";

/** Whom a client follows; undefined for no one. `left`: it has ended because the user changed the layout. */
type FollowListener = (target: ClientId | undefined, left: ClientId | undefined) => void;

/**
 * Gives a client the layout of another one, and each change of it, until the client's user makes a change of their own.
 * Shells of others are watched.
 */
export class LayoutFollower {
  readonly #client: Client;
  readonly #listeners = new Set<FollowListener>();
  #target: ClientId | undefined;
  #reading = false;
  #stale = false;
  #applying = false;
  #connected = false;

  constructor(client: Client) {
    this.#client = client;
    client.onEvent((event) => {
      if (event.type === "layout.changed" && event.data.clientId === this.#target) void this.#read();
      if (event.type === "client.joined" && event.data.client.id === this.#target) void this.#read();
    });
    client.subscribe(() => {
      const before = this.#connected;
      this.#connected = client.connected;
      if (client.connected && !before && this.#target !== undefined) void this.#read();
    });
    client.state.subscribe(() => {
      if (this.#target !== undefined && !this.#applying && !client.reacting) this.#set(undefined, this.#target);
    });
  }

  get target(): ClientId | undefined {
    return this.#target;
  }

  /** Follows a client; with undefined, keeps the layout as it is. */
  follow(target: ClientId | undefined): void {
    if (target === this.#target) return;
    this.#set(target, undefined);
    if (target !== undefined) void this.#read();
  }

  /** Calls `listener` after every change of whom the client follows. Returns an unsubscribe function. */
  onChange(listener: FollowListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #set(target: ClientId | undefined, left: ClientId | undefined): void {
    this.#target = target;
    for (const listener of [...this.#listeners]) listener(target, left);
  }

  /** Changes that come while a layout is read are read once more, together. */
  async #read(): Promise<void> {
    this.#stale = true;
    if (this.#reading) return;
    this.#reading = true;
    while (this.#stale && this.#target !== undefined) {
      this.#stale = false;
      // The client is away, or this one is cut off: it is read when they are back.
      await this.#readOnce(this.#target).catch(() => undefined);
    }
    this.#reading = false;
  }

  async #readOnce(target: ClientId): Promise<void> {
    const { layout } = await this.#client.ask("readLayout", { client: target });
    const { mirror, self, state } = this.#client;
    const shared = restoreState(layout);
    if (shared === undefined || mirror === undefined || self === undefined || this.#target !== target) return;
    const next = followedLayout(shared, { mirror, self: self.id });
    if (JSON.stringify(next) === JSON.stringify(state.now)) return;
    this.#applying = true;
    try {
      state.update(() => next);
    } finally {
      this.#applying = false;
    }
  }
}

/**
 * Returns whom a guest follows at first: the owner's app, else the owner's client that was active last. A client without a
 * screen is followed by nobody, because nobody arranges it for others to see: where the owner has no other one, the guest
 * stands in who may type, shows something and was active last.
 * @param self the client that follows
 */
export function hostOf({ clients }: Pick<SessionMirror, "clients">, self?: ClientId): ClientRecord | undefined {
  const isApp = ({ clientKind, guest }: ClientRecord) => Number(clientKind === "desktop" && guest === undefined);
  const shows = ({ focus }: ClientRecord) => Number(focus !== null);
  const activity = ({ activeAt, connectedAt }: ClientRecord) => Date.parse(activeAt ?? connectedAt);
  const seen = clients.filter((client) => client.id !== self && hasScreen(client));
  const owners = seen.filter(({ guest }) => guest === undefined);
  const standIns = clients.every(hasScreen)
    ? []
    : seen.filter(({ role, focus }) => role !== "reader" && focus !== null);
  return (owners.length > 0 ? owners : standIns).toSorted(
    (a, b) => isApp(b) - isApp(a) || shows(b) - shows(a) || activity(b) - activity(a),
  )[0];
}

/** Returns another client's layout as this client shows it: its own shells to type in, those of others to watch. */
function followedLayout(
  shared: ClientState,
  { mirror, self }: { readonly mirror: Pick<SessionMirror, "shells">; readonly self: ClientId },
): ClientState {
  const shells = new Map<number, (typeof mirror.shells)[number]>(mirror.shells.map((shell) => [shell.id, shell]));
  const isShell = (type: string) => type === "shell" || type === "peek";
  const tiles = Object.values(shared.tiles);
  const gone = tiles.filter(({ type, id }) => isShell(type) && !shells.has(id));
  const shown = tiles.map((tile) => {
    const shell = isShell(tile.type) ? shells.get(tile.id) : undefined;
    if (shell === undefined) return tile;
    return { ...tile, type: shell.running && shell.ownerClientId !== self ? ("peek" as const) : ("shell" as const) };
  });
  // A follower has one window, which shows the workspace that the other one is in.
  const [first, ...others] = shared.workspaces;
  const workspaces: ClientState["workspaces"] = [inMain(first), ...others.map(inMain)];
  return withoutTiles(
    { ...shared, main: undefined, workspaces, tiles: Object.fromEntries(shown.map((tile) => [tile.key, tile])) },
    gone.map(({ key }) => key),
  );
}

function inMain(workspace: Workspace): Workspace {
  return workspace.window === undefined ? workspace : { ...workspace, window: undefined };
}
