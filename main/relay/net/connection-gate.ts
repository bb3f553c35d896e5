import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { httpStatusOf } from "../../../core/protocol/errors.ts";
import type { CutReason, MetricsRecorder } from "../metrics/metrics-recorder.ts";
import { remoteNetwork } from "./remote-network.ts";

/** How many connections are borne. A stranger is one on which nobody has shown a good key yet. */
export interface GateLimits {
  readonly strangers: number;
  /** Of the strangers, from one address of another machine. */
  readonly strangersPerNetwork: number;
  readonly all: number;
}

interface Connection {
  readonly socket: Socket;
  /** It speaks HTTP without TLS, so it can be told why it is cut. */
  readonly plain: boolean;
}

interface Stranger extends Connection {
  /** What its address counts as. */
  readonly network: string;
}

/** More strangers than the kernel hands over at once: whoever speaks at once is heard before it is its turn to go. */
const usualLimits: GateLimits = { strangers: 1024, strangersPerNetwork: 64, all: 4096 };

const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/;
const SENTENCE = "Too many connections: try again, and send your key with the first request.\n";

/**
 * Keeps connections that do nothing from keeping others out. When there are too many, the oldest stranger goes; one with
 * a good key stays. Connections are known by address and port, which a TLS socket shares with the one below it.
 */
export class ConnectionGate {
  readonly #limits: GateLimits;
  readonly #meter: Pick<MetricsRecorder, "cut">;
  readonly #strangers = new Map<string, Stranger>();
  readonly #networks = new Map<string, number>();
  readonly #trusted = new Map<string, Stranger>();

  constructor(meter: Pick<MetricsRecorder, "cut">, limits: Partial<GateLimits> = {}) {
    this.#meter = meter;
    this.#limits = { ...usualLimits, ...limits };
  }

  /** How many are open. */
  get size(): { readonly strangers: number; readonly trusted: number } {
    return { strangers: this.#strangers.size, trusted: this.#trusted.size };
  }

  /** Takes in a new connection, or cuts it, or another one for it. */
  admit(connection: Connection): void {
    const { socket } = connection;
    const name = nameOf(socket);
    const network = remoteNetwork(socket.remoteAddress ?? "");
    const refusal = this.#refusal(socket, network);
    // One without an address has gone already.
    if (name === undefined) socket.destroy();
    else if (refusal !== undefined) this.#cut(connection, refusal);
    else this.#takeIn(connection, name, network);
  }

  #refusal({ remoteAddress = "" }: Socket, network: string): CutReason | undefined {
    const { strangersPerNetwork, all } = this.#limits;
    if (this.#trusted.size + this.#strangers.size >= all) return "too many connections";
    const crowded = (this.#networks.get(network) ?? 0) >= strangersPerNetwork;
    return crowded && !LOOPBACK.test(remoteAddress) ? "too many from one address" : undefined;
  }

  /** The connection of a request with a good key. */
  readonly trust = ({ socket }: Pick<IncomingMessage, "socket">): void => {
    const name = nameOf(socket) ?? "";
    const stranger = this.#strangers.get(name);
    if (stranger === undefined) return;
    this.#noLongerStrange(name, stranger);
    this.#trusted.set(name, stranger);
  };

  #takeIn(connection: Connection, name: string, network: string): void {
    const stranger = { ...connection, network };
    this.#strangers.set(name, stranger);
    this.#networks.set(network, (this.#networks.get(network) ?? 0) + 1);
    connection.socket.once("close", () => {
      this.#noLongerStrange(name, stranger);
      // A new connection may have got the same port already.
      if (this.#trusted.get(name) === stranger) this.#trusted.delete(name);
    });
    if (this.#strangers.size <= this.#limits.strangers) return;
    for (const [oldest, other] of this.#strangers) {
      this.#noLongerStrange(oldest, other);
      this.#cut(other, "too many connections");
      return;
    }
  }

  #noLongerStrange(name: string, stranger: Stranger): void {
    if (this.#strangers.get(name) !== stranger) return;
    this.#strangers.delete(name);
    const left = (this.#networks.get(stranger.network) ?? 1) - 1;
    if (left === 0) this.#networks.delete(stranger.network);
    else this.#networks.set(stranger.network, left);
  }

  /** Says why, where nothing has been said on the connection; does not wait for anybody to read it. */
  #cut({ socket, plain }: Connection, reason: CutReason): void {
    this.#meter.cut(reason);
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
