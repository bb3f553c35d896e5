import { sizeInCells } from "../commands/place-tile.ts";
import { rectanglesOf } from "../layout/geometry.ts";
import type { ShellId } from "../protocol/ids.ts";
import type { Client } from "./client.ts";

interface Size {
  readonly cols: number;
  readonly rows: number;
}

/**
 * Resizes the client's own shells to their tiles whenever the layout changes, for a client without a view. A shell that
 * another client resized keeps that size until its tile here changes. Returns an unsubscribe function.
 */
export function followTileSizes(client: Client, viewport: () => Size): () => void {
  const sent = new Map<ShellId, Size>();
  let scheduled = false;
  const sendSizes = () => {
    scheduled = false;
    const { mirror, self } = client;
    if (!client.connected || mirror === undefined || self === undefined) return;
    for (const { id, cols, rows, running, ownerClientId } of mirror.shells) {
      const size = tileSize(client, id, viewport());
      const before = sent.get(id);
      if (size === undefined || !running || (ownerClientId !== null && ownerClientId !== self.id)) sent.delete(id);
      else if (before?.cols !== size.cols || before.rows !== size.rows) {
        sent.set(id, size);
        // The shell may have ended in the meantime.
        if (cols !== size.cols || rows !== size.rows) client.ask("resizeShell", { shell: id, ...size }).catch(() => {});
      }
    }
  };
  return client.subscribe(() => {
    if (scheduled) return;
    scheduled = true;
    // One command may change the layout several times.
    void Promise.resolve().then(sendSizes);
  });
}

/** Returns the size of the first tile that shows the shell; undefined if no tile does. */
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
