import { z } from "zod";
import type { ClientId, ShellId, TileKey } from "../../../../core/protocol/ids.ts";
import type { Shell } from "../../../../core/protocol/records.ts";
import type { Ownership } from "./permit.ts";

/** A client's tiles, as far as its own word goes: what it last told the relay of its state. */
export interface Screen {
  readonly client: ClientId;
  readonly tiles: ReadonlyMap<number, { readonly type: string; readonly id: number }>;
  /** Keys of the tiles of each workspace. */
  readonly workspaces: readonly (readonly number[])[];
  /** Index of the workspace on show. */
  readonly active: number;
  readonly focus: number | undefined;
}

interface OwnedResourcesOptions {
  readonly shell: (id: number) => Shell | undefined;
  /** What a client has told of its state. */
  readonly saved: (client: ClientId) => unknown;
}

/** Shells that make shells that make shells: this deep their line is known. */
const MOST_MAKERS = 64;

/** Tiles that are remembered for their makers, in one session; the oldest are forgotten first. */
const MOST_TILES = 10_000;

/** Which shells and tiles of a session are whose, for callers who may change only what is their own. */
export class OwnedResources {
  readonly #options: OwnedResourcesOptions;
  /** Makers of tiles, by `client:key`. Shells carry their makers in their record. */
  readonly #makers = new Map<string, string>();

  constructor(options: OwnedResourcesOptions) {
    this.#options = options;
  }

  /** The caller's shell, one that it made, or one that was made from such a one. */
  ownsShell({ maker, shell }: Ownership, id: number): boolean {
    return id === shell || this.#options.shell(id)?.makers?.includes(maker) === true;
  }

  /** The makers of what this one makes, the nearest last. */
  makersFor(maker: string): readonly string[] {
    const shell = shellIn(maker);
    const before = shell === undefined ? [] : (this.#options.shell(shell)?.makers ?? []);
    return [...before, maker].slice(-MOST_MAKERS);
  }

  /** A tile that shows a shell of the caller's, or that the caller or a shell of its own has made. */
  ownsTile(own: Ownership, { client, tiles }: Screen, key: number): boolean {
    const tile = tiles.get(key);
    if (tile === undefined) return false;
    if (tile.type === "shell" && this.ownsShell(own, tile.id)) return true;
    const maker = this.#makers.get(`${client}:${key}`);
    if (maker === undefined) return false;
    const shell = shellIn(maker);
    return maker === own.maker || (shell !== undefined && this.ownsShell(own, shell));
  }

  /** The tile that shows the caller's shell, as the client itself would choose it. */
  tileOf(shell: ShellId, { tiles }: Screen): TileKey | undefined {
    for (const [key, tile] of tiles) if (tile.type === "shell" && tile.id === shell) return key as TileKey;
    return undefined;
  }

  screen(client: ClientId): Screen {
    const { tiles, workspaces, active } = Saved.safeParse(this.#options.saved(client)).data ?? nothingShown;
    return {
      client,
      tiles: new Map(Object.values(tiles).map(({ key, type, id }) => [key, { type, id }])),
      workspaces: workspaces.map(({ recent }) => recent),
      active,
      focus: workspaces[active]?.recent[0],
    };
  }

  /** The caller has made these tiles: those among the keys that were not there before. */
  recordTiles({ maker }: Ownership, before: Screen, keys: readonly number[]): void {
    for (const key of keys) if (!before.tiles.has(key)) this.#makers.set(`${before.client}:${key}`, maker);
    for (const oldest of this.#makers.keys()) {
      if (this.#makers.size <= MOST_TILES) break;
      this.#makers.delete(oldest);
    }
  }
}

/** The shell that a maker's name is of. */
function shellIn(maker: string): number | undefined {
  const id = /^shell:(\d+)$/.exec(maker)?.[1];
  return id === undefined ? undefined : Number(id);
}

const Saved = z.object({
  tiles: z.record(z.string(), z.object({ key: z.int(), type: z.string(), id: z.int() })),
  /** The most recently focused tile stands first. */
  workspaces: z.array(z.object({ recent: z.array(z.int()) })),
  active: z.int(),
});

const nothingShown: z.infer<typeof Saved> = { tiles: {}, workspaces: [], active: 0 };
