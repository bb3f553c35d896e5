import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { httpStatusOf } from "../../../core/protocol/errors.ts";
import type { CutReason, MetricsRecorder } from "../metrics/metrics-recorder.ts";
import { remoteNetwork } from "./remote-network.ts";

/** Limits of open connections. A connection is unauthenticated until a request on it has a valid key. */
export interface GateLimits {
  readonly unauthenticated: number;
  /** Unauthenticated connections from one network of another machine. */
  readonly unauthenticatedPerNetwork: number;
  /** Authenticated connections of one caller, so that several callers have to come together to reach `all`. */
  readonly perCaller: number;
  readonly all: number;
}

interface Connection {
  readonly socket: Socket;
  /** Without TLS, so that an error can be written to the socket. */
  readonly plain: boolean;
}

interface CountedConnection extends Connection {
  /** See `remoteNetwork`. */
  readonly network: string;
}

/** More than the kernel's backlog, so that a client that sends at once is never the oldest. */
const defaultLimits: GateLimits = { unauthenticated: 1024, unauthenticatedPerNetwork: 64, perCaller: 1024, all: 4096 };

const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/;
const SENTENCE = "Too many connections: try again, and send your key with the first request.\n";

/**
 * Limits connections so that idle ones cannot exclude others: when there are too many, it closes the oldest unauthenticated
 * one, or the caller's oldest. Connections are identified by address and port, which a TLS socket shares with the socket
 * below it.
 */
export class ConnectionGate {
  readonly #limits: GateLimits;
  readonly #metrics: Pick<MetricsRecorder, "cut">;
  readonly #unauthenticated = new Map<string, CountedConnection>();
  readonly #networks = new Map<string, number>();
  readonly #authenticated = new Map<string, CountedConnection>();
  /** Names of the authenticated connections of each caller, oldest first. */
  readonly #callers = new Map<string, Set<string>>();

  constructor(metrics: Pick<MetricsRecorder, "cut">, limits: Partial<GateLimits> = {}) {
    this.#metrics = metrics;
    this.#limits = { ...defaultLimits, ...limits };
  }

  /** Number of open connections. */
  get size(): { readonly unauthenticated: number; readonly authenticated: number } {
    return { unauthenticated: this.#unauthenticated.size, authenticated: this.#authenticated.size };
  }

  /** Admits a new connection, or closes it, or closes the oldest unauthenticated one in its place. */
  admit(connection: Connection): void {
    const { socket } = connection;
    const name = nameOf(socket);
    const network = remoteNetwork(socket.remoteAddress ?? "");
    const refusal = this.#refusal(socket, network);
    // A socket without an address has closed already.
    if (name === undefined) socket.destroy();
    else if (refusal !== undefined) this.#close(connection, refusal);
    else this.#add(connection, name, network);
  }

  #refusal({ remoteAddress = "" }: Socket, network: string): CutReason | undefined {
    const { unauthenticatedPerNetwork, all } = this.#limits;
    if (this.#authenticated.size + this.#unauthenticated.size >= all) return "too many connections";
    const crowded = (this.#networks.get(network) ?? 0) >= unauthenticatedPerNetwork;
    return crowded && !LOOPBACK.test(remoteAddress) ? "too many from one address" : undefined;
  }

  /**
   * Marks the connection of a request with a valid credential as authenticated. `caller`: who it is counted for; undefined
   * where another relay has let it in.
   */
  readonly markAuthenticated = ({ socket }: Pick<IncomingMessage, "socket">, caller: string | undefined): void => {
    const name = nameOf(socket) ?? "";
    const counted = this.#unauthenticated.get(name);
    if (counted === undefined) return;
    this.#removeUnauthenticated(name, counted);
    this.#authenticated.set(name, counted);
    if (caller !== undefined) this.#count(name, counted, caller);
  };

  #count(name: string, { socket }: CountedConnection, caller: string): void {
    const own = this.#callers.get(caller) ?? new Set();
    this.#callers.set(caller, own.add(name));
    socket.once("close", () => {
      own.delete(name);
      if (own.size === 0 && this.#callers.get(caller) === own) this.#callers.delete(caller);
    });
    const [oldest = ""] = own;
    const other = this.#authenticated.get(oldest);
    if (own.size <= this.#limits.perCaller || other === undefined) return;
    own.delete(oldest);
    this.#authenticated.delete(oldest);
    this.#close(other, "too many connections");
  }

  #add(connection: Connection, name: string, network: string): void {
    const counted = { ...connection, network };
    this.#unauthenticated.set(name, counted);
    this.#networks.set(network, (this.#networks.get(network) ?? 0) + 1);
    connection.socket.once("close", () => {
      this.#removeUnauthenticated(name, counted);
      // A new connection may have the same port already.
      if (this.#authenticated.get(name) === counted) this.#authenticated.delete(name);
    });
    if (this.#unauthenticated.size <= this.#limits.unauthenticated) return;
    for (const [oldest, other] of this.#unauthenticated) {
      this.#removeUnauthenticated(oldest, other);
      this.#close(other, "too many connections");
      return;
    }
  }

  #removeUnauthenticated(name: string, counted: CountedConnection): void {
    if (this.#unauthenticated.get(name) !== counted) return;
    this.#unauthenticated.delete(name);
    const left = (this.#networks.get(counted.network) ?? 1) - 1;
    if (left === 0) this.#networks.delete(counted.network);
    else this.#networks.set(counted.network, left);
  }

  /** Closes a connection, with an error response if nothing was sent on it yet. */
  #close({ socket, plain }: Connection, reason: CutReason): void {
    this.#metrics.cut(reason);
    if (plain && socket.writable && socket.bytesWritten === 0) {
      const code = "too_many_connections";
      socket.write(
        `HTTP/1.1 ${httpStatusOf(code)} Service Unavailable\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: ${SENTENCE.length}\r\nX-Service-Error: ${code}\r\nRetry-After: 1\r\nConnection: close\r\n\r\n${SENTENCE}`,
      );
    }
    socket.destroySoon();
  }
}

function nameOf({ remoteAddress, remotePort }: Pick<Socket, "remoteAddress" | "remotePort">): string | undefined {
  return remoteAddress === undefined ? undefined : `${remoteAddress} ${remotePort}`;
}
