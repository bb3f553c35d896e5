import type { ServerResponse } from "node:http";
import { Socket } from "node:net";
import { RemoteError } from "../../../core/protocol/errors.ts";
import type { MetricsRecorder } from "../metrics/metrics-recorder.ts";

export interface UnreadLimits {
  /** Unread bytes of a caller above which its requests are refused. */
  readonly refuseAbove: number;
  /** Unread bytes of a caller above which the connection of its latest answer is cut. */
  readonly cutAbove: number;
  /** Milliseconds after which an answer is given up of which nothing was read meanwhile. */
  readonly giveUpAfter: number;
}

const defaultLimits: UnreadLimits = {
  refuseAbove: 32 * 1024 * 1024,
  cutAbove: 64 * 1024 * 1024,
  giveUpAfter: 60_000,
};

/**
 * Bounds the answers that callers leave unread, which the relay's memory holds until then. An answer that the system takes
 * at once costs nothing here. Streams have limits of their own.
 */
export class UnreadAnswers {
  readonly #metrics: Pick<MetricsRecorder, "cut">;
  readonly #limits: UnreadLimits;
  /** Connections with a complete answer that is not read to its end. */
  readonly #connections = new Map<string, Set<Socket>>();

  constructor(metrics: Pick<MetricsRecorder, "cut">, limits = defaultLimits) {
    this.#metrics = metrics;
    this.#limits = limits;
  }

  /** Counts the answer for the caller if it is left unread. Throws `too_many_requests` when the caller has left too much. */
  watch(caller: string, response: ServerResponse): void {
    if (this.#bytesOf(caller) > this.#limits.refuseAbove) {
      throw new RemoteError("too_many_requests", "Too much of your earlier answers is unread: read them first.");
    }
    response.once("prefinish", () => this.#keep(caller, response));
  }

  /** The answer is complete; what the system has not taken is still with its connection. */
  #keep(caller: string, response: ServerResponse): void {
    const { socket } = response;
    // Connections in memory are this process's own, which reads them.
    if (!(socket instanceof Socket) || socket.writableLength === 0) return;
    const connections = this.#connections.get(caller) ?? new Set();
    this.#connections.set(caller, connections.add(socket));
    response.once("close", () => {
      connections.delete(socket);
      if (connections.size === 0) this.#connections.delete(caller);
    });
    if (connections.size > 1 && this.#bytesOf(caller) > this.#limits.cutAbove) this.#cut(socket);
    else response.setTimeout(this.#limits.giveUpAfter, () => this.#cut(socket));
  }

  #cut(socket: Socket): void {
    this.#metrics.cut("unread");
    socket.destroy();
  }

  #bytesOf(caller: string): number {
    let sum = 0;
    for (const { writableLength } of this.#connections.get(caller) ?? []) sum += writableLength;
    return sum;
  }
}
