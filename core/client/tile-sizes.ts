import { sizeInCells } from "../commands/place-tile.ts";
import { rectanglesOf } from "../layout/geometry.ts";
import type { ShellId } from "../protocol/ids.ts";
import type { Client } from "./client.ts";

interface Size {
  readonly cols: number;
  readonly rows: number;
}

/**
 * Gives the client's own shells the size of their tiles whenever the layout changes it, for a client without a view
 * that would. A shell that was resized by somebody else keeps that size until its tile here changes. Returns an
 * unsubscribe function.
 */
export function followTileSizes(client: Client, viewport: () => Size): () => void {
  const told = new Map<ShellId, Size>();
  let due = false;
  const look = () => {
    due = false;
    const { mirror, self } = client;
    if (!client.connected || mirror === undefined || self === undefined) return;
    for (const { id, cols, rows, running, ownerClientId } of mirror.shells) {
      const size = tileSize(client, id, viewport());
      const before = told.get(id);
      if (size === undefined || !running || (ownerClientId !== null && ownerClientId !== self.id)) told.delete(id);
      else if (before?.cols !== size.cols || before.rows !== size.rows) {
        told.set(id, size);
        // A shell that ends meanwhile needs no size.
        if (cols !== size.cols || rows !== size.rows) client.ask("resizeShell", { shell: id, ...size }).catch(() => {});
      }
    }
  };
  return client.subscribe(() => {
    if (due) return;
    due = true;
    // A command may change the layout several times before it is done.
    void Promise.resolve().then(look);
  });
}

/** The size of the first tile that shows a shell; undefined where none does. */
function tileSize({ state: { now } }: Client, shell: ShellId, viewport: Size): Size | undefined {
  for (const workspace of now.workspaces) {
    const rectangle = rectanglesOf(workspace).find(({ key }) => {
      const tile = now.tiles[key];
      return tile?.type === "shell" && tile.id === shell;
    });
    if (rectangle !== undefined) return sizeInCells(viewport, rectangle);
  }
  return undefined;
}
