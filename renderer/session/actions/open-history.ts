import type { ShellId } from "../../../core/protocol/ids.ts";
import type { View } from "../view/view.ts";

/** A place in what a shell has printed, and the characters to select there; without an offset: its end. */
interface Place {
  readonly shell: ShellId;
  readonly offset?: number | undefined;
  readonly length?: number | undefined;
}

/**
 * Shows a place of a shell's history in a tile: in that of the same shell that is there, so that a walk through results
 * leaves one. Returns whether it could be opened.
 */
export async function openHistory(view: View, { shell, ...place }: Place): Promise<boolean> {
  const { tiles } = view.host.snapshot().state;
  const old = Object.values(tiles).find(({ type, id }) => type === "history" && id === shell);
  const where = old === undefined ? {} : { tile: old.key, place: "instead" };
  return (await view.run("openTile", { type: "history", shell, ...place, ...where })) !== undefined;
}
