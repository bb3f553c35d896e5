import { RemoteError } from "../protocol/errors.ts";
import type { Hit } from "../protocol/frames.ts";
import type { ClientId, ShellId, TileKey } from "../protocol/ids.ts";
import type { SessionMirror } from "../protocol/mirror.ts";
import type { PluginRecord, Role, Shell } from "../protocol/records.ts";
import type { OpInput, RelayOp } from "../protocol/relay-ops.ts";
import { focusOf, type TileContent } from "../state/client-state.ts";
import type { ClientStore } from "../state/client-store.ts";
import type { AskRelay, ClientHost } from "../state/ports.ts";

/** The rest of the command is the relay's: it is done there, in this client's name, and answered from there. */
export class Delegated<K extends RelayOp = RelayOp> {
  readonly op: K;
  readonly params: OpInput<K>;

  constructor(op: K, params: OpInput<K>) {
    this.op = op;
    this.params = params;
  }
}

export interface Self {
  readonly id: ClientId;
  readonly name: string;
  readonly role: Role;
}

interface Parts {
  readonly self: Self;
  readonly state: ClientStore;
  readonly mirror: SessionMirror;
  readonly host: ClientHost;
  readonly ask: AskRelay;
  readonly source: ShellId | undefined;
}

/** What one execution of a command has at hand. Which tile or shell is meant is resolved here, once for all commands. */
export class CommandContext {
  readonly self: Self;
  readonly state: ClientStore;
  readonly host: ClientHost;
  readonly ask: AskRelay;
  /** The shell that the caller sits in, if any. */
  readonly source: ShellId | undefined;
  /** Whom the command hit, for the answer's headers. */
  readonly hit: Hit = {};

  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.self = parts.self;
    this.state = parts.state;
    this.host = parts.host;
    this.ask = parts.ask;
    this.source = parts.source;
  }

  /** The session as this client knows it now; it changes while a command waits for the relay. */
  get mirror(): SessionMirror {
    return this.#parts.mirror;
  }

  /** Leaves the rest to the relay. */
  delegate<K extends RelayOp>(op: K, params: OpInput<K>): Delegated<K> {
    return new Delegated(op, params);
  }

  /** The tile that is meant: the one given, else the source shell's, else the focused one. A given one must exist. */
  tile(given: TileKey | undefined): TileContent {
    const key = given ?? this.#sourceTile() ?? focusOf(this.state.now);
    if (key === null) throw new RemoteError("unknown_tile", "The workspace is empty: create a shell first.");
    const tile = this.state.now.tiles[key];
    if (tile === undefined) throw new RemoteError("unknown_tile", `No tile ${key}. ${this.#knownTiles()}`);
    this.hit.tile = tile.key;
    return tile;
  }

  /** The shell of that id, which must exist. */
  shell(id: ShellId): Shell {
    const shell = this.mirror.shells.find((candidate) => candidate.id === id);
    if (shell === undefined) throw new RemoteError("unknown_shell", `No shell ${id}. ${this.#knownShells()}`);
    this.hit.shell = shell.id;
    return shell;
  }

  /** The plugin of that id, which must be installed. */
  plugin(id: string): PluginRecord {
    const { plugins } = this.mirror;
    const plugin = plugins.find((candidate) => candidate.id === id);
    if (plugin !== undefined) return plugin;
    const known = plugins.length === 0 ? "none" : listed(plugins.map((candidate) => candidate.id));
    throw new RemoteError("unknown_plugin", `No plugin ${JSON.stringify(id)}. The session has: ${known}.`);
  }

  /** The tile that shows the source shell, in front of others when several do. */
  #sourceTile(): TileKey | undefined {
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
