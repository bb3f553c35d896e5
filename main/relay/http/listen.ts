import { createServer } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { Socket } from "node:net";
import { type Duplex, duplexPair } from "node:stream";
import { WebSocketServer } from "ws";
import { RemoteError } from "../../../core/protocol/errors.ts";
import type { TokenBuckets } from "../../../core/protocol/rate-limits.ts";
import { type ReservedPort, reservePort } from "../../system/reserve-port.ts";
import type { MetricsRecorder } from "../metrics/metrics-recorder.ts";
import { socketLink, socketOptions } from "../net/client-socket.ts";
import type { ConnectionGate } from "../net/connection-gate.ts";
import { addressOf, type FleetPeer, markFleetPeer } from "../net/fleet-peer.ts";
import { refuseSocket } from "../net/send.ts";
import type { Certificate } from "../tls/certificate.ts";
import { type AdmitClient, takePageKey } from "./admit-client.ts";
import type { HttpApp } from "./app-messages.ts";
import { AuthError } from "./auth.ts";
import type { ForeignSessions } from "./foreign-sessions.ts";

/** The relay cannot listen at an address; the message is for the user. */
export class AddressError extends Error {
  override readonly name: string = "AddressError";
}

/** The port is in use by another program. */
class PortTakenError extends AddressError {
  override readonly name = "PortTakenError";

  constructor(port: number, { outside = false } = {}) {
    super(
      outside
        ? `Port ${port} is taken: stop what uses it, or choose another with --listen ADDRESS:PORT (0 picks a free one).`
        : `Port ${port} is taken: stop what uses it, or choose another with --port (0 picks a free one).`,
    );
  }
}

/** An address of the relay. */
export interface Address {
  readonly port: number;
  readonly host: string;
}

/** Where to listen. With a certificate the server uses TLS and is for other machines. */
export interface ListenAddress {
  readonly address: ReservedAddress;
  readonly certificate?: Certificate | undefined;
}

/** An address that the process listens on already, so that a start fails early if its port is taken. */
export interface ReservedAddress extends ReservedPort {
  readonly host: string;
}

/**
 * Starts to listen; connections wait until the address is served. `outside`: the address is for other machines. Rejects
 * with a PortTakenError or another AddressError.
 */
export async function reserveAddress({ port, host }: Address, { outside = false } = {}): Promise<ReservedAddress> {
  try {
    return { ...(await reservePort({ port, host })), host };
  } catch (error) {
    throw addressError(error as NodeJS.ErrnoException, { port, host, outside });
  }
}

export interface RunningServer {
  readonly url: string;
  readonly port: number;
  /** Opens a connection in memory for a relay of the fleet that passes a request on; for an address without TLS. */
  open(peer: FleetPeer): Duplex;
  /** Uses this certificate for new connections. */
  renew(certificate: Certificate): void;
  /** Stops listening and closes every connection. */
  close(): Promise<void>;
}

/** Time limits in milliseconds for what a peer sends. Responses have none: some commands wait for an hour. */
export interface ArrivalTimeouts {
  readonly headers: number;
  /** A whole request, headers included. */
  readonly request: number;
  /** A client's first frame after its WebSocket has opened. */
  readonly hello: number;
  /** How often late requests are searched for. */
  readonly checkEvery: number;
}

export const defaultArrivalTimeouts: ArrivalTimeouts = {
  headers: 10_000,
  request: 30_000,
  hello: 10_000,
  checkEvery: 2_000,
};

interface ListenOptions {
  readonly app: HttpApp;
  readonly admit: AdmitClient;
  /** Takes the opening of a WebSocket that is for another relay, and returns true. @see ForeignSessions */
  readonly upgradeElsewhere: ForeignSessions["upgrade"];
  readonly gate: ConnectionGate;
  /** The budgets of what callers' clients send, whichever address they use. */
  readonly frames: TokenBuckets;
  readonly metrics: MetricsRecorder;
  readonly timeouts: ArrivalTimeouts;
}

/** Serves HTTP and the clients' WebSockets at an address. */
export async function listen(
  { app, admit, upgradeElsewhere, gate, frames, metrics, timeouts }: ListenOptions,
  { address, certificate }: ListenAddress,
): Promise<RunningServer> {
  const { handle, messages } = app;
  const serverOptions = {
    headersTimeout: timeouts.headers,
    requestTimeout: timeouts.request,
    connectionsCheckingInterval: timeouts.checkEvery,
    // Node would refuse a request without a Host header with an empty body; the app does with a sentence.
    requireHostHeader: false,
    IncomingMessage: messages.Request,
    ServerResponse: messages.Response,
  };
  const tls =
    certificate === undefined
      ? undefined
      : createTlsServer({ ...tlsOptions(certificate), ...serverOptions, handshakeTimeout: timeouts.headers }, handle);
  const server = tls ?? createServer(serverOptions, handle);
  server.keepAliveTimeout = 60_000;
  // An unknown `Expect` may be ignored (RFC 9110 §10.1.1); Node would refuse it with an empty body.
  server.on("checkExpectation", handle);
  server.on("connection", (socket) => {
    // What this process opens itself takes nobody's place.
    if (socket instanceof Socket) gate.admit({ socket, plain: tls === undefined });
  });
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    const { code = "" } = error;
    if (code === "ERR_HTTP_REQUEST_TIMEOUT") {
      metrics.cut("slow request");
      refuseSocket(socket, "slow_request", "The request did not arrive as a whole in time: send it at once.");
    } else if (code === "HPE_HEADER_OVERFLOW") {
      // A server on another port of the host can fill a browser with cookies until no request of its pages fits.
      const headers = { "Clear-Site-Data": '"cookies"' };
      refuseSocket(socket, "headers_too_large", "The request's headers are over 16 KiB: send less.", headers);
    } else if (tls !== undefined && !code.startsWith("HPE_")) {
      // A non-TLS client cannot read a TLS alert.
      socket.destroy();
    } else refuseSocket(socket, "invalid_request", "The request is not valid HTTP.");
  });
  const sockets = new WebSocketServer({ noServer: true, ...socketOptions });
  sockets.on("wsClientError", (error, socket) => refuseSocket(socket, "invalid_request", `${error.message}.`));
  server.on("upgrade", (request, socket, head) => {
    socket.on("error", () => socket.destroy());
    const refuse = (error: unknown) => {
      const known = error instanceof RemoteError ? error : new RemoteError("internal", "The relay failed to do this.");
      refuseSocket(socket, known.code, known.message, error instanceof AuthError ? error.headers : {});
    };
    takePageKey(request);
    const accepted = (caller?: string) => gate.markAuthenticated(request, caller);
    try {
      if (upgradeElsewhere(request, socket, head, { refuse, accepted })) return;
      const [session, identity] = admit(request);
      accepted(identity.account);
      sockets.handleUpgrade(request, socket, head, (webSocket) =>
        session.clients.join(
          socketLink(webSocket, { metrics, helloMs: timeouts.hello, frames: frames.of(identity.account) }),
          identity,
        ),
      );
    } catch (error) {
      refuse(error);
    }
  });
  await address.serve(server);
  const { host, port } = address;
  return {
    url: `${tls === undefined ? "http" : "https"}://${host.includes(":") ? `[${host}]` : host}:${port}`,
    port,
    open(peer) {
      const [near, far] = duplexPair();
      // Neither end of a pair tells the other that it was destroyed.
      near.once("close", () => far.destroy());
      far.once("close", () => {
        if (!far.writableFinished) near.destroy();
      });
      markFleetPeer(far, peer);
      Object.defineProperty(far, "remoteAddress", { value: addressOf(peer) });
      server.emit("connection", far);
      return near;
    },
    renew: (renewed) => tls?.setSecureContext(tlsOptions(renewed)),
    close() {
      for (const socket of sockets.clients) socket.terminate();
      sockets.close();
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function tlsOptions({ cert, key }: Certificate) {
  return { cert, key, minVersion: "TLSv1.2" } as const;
}

function addressError(
  error: NodeJS.ErrnoException,
  { port, host, outside }: Address & { readonly outside: boolean },
): Error {
  switch (error.code) {
    case "EADDRINUSE":
      return new PortTakenError(port, { outside });
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return new AddressError(`--listen: ${host} is no address of this machine.`);
    case "EACCES":
      return new AddressError(`Port ${port} may be used by the administrator only: choose one above 1023.`);
    default:
      return error;
  }
}
