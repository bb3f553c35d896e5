import type { ShellId } from "../protocol/ids.ts";
import type { Shell } from "../protocol/records.ts";
import { withoutTiles } from "../state/client-state.ts";
import type { CommandContext } from "./context.ts";

/** Reports whether a shell's tiles close: it ended with exit code 0 and `hold` is false. */
export function closesTilesOnExit({ running, exitCode, hold }: Shell): boolean {
  return !running && exitCode === 0 && hold === false;
}

/** Closes a new tile whose program ended before the tile was placed. */
export function closeTilesIfExited({ mirror, state }: CommandContext, shell: ShellId): void {
  const record = mirror.shells.find(({ id }) => id === shell);
  if (record === undefined || !closesTilesOnExit(record)) return;
  state.update((now) => {
    const keys = Object.values(now.tiles).flatMap((tile) =>
      tile.type === "shell" && tile.id === shell ? [tile.key] : [],
    );
    return keys.length === 0 ? now : withoutTiles(now, keys);
  });
}
