import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { WebSocketServer } from "ws";
import { type ErrorCode, httpStatusOf, RemoteError } from "../../../core/protocol/errors.ts";
import type { Role } from "../../../core/protocol/records.ts";
import { socketLink, socketOptions } from "../client-socket.ts";
import type { Session } from "../session.ts";
import type { Identity } from "../session-clients.ts";
import { type AppParts, createApp } from "./app.ts";
import { AuthError, checkOwner } from "./auth.ts";
import { guestSecretOf } from "./guest-cookie.ts";
import { checkOrigin } from "./origin-guard.ts";

/** The port is in use by another program. */
export class PortTakenError extends Error {
  override readonly name = "PortTakenError";

  constructor(port: number) {
    super(`Port ${port} is taken: stop what uses it, or choose another with --port (0 picks a free one).`);
  }
}

export interface Listening {
  readonly url: string;
  readonly port: number;
  /** Stops listening and cuts every connection. */
  close(): Promise<void>;
}

/** Serves HTTP and the clients' WebSockets on the loopback address. Rejects with a PortTakenError. */
export async function listen(parts: AppParts, { port, host }: { port: number; host: string }): Promise<Listening> {
  const server = createServer(createApp(parts));
  server.keepAliveTimeout = 60_000;
  server.on("clientError", (_error, socket) =>
    refuseSocket(socket, "malformed_json", "The request is not valid HTTP."),
  );
  const sockets = new WebSocketServer({ noServer: true, ...socketOptions });
  server.on("upgrade", (request, socket, head) => {
    socket.on("error", () => socket.destroy());
    try {
      const [session, identity] = admitted(request, parts);
      sockets.handleUpgrade(request, socket, head, (webSocket) =>
        session.clients.join(socketLink(webSocket), identity),
      );
    } catch (error) {
      const known = error instanceof RemoteError ? error : new RemoteError("internal", "The relay failed to do this.");
      refuseSocket(socket, known.code, known.message, error instanceof AuthError ? error.headers : {});
    }
  });
  await started(server, port, host);
  const { port: actual } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${actual}`,
    port: actual,
    close() {
      for (const socket of sockets.clients) socket.terminate();
      sockets.close();
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/**
 * Where clients connect: `/v1/sessions/{id}/socket` with an API key of the session's owner, `/s/{id}/socket` with the
 * cookie of a browser that came in by an invite.
 */
function admitted(request: IncomingMessage, { sessions, auth, guests, basePath }: AppParts): [Session, Identity] {
  checkOrigin(request);
  const path = new URL(request.url ?? "/", "http://relay").pathname;
  const below = basePath !== "" && path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : path;
  const [, place, id] = /^\/(v1\/sessions|s)\/([^/]+)\/socket$/.exec(below) ?? [];
  if (id === undefined) throw new RemoteError("unknown_route", "No such path for a WebSocket.");
  if (place === "s") {
    const secret = guestSecretOf(request, id) ?? "";
    const guest = guests.guest(secret);
    // Browsers always say where a WebSocket comes from; without that word the cookie counts for nothing.
    if (guest === undefined || guest.session !== id || request.headers.origin === undefined) {
      throw new AuthError("unauthenticated", "This browser has not been let in: open an invite link.", {});
    }
    const admission = {
      changeRole: (role: Role) => guests.changeRole(secret, role),
      end: () => guests.remove(secret),
    };
    return [sessions.get(id), { name: guest.name, role: guest.role, admission }];
  }
  const principal = auth.apiKey(request);
  const session = sessions.get(id);
  checkOwner(principal, session);
  if (principal.shell === undefined) return [session, { name: principal.user, role: "admin" }];
  throw new RemoteError("scope_forbids", "A shell's token may not connect a client: use an API key of yours.");
}

function refuseSocket(socket: Duplex, code: ErrorCode, message: string, headers: Record<string, string> = {}): void {
  if (!socket.writable) return;
  const lines = [
    `HTTP/1.1 ${httpStatusOf(code)} Refused`,
    "Content-Type: text/plain; charset=utf-8",
    `Content-Length: ${Buffer.byteLength(message) + 1}`,
    `X-Service-Error: ${code}`,
    "Connection: close",
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  socket.end(`${lines.join("\r\n")}\r\n\r\n${message}\n`);
}

function started(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      reject(error.code === "EADDRINUSE" ? new PortTakenError(port) : error);
    });
    server.listen(port, host, () => resolve());
  });
}
