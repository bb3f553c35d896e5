import { Agent, createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo, LookupFunction, Socket } from "node:net";
import { RemoteError } from "../../../core/protocol/errors.ts";
import { ConnectionGate } from "../net/connection-gate.ts";
import { requestClass } from "../net/request-class.ts";
import { refuseSocket, sendError } from "../net/send.ts";
import type { Certificate } from "../tls/certificate.ts";
import { isTunnelEntry, serveTunnelEntry } from "./tunnel-entry.ts";
import type { TunnelGate } from "./tunnel-gate.ts";
import { rewriteRequestHeaders, rewriteResponse } from "./tunnel-headers.ts";
import type { TunnelPlace, TunnelRequest } from "./tunnel-passes.ts";

/** Time that a program has to accept a WebSocket. */
const UPGRADE_TIMEOUT_MS = 30_000;
/** Connections without a valid pass give way to others, and a guest's oldest to the guest's own. */
const CONNECTIONS = { unauthenticated: 256, perCaller: 128, all: 512 } as const;
/** The metrics count what is cut at the relay's own listeners. */
const uncounted = { cut: () => undefined };
/** A connection must send its request within 10 s. */
const serverTimeouts = { headersTimeout: 10_000, connectionsCheckingInterval: 2_000 } as const;
const TunnelledRequest = requestClass();

export interface TunnelListenerOptions {
  /** Returns the loopback addresses at which it listens now, preferred first. */
  readonly addresses: () => readonly string[];
  /** Address for browsers; `preferredPort` is used if it is free. */
  readonly at: {
    readonly address: string;
    readonly preferredPort?: number | undefined;
    readonly certificate?: Certificate;
  };
  readonly place: TunnelPlace;
  readonly gate: TunnelGate;
}

/** A tunnel's own origin: a port that forwards to one program of this machine only. */
export interface TunnelListener {
  readonly port: number;
  /** Host name of its own; undefined for a port of the relay's host. */
  readonly host: string | undefined;
  /** Repeats the check of open connections and cuts those that fail it: an event stream or a WebSocket can last for days. */
  recheck(): void;
  close(): Promise<void>;
}

/**
 * Starts a tunnel for HTTP, WebSockets and streams; redirects are not followed. Rejects if no port is free.
 */
export async function openTunnelListener({
  addresses,
  at,
  place,
  gate,
}: TunnelListenerOptions): Promise<TunnelListener> {
  const { port, host } = place;
  const check = (request: TunnelRequest) => gate.check(request, place);
  const rewriting = { ownHost: host !== undefined };
  // Loaded for the first tunnel: it loads HTTP/2, which takes as long as all routes of the relay.
  const { ProxyServer } = await import("httpxy");
  const agent = new Agent({ keepAlive: true, lookup: loopbackOnly(addresses), autoSelectFamily: true });
  const proxy = new ProxyServer<IncomingMessage>({
    target: { protocol: "http:", host: "localhost", port },
    agent,
    upgradeTimeout: UPGRADE_TIMEOUT_MS,
  });
  const rewrite = (response: IncomingMessage) => rewriteResponse(response, port, rewriting);
  proxy.on("proxyRes", rewrite);
  // A program that changes the protocol without being asked to answers nothing that could be passed on.
  proxy.on("proxyReq", (sent, _request, response) =>
    sent.once("upgrade", (_answer, socket) => {
      socket.destroy();
      sendError(response, notAnswering(port));
    }),
  );
  proxy.on("proxyReqWs", (sent, _request, socket) => {
    // The proxy itself ends the connection before it tells of the error.
    const tell = () => refuse(socket, notAnswering(port));
    sent.prependListener("error", tell);
    sent.once("upgrade", () => sent.off("error", tell));
    sent.prependListener("upgrade", rewrite);
    sent.prependListener("response", rewrite);
  });
  const open = new Map<Socket, TunnelRequest>();
  const connections = new ConnectionGate(uncounted, CONNECTIONS);
  const admit = (request: IncomingMessage) => {
    const { socket, method, rawHeaders, url } = request;
    const checked = { socket, method, rawHeaders, url, headers: { ...request.headers } };
    connections.markAuthenticated(request, check(checked));
    if (!open.has(socket)) socket.once("close", () => open.delete(socket));
    open.set(socket, checked);
    rewriteRequestHeaders(request.headers, port);
  };
  const handle: RequestListener = (request, response) => {
    try {
      if (host !== undefined && isTunnelEntry(request)) {
        gate.checkSite(request, place);
        const passes = { admit: (secret: string) => gate.cookie(secret, place), check };
        serveTunnelEntry(request, response, passes).catch((error) => sendError(response, toRemoteError(error)));
        return;
      }
      admit(request);
      proxy.web(request, response).catch(() => sendError(response, notAnswering(port)));
    } catch (error) {
      sendError(response, toRemoteError(error));
    }
  };
  const serverOptions = { ...serverTimeouts, IncomingMessage: TunnelledRequest };
  const server =
    at.certificate === undefined
      ? createServer(serverOptions, handle)
      : createTlsServer(
          { cert: at.certificate.cert, key: at.certificate.key, minVersion: "TLSv1.2", ...serverOptions },
          handle,
        );
  server.on("upgrade", (request: IncomingMessage, socket: Socket, head: Buffer) => {
    socket.on("error", () => socket.destroy());
    try {
      admit(request);
      proxy.ws(request, socket, {}, head).catch(() => refuse(socket, notAnswering(port)));
    } catch (error) {
      refuse(socket, toRemoteError(error));
    }
  });
  server.on("connection", (socket) => connections.admit({ socket, plain: at.certificate === undefined }));
  await startListening(server, at.address, at.preferredPort);
  return {
    port: (server.address() as AddressInfo).port,
    host,
    recheck() {
      for (const [socket, request] of open) {
        try {
          check(request);
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

/** Resolves every name to the program's own loopback addresses. */
function loopbackOnly(addresses: () => readonly string[]): LookupFunction {
  return (_name, options, done) => {
    const known = addresses().map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
    const [first] = known;
    if (first === undefined) done(new Error("nothing listens there"), "", 4);
    else if (options.all === true) done(null, known);
    else done(null, first.address, first.family);
  };
}

async function startListening(server: Server, host: string, preferredPort = 0): Promise<void> {
  const listen = (port: number) =>
    new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(port, host, () => {
        server.off("error", reject);
        resolve();
      });
    });
  if (preferredPort === 0) return listen(0);
  return listen(preferredPort).catch(() => listen(0));
}

function refuse(socket: Socket, { code, message }: RemoteError): void {
  refuseSocket(socket, code, message);
}

function toRemoteError(error: unknown): RemoteError {
  return error instanceof RemoteError ? error : new RemoteError("internal", "The relay failed to do this.");
}

function notAnswering(port: number): RemoteError {
  return new RemoteError("tunnel_failed", `The program on port ${port} does not answer, or ended its answer early.`);
}
