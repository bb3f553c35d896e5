import { RemoteError } from "../protocol/errors.ts";
import type { ClientId, CommandTarget, ShellId, TileKey } from "../protocol/ids.ts";
import type { SessionMirror } from "../protocol/mirror.ts";
import type { PluginRecord, Role, Shell } from "../protocol/records.ts";
import type { OpInput, OpResult, RelayOp } from "../protocol/relay-ops.ts";
import { focusOf, type TileContent } from "../state/client-state.ts";
import type { StateChanger } from "../state/client-store.ts";
import type { ClientHost } from "../state/ports.ts";

export interface Self {
  readonly id: ClientId;
  readonly name: string;
  readonly role: Role;
}

interface CommandContextInit {
  readonly self: Self;
  /** Returns the client's own state. */
  readonly state: () => StateChanger;
  readonly mirror: () => SessionMirror;
  readonly host: ClientHost;
  /** Requests what only the relay can execute, by its name. Rejects with a RemoteError. */
  readonly request: (name: string, params: unknown) => Promise<unknown>;
  readonly source: ShellId | undefined;
}

/** The context of one command execution. Resolves target tiles and shells by the same rules for all commands. */
export class CommandContext {
  readonly self: Self;
  readonly host: ClientHost;
  readonly request: CommandContextInit["request"];
  /** The shell that the caller runs in, if any. */
  readonly source: ShellId | undefined;
  /** The tile and shell that the command acted on, for the response headers. */
  readonly hit: CommandTarget = {};

  readonly #mirror: () => SessionMirror;
  readonly #state: () => StateChanger;

  constructor(parts: CommandContextInit) {
    this.#mirror = parts.mirror;
    this.#state = parts.state;
    this.self = parts.self;
    this.host = parts.host;
    this.request = parts.request;
    this.source = parts.source;
  }

  /** The current mirror of the session; it can change while a command waits for the relay. */
  get mirror(): SessionMirror {
    return this.#mirror();
  }

  /** The state of the client on whose screen the command acts. */
  get state(): StateChanger {
    return this.#state();
  }

  /** Requests an operation that only the relay can execute. Rejects with a RemoteError when the relay refuses it. */
  ask<K extends RelayOp>(op: K, params: OpInput<K>): Promise<OpResult<K>> {
    return this.request(op, params) as Promise<OpResult<K>>;
  }

  /**
   * Returns the target tile: the given one, else the source shell's tile, else the focused tile.
   * @throws RemoteError `unknown_tile`
   */
  tile(given: TileKey | undefined): TileContent {
    const key = given ?? this.sourceTile() ?? focusOf(this.state.now);
    if (key === null) throw new RemoteError("unknown_tile", "The workspace is empty: create a shell first.");
    const tile = this.state.now.tiles[key];
    if (tile === undefined) throw new RemoteError("unknown_tile", `No tile ${key}. ${this.#knownTiles()}`);
    this.hit.tile = tile.key;
    return tile;
  }

  /**
   * Returns the shell with this id.
   * @throws RemoteError `unknown_shell`
   */
  shell(id: ShellId): Shell {
    const shell = this.mirror.shells.find((candidate) => candidate.id === id);
    if (shell === undefined) throw new RemoteError("unknown_shell", `No shell ${id}. ${this.#knownShells()}`);
    this.hit.shell = shell.id;
    return shell;
  }

  /**
   * Returns the installed plugin with this id.
   * @throws RemoteError `unknown_plugin`
   */
  plugin(id: string): PluginRecord {
    const { plugins } = this.mirror;
    const plugin = plugins.find((candidate) => candidate.id === id);
    if (plugin !== undefined) return plugin;
    const known = plugins.length === 0 ? "none" : listed(plugins.map((candidate) => candidate.id));
    throw new RemoteError("unknown_plugin", `No plugin ${JSON.stringify(id)}. The session has: ${known}.`);
  }

  /** Returns the first tile that shows the source shell. */
  sourceTile(): TileKey | undefined {
    if (this.source === undefined) return undefined;
    const shown = Object.values(this.state.now.tiles).filter(
      (tile) => tile.type === "shell" && tile.id === this.source,
    );
    return shown[0]?.key;
  }

  #knownTiles(): string {
    const keys = Object.keys(this.state.now.tiles);
    return keys.length === 0 ? "This client has no tiles." : `This client has: ${listed(keys)}.`;
  }

  #knownShells(): string {
    const ids = this.mirror.shells.map((shell) => String(shell.id));
    return ids.length === 0 ? "The session has no shells." : `The session has: ${listed(ids)}.`;
  }
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, 20);
  return shown.length < names.length ? `${shown.join(", ")}, … (${names.length})` : shown.join(", ");
}
