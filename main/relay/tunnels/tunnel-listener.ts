import { Agent, createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo, LookupFunction, Socket } from "node:net";
import { ProxyServer } from "httpxy";
import { RemoteError } from "../../../core/protocol/errors.ts";
import { refuseSocket } from "../net/refuse-socket.ts";
import { sendError } from "../net/send.ts";
import type { Certificate } from "../tls/certificate.ts";
import { towardsBrowser, towardsProgram } from "./tunnel-headers.ts";

/** How long a program may take to accept a WebSocket. */
const UPGRADE_TIMEOUT_MS = 30_000;
const MOST_CONNECTIONS = 512;
/** Who connects is to say at once what for. */
const patience = { headersTimeout: 10_000, connectionsCheckingInterval: 2_000 } as const;

export interface DoorOptions {
  /** The program's port. */
  readonly port: number;
  /** Loopback addresses at which it answers now, the surest first. */
  readonly addresses: () => readonly string[];
  /** Where browsers come in; `wish` is the port to take if it is free. */
  readonly at: { readonly host: string; readonly wish?: number | undefined; readonly certificate?: Certificate };
  /** Throws a RemoteError when the request may not pass. */
  readonly check: (asked: Asked) => void;
}

/** What there is to check of a request, as it came. */
export type Asked = Pick<IncomingMessage, "headers" | "method" | "socket">;

/** One tunnel's own origin: a port that leads browsers to one program of this machine and nowhere else. */
export interface TunnelDoor {
  readonly port: number;
  /** Checks again what is open, and cuts what may not stay: an event stream or a WebSocket can last for days. */
  recheck(): void;
  close(): Promise<void>;
}

/** Opens a door; rejects when there is no free port. HTTP, WebSockets and streams pass; redirects are not followed. */
export async function openTunnelDoor({ port, addresses, at, check }: DoorOptions): Promise<TunnelDoor> {
  const agent = new Agent({ keepAlive: true, lookup: loopbackOnly(addresses), autoSelectFamily: true });
  const proxy = new ProxyServer<IncomingMessage>({
    target: { protocol: "http:", host: "localhost", port },
    agent,
    upgradeTimeout: UPGRADE_TIMEOUT_MS,
  });
  proxy.on("proxyRes", ({ headers }) => towardsBrowser(headers, port));
  proxy.on("proxyReqWs", (sent) => {
    sent.prependListener("upgrade", ({ headers }: IncomingMessage) => towardsBrowser(headers, port));
    sent.prependListener("response", ({ headers }: IncomingMessage) => towardsBrowser(headers, port));
  });
  const open = new Map<Socket, Asked>();
  const admit = (request: IncomingMessage) => {
    const { socket, method } = request;
    const asked = { socket, method, headers: { ...request.headers } };
    check(asked);
    if (!open.has(socket)) socket.once("close", () => open.delete(socket));
    open.set(socket, asked);
    towardsProgram(request.headers, port);
  };
  const answer: RequestListener = (request, response) => {
    try {
      admit(request);
      proxy.web(request, response).catch(() => sendError(response, notAnswering(port)));
    } catch (error) {
      sendError(response, refusal(error));
    }
  };
  const server =
    at.certificate === undefined
      ? createServer(patience, answer)
      : createTlsServer(
          { cert: at.certificate.cert, key: at.certificate.key, minVersion: "TLSv1.2", ...patience },
          answer,
        );
  server.on("upgrade", (request: IncomingMessage, socket: Socket, head: Buffer) => {
    socket.on("error", () => socket.destroy());
    try {
      admit(request);
      proxy.ws(request, socket, {}, head).catch(() => refuse(socket, notAnswering(port)));
    } catch (error) {
      refuse(socket, refusal(error));
    }
  });
  server.maxConnections = MOST_CONNECTIONS;
  await listening(server, at.host, at.wish);
  return {
    port: (server.address() as AddressInfo).port,
    recheck() {
      for (const [socket, asked] of open) {
        try {
          check(asked);
        } catch {
          socket.destroy();
        }
      }
    },
    close() {
      agent.destroy();
      for (const socket of open.keys()) socket.destroy();
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** Whatever name is asked for, only the program's own loopback addresses are connected to. */
function loopbackOnly(addresses: () => readonly string[]): LookupFunction {
  return (_name, options, done) => {
    const known = addresses().map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
    const [first] = known;
    if (first === undefined) done(new Error("nothing listens there"), "", 4);
    else if (options.all === true) done(null, known);
    else done(null, first.address, first.family);
  };
}

async function listening(server: Server, host: string, wish = 0): Promise<void> {
  const listen = (port: number) =>
    new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(port, host, () => {
        server.off("error", reject);
        resolve();
      });
    });
  if (wish === 0) return listen(0);
  return listen(wish).catch(() => listen(0));
}

function refuse(socket: Socket, { code, message }: RemoteError): void {
  refuseSocket(socket, code, message);
}

function refusal(error: unknown): RemoteError {
  return error instanceof RemoteError ? error : new RemoteError("internal", "The relay failed to do this.");
}

function notAnswering(port: number): RemoteError {
  return new RemoteError("tunnel_failed", `The program on port ${port} does not answer, or ended its answer early.`);
}
