import { chmodSync, rmSync, symlinkSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { QuickRequest } from "./quick-request.ts";

/** Longer command lines go the usual way; so the answer's headers stay far below what curl takes (100 KiB). */
const MOST_BYTES = 16 * 1024;
/** "Do it yourself": nothing was executed. */
const DECLINED = 421;

/**
 * Serves the fast command line: `bin/patchbay` hands its words over a Unix socket that only this user can open, and the
 * command line's own code is run here, in the process that is warm. Answers how to stop. `link` is another name for it,
 * where programs look that know nothing of this data folder.
 */
export async function serveQuickCommands(socket: string, link: string | undefined): Promise<() => void> {
  const server = createServer({ keepAlive: false }, (request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  // A command may wait for an hour; it brings its own timeout.
  server.requestTimeout = 0;
  rmSync(socket, { force: true });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(socket, resolve);
  });
  chmodSync(socket, 0o600);
  if (link !== undefined && link !== socket) {
    rmSync(link, { force: true });
    symlinkSync(socket, link);
  }
  return () => {
    server.close();
    server.closeAllConnections();
    rmSync(socket, { force: true });
    if (link !== undefined) rmSync(link, { force: true });
  };
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  // Loaded with the first command: the relay starts sooner without.
  const [body, { escapedForPrintf, parseQuickRequest }] = await Promise.all([
    bodyOf(request),
    import("./quick-request.ts"),
  ]);
  const asked = body === undefined ? undefined : parseQuickRequest(body);
  if (asked === undefined) {
    response.writeHead(DECLINED).end();
    return;
  }
  const { out, err, code } = await run(asked);
  const bytes = Buffer.from(out);
  response.writeHead(200, {
    "content-length": bytes.length,
    "x-exit": code,
    // A header loses spaces at its ends.
    "x-err": `.${escapedForPrintf(err)}.`,
  });
  response.end(bytes);
}

async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of request) {
    size += (piece as Buffer).length;
    if (size > MOST_BYTES) return undefined;
    pieces.push(piece as Buffer);
  }
  return Buffer.concat(pieces);
}

async function run({
  args,
  env,
  program,
  isTTY,
  columns,
}: QuickRequest): Promise<{ out: string; err: string; code: number }> {
  const { runProgram } = await import("../cli/program.ts");
  const [out, err]: [string[], string[]] = [[], []];
  const code = await runProgram({
    args,
    env,
    program,
    out: { write: (text) => void out.push(text), isTTY, columns },
    err: { write: (text) => void err.push(text) },
  });
  return { out: out.join(""), err: err.join(""), code: code ?? 0 };
}
