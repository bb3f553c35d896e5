import type { ShellId } from "../protocol/ids.ts";
import type { Shell } from "../protocol/records.ts";
import { withoutTiles } from "../state/client-state.ts";
import type { CommandContext } from "./context.ts";

/** Whether a shell's tiles close: it ended well, and nobody asked to keep them. */
export function closesItsTiles({ running, exitCode, hold }: Shell): boolean {
  return !running && exitCode === 0 && hold === false;
}

/** Closes the tile that was just made for a program that ended before there was one. */
export function dropIfDone({ mirror, state }: CommandContext, shell: ShellId): void {
  const record = mirror.shells.find(({ id }) => id === shell);
  if (record === undefined || !closesItsTiles(record)) return;
  state.update((now) => {
    const keys = Object.values(now.tiles).flatMap((tile) =>
      tile.type === "shell" && tile.id === shell ? [tile.key] : [],
    );
    return keys.length === 0 ? now : withoutTiles(now, keys);
  });
}
