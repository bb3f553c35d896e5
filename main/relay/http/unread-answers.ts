import type { ServerResponse } from "node:http";
import { Socket } from "node:net";
import type { Readable } from "node:stream";
import { RemoteError } from "../../../core/protocol/errors.ts";
import type { MetricsRecorder } from "../metrics/metrics-recorder.ts";
import { CountedBody } from "../net/counted-body.ts";

interface UnreadLimits {
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
  /** Connections with an answer that the system has not taken whole, with what was not given to them yet. */
  readonly #connections = new Map<string, Map<Socket, CountedBody | undefined>>();

  constructor(metrics: Pick<MetricsRecorder, "cut">, limits = defaultLimits) {
    this.#metrics = metrics;
    this.#limits = limits;
  }

  /** Returns the refusal of a caller that has left too much unread; undefined for others. */
  refusal(caller: string): RemoteError | undefined {
    if (this.#bytesOf(caller) <= this.#limits.refuseAbove) return undefined;
    return new RemoteError("too_many_requests", "Too much of your earlier answers is unread: read them first.");
  }

  /** Counts the answer for the caller if it is left unread. Throws `too_many_requests` when the caller has left too much. */
  watch(caller: string, response: ServerResponse): void {
    const refusal = this.refusal(caller);
    if (refusal !== undefined) throw refusal;
    response.once("pipe", (body) => this.#keepWhenStalled(caller, response, body));
    response.once("prefinish", () => this.#keep(caller, response));
  }

  /** An answer whose body is piped counts from the first piece on that the system does not take at once. */
  #keepWhenStalled(caller: string, response: ServerResponse, body: Readable): void {
    if (!(body instanceof CountedBody)) return;
    const look = () =>
      setImmediate(() => {
        if (response.destroyed || response.socket?.writableLength === 0) return;
        body.off("pause", look);
        this.#keep(caller, response, body);
      });
    body.on("pause", look);
  }

  /** What the system has not taken is still with the connection, or with the body. */
  #keep(caller: string, response: ServerResponse, body?: CountedBody): void {
    const { socket } = response;
    // Connections in memory are this process's own, which reads them.
    if (!(socket instanceof Socket) || socket.writableLength === 0) return;
    const connections = this.#connections.get(caller) ?? new Map<Socket, CountedBody | undefined>();
    const isKept = connections.has(socket);
    this.#connections.set(caller, connections.set(socket, body));
    if (isKept) return;
    response.once("close", () => {
      connections.delete(socket);
      if (connections.size === 0) this.#connections.delete(caller);
    });
    if (connections.size > 1 && this.#bytesOf(caller) > this.#limits.cutAbove) this.#cut(socket);
    else response.setTimeout(this.#limits.giveUpAfter, () => this.#giveUp(socket));
  }

  /** A stream whose reader has caught up may say nothing for as long. */
  #giveUp(socket: Socket): void {
    if (socket.writableLength > 0) this.#cut(socket);
  }

  #cut(socket: Socket): void {
    this.#metrics.cut("unread");
    socket.destroy();
  }

  #bytesOf(caller: string): number {
    let sum = 0;
    for (const [{ writableLength }, body] of this.#connections.get(caller) ?? []) {
      // Between two pieces nothing waits for the caller.
      if (writableLength > 0) sum += writableLength + (body?.unsent ?? 0);
    }
    return sum;
  }
}
