import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

export interface FolderServer extends AsyncDisposable {
  readonly url: string;
  /** Every path that was asked for, with its query. */
  readonly requested: readonly string[];
}

/**
 * Serves pages of the test's own over loopback, by path below "/"; what is not among them comes from the folder.
 *
 * @param redirections addresses to redirect to, by path
 */
export async function serveFolder(
  folder: string,
  pages: Readonly<Record<string, string>> = {},
  redirections: Readonly<Record<string, string>> = {},
): Promise<FolderServer> {
  const requested: string[] = [];
  const server = createServer((request, response) => {
    requested.push(request.url ?? "/");
    const path = (request.url ?? "/").slice(1);
    if (Object.hasOwn(redirections, path)) {
      response.writeHead(302, { location: redirections[path] }).end();
      return;
    }
    const body = Object.hasOwn(pages, path) ? Promise.resolve(pages[path] ?? "") : readFile(join(folder, path));
    body.then(
      (found) => response.end(found),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    requested,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
