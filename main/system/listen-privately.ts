import { chmodSync, lstatSync, renameSync, rmSync } from "node:fs";
import type { Server } from "node:net";
import { dirname, join } from "node:path";

/**
 * Listens on a Unix socket that only this user may open, in place of any that is there. The socket is bound under another
 * name and renamed: it appears with its final mode, and closing the server, which unlinks the name that it was bound to,
 * leaves alone what another process has put there since.
 *
 * @param path at most as long as the system allows; its last part is at least 10 bytes long
 * @returns removes the socket, but not another process's; to be called before the server is closed, because the number
 *   of a closed socket's file may be given to the next one
 */
export async function listenPrivately(server: Server, path: string): Promise<() => void> {
  // No longer than the final name, whose length is near the system's limit.
  const bound = join(dirname(path), `.${process.pid}`);
  rmSync(bound, { force: true });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(bound, resolve);
  });
  try {
    chmodSync(bound, 0o600);
    const own = lstatSync(bound, { bigint: true }).ino;
    renameSync(bound, path);
    return () => {
      if (lstatSync(path, { bigint: true, throwIfNoEntry: false })?.ino === own) rmSync(path, { force: true });
    };
  } catch (error) {
    server.close();
    throw error;
  }
}
