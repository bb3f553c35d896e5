import { z } from "zod";
import type { ClientId, ShellId, TileKey } from "../../../../core/protocol/ids.ts";
import type { Shell } from "../../../../core/protocol/records.ts";
import { isHiding, type Ownership } from "./permit.ts";

/** A client's tiles, as in the state that it saved last. */
export interface Screen {
  readonly client: ClientId;
  readonly tiles: ReadonlyMap<number, { readonly type: string; readonly id: number }>;
  /** Keys of the tiles of each workspace. */
  readonly workspaces: readonly (readonly number[])[];
  /** Index of the active workspace. */
  readonly active: number;
  readonly focus: number | undefined;
}

interface OwnedResourcesOptions {
  readonly shell: (id: number) => Shell | undefined;
  /** Returns the state that a client saved last. */
  readonly savedState: (client: ClientId) => unknown;
}

/** Longest chain of makers that is recorded for a shell. */
const MOST_MAKERS = 64;

/** Makers of tiles that are remembered per session; the oldest are dropped first. */
const MOST_TILES = 10_000;

/** Decides which shells and tiles of a session a caller owns. */
export class OwnedResources {
  readonly #options: OwnedResourcesOptions;
  /** Makers of tiles by `client:key`. The makers of a shell are in its record. */
  readonly #makers = new Map<string, string>();

  constructor(options: OwnedResourcesOptions) {
    this.#options = options;
  }

  /** Returns whether a shell is the caller's own, created by it, or created from such a shell. */
  ownsShell({ maker, shell }: Ownership, id: number): boolean {
    return id === shell || this.#options.shell(id)?.makers?.includes(maker) === true;
  }

  /** Returns the makers to record for what a maker creates, nearest last. */
  makersFor(maker: string): readonly string[] {
    const shell = shellIn(maker);
    const before = shell === undefined ? [] : (this.#options.shell(shell)?.makers ?? []);
    const makers = [...before, maker];
    // That secrets are hidden from it is forgotten by no chain, however long.
    return [...makers.slice(0, -MOST_MAKERS).filter(isHiding).slice(0, 1), ...makers.slice(-MOST_MAKERS)];
  }

  /** Returns whether a tile shows one of the caller's shells, or was created by the caller or one of its shells. */
  ownsTile(own: Ownership, { client, tiles }: Screen, key: number): boolean {
    const tile = tiles.get(key);
    if (tile === undefined) return false;
    if (tile.type === "shell" && this.ownsShell(own, tile.id)) return true;
    const maker = this.#makers.get(`${client}:${key}`);
    if (maker === undefined) return false;
    const shell = shellIn(maker);
    return maker === own.maker || (shell !== undefined && this.ownsShell(own, shell));
  }

  /** Returns the first tile that shows a shell, which is the one that the client would choose. */
  tileOf(shell: ShellId, { tiles }: Screen): TileKey | undefined {
    for (const [key, tile] of tiles) if (tile.type === "shell" && tile.id === shell) return key as TileKey;
    return undefined;
  }

  /** Returns a client's tiles; none if it has saved no state. */
  screen(client: ClientId): Screen {
    const { tiles, workspaces, active } = SavedState.safeParse(this.#options.savedState(client)).data ?? emptyState;
    return {
      client,
      tiles: new Map(Object.values(tiles).map(({ key, type, id }) => [key, { type, id }])),
      workspaces: workspaces.map(({ recent }) => recent),
      active,
      focus: workspaces[active]?.recent[0],
    };
  }

  /** Records the caller as the maker of those tiles that are not in `before`. */
  recordTiles({ maker }: Ownership, before: Screen, keys: readonly number[]): void {
    for (const key of keys) if (!before.tiles.has(key)) this.#makers.set(`${before.client}:${key}`, maker);
    for (const oldest of this.#makers.keys()) {
      if (this.#makers.size <= MOST_TILES) break;
      this.#makers.delete(oldest);
    }
  }
}

/** Returns the shell that a maker's name stands for. */
function shellIn(maker: string): number | undefined {
  const id = /^shell:(\d+)$/.exec(maker)?.[1];
  return id === undefined ? undefined : Number(id);
}

const SavedState = z.object({
  tiles: z.record(z.string(), z.object({ key: z.int(), type: z.string(), id: z.int() })),
  /** Most recently focused first. */
  workspaces: z.array(z.object({ recent: z.array(z.int()) })),
  active: z.int(),
});

const emptyState: z.infer<typeof SavedState> = { tiles: {}, workspaces: [], active: 0 };
