import { existsSync, readlinkSync, rmSync, symlinkSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { InRelayAnswer, InRelayCall } from "../../client/in-relay.ts";
import { listenPrivately } from "../system/listen-privately.ts";
import type { CommandRequest, FinishedCommand } from "./command-request.ts";

/** Longer command lines use the ordinary way. */
const MAX_BODY_BYTES = 16 * 1024;
/** Declines the request: nothing was executed. */
const DECLINED = 421;
/** In place of the line with exit code, length and errors: nothing was executed. */
const DECLINED_LINE = "declined 0 ..\n";
/** Heartbeat while a command runs. The caller gives up when none arrives, because the relay then hangs. */
const HEARTBEAT = `. ${".".repeat(61)}\n`;
const HEARTBEAT_INTERVAL_MS = 1000;

/** The relay of this process, as the command line calls it. */
interface QuickRelay {
  /** See `SurroundingRelay`. */
  readonly origin: string;
  /** See `SurroundingRelay`. `gone`: aborted when the caller has left. */
  call(call: InRelayCall, gone: AbortSignal): Promise<InRelayAnswer | undefined>;
}

/**
 * Serves the fast command line: `bin/service` sends its arguments over a Unix socket that only this user can open, and
 * this warm process runs the command line's own code. Returns a function that stops serving. `link` is a second name
 * for the socket, for programs that do not know this data folder.
 * The response is one stream of bytes, because older versions of curl give a script only the body and their exit code:
 * `HEARTBEAT` lines, then one line with the exit code, the length of the output and the text for stderr, then the output. A
 * short output is in that line too, because starting a program that copies it takes longer than reading it.
 */
export async function serveCommandSocket(
  socket: string,
  link: string | undefined,
  relay: QuickRelay,
): Promise<() => void> {
  const server = createServer({ keepAlive: false }, (request, response) => {
    respond(request, response, relay).catch((error: unknown) => response.destroy(error as Error));
  });
  // No timeout here: a command may wait for an hour and has its own timeout.
  server.requestTimeout = 0;
  const removeSocket = await listenPrivately(server, socket);
  const linked = link !== undefined && link !== socket ? link : undefined;
  if (linked !== undefined) {
    rmSync(linked, { force: true });
    symlinkSync(socket, linked);
  }
  return () => {
    removeSocket();
    // A link that resolves belongs to another relay.
    if (linked !== undefined && targetOf(linked) === socket && !existsSync(linked)) rmSync(linked, { force: true });
    server.close();
    server.closeAllConnections();
  };
}

function targetOf(link: string): string | undefined {
  try {
    return readlinkSync(link);
  } catch {
    return undefined;
  }
}

async function respond(request: IncomingMessage, response: ServerResponse, relay: QuickRelay): Promise<void> {
  // Loaded with the first command, so that the relay starts sooner.
  const [body, { answerLine, parseCommandRequest }] = await Promise.all([
    readBody(request),
    import("./command-request.ts"),
  ]);
  const command = body === undefined ? undefined : parseCommandRequest(body);
  if (command === undefined) {
    response.writeHead(DECLINED).end();
    return;
  }
  if (await hasHungUp(request)) return;
  const begin = () =>
    void (response.headersSent || response.writeHead(200, { "content-type": "application/octet-stream" }));
  const heartbeat = setInterval(() => {
    begin();
    response.write(HEARTBEAT);
  }, HEARTBEAT_INTERVAL_MS);
  const gone = new AbortController();
  // A sender that was killed ends its half of the connection; no sender does that by itself.
  for (const event of ["end", "close"]) request.socket.once(event, () => response.writableFinished || gone.abort());
  try {
    const finished = await run(command, relay, gone.signal);
    if (finished === undefined) {
      // The keychain may take longer than the first heartbeat; then only the result itself can decline.
      if (response.headersSent) response.end(DECLINED_LINE);
      else response.writeHead(DECLINED).end();
      return;
    }
    const { line, output } = answerLine(finished);
    begin();
    if (output.length > 0) response.write(line);
    response.end(output.length > 0 ? output : line);
  } finally {
    clearInterval(heartbeat);
  }
}

/** A caller that gave up while the relay was suspended has reported a failure, so the command must not run later. */
async function hasHungUp({ socket }: IncomingMessage): Promise<boolean> {
  await nextTurn();
  await nextTurn();
  return socket.destroyed || socket.readableEnded;
}

async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of request) {
    size += (piece as Buffer).length;
    if (size > MAX_BODY_BYTES) return undefined;
    pieces.push(piece as Buffer);
  }
  return Buffer.concat(pieces);
}

async function run(
  { args, env, program, isTTY, columns }: CommandRequest,
  relay: QuickRelay,
  gone: AbortSignal,
): Promise<FinishedCommand | undefined> {
  const [{ runProgram }, { NeedsOwnProcess }] = await Promise.all([
    import("../../cli/program.ts"),
    import("../../client/errors.ts"),
  ]);
  const [out, err]: [string[], string[]] = [[], []];
  try {
    const code = await runProgram({
      args,
      env,
      program,
      stdout: { write: (text) => void out.push(text), isTTY, columns },
      stderr: { write: (text) => void err.push(text) },
      // The socket does not identify the caller's shell, so the user's own key is not used here.
      inRelay: { origin: relay.origin, call: (asked) => relay.call(asked, gone) },
    });
    return { out: out.join(""), err: err.join(""), code };
  } catch (error) {
    if (error instanceof NeedsOwnProcess) return undefined;
    throw error;
  }
}
