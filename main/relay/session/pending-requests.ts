import { RemoteError } from "../../../core/protocol/errors.ts";
import { formatSeconds } from "../../../core/protocol/format-seconds.ts";
import type { CommandTarget } from "../../../core/protocol/frames.ts";
import type { RelayOp } from "../../../core/protocol/relay-ops.ts";

export interface CommandResponse {
  readonly value: unknown;
  readonly hit: CommandTarget;
  /** The operation by which the relay finished the command, if the client delegated it. */
  readonly op?: RelayOp;
}

interface Pending {
  readonly resolve: (response: CommandResponse) => void;
  readonly reject: (error: RemoteError) => void;
  readonly timer: NodeJS.Timeout;
  /** By `performance.now()`. */
  readonly deadline: number;
}

/** The commands that one client is executing. Each settles exactly once: by its response, its deadline, or the client's disconnect. */
export class PendingRequests {
  readonly #client: string;
  readonly #pending = new Map<number, Pending>();
  #nextId = 1;

  /** `client` names the client in the errors. */
  constructor(client: string) {
    this.#client = client;
  }

  /** Registers a command with its deadline and hands its id to `send`. */
  open(timeoutMs: number, send: (id: number) => void): Promise<CommandResponse> {
    const id = this.#nextId++;
    const response = new Promise<CommandResponse>((resolve, reject) => {
      const timer = setTimeout(() => {
        this.fail(
          id,
          new RemoteError("no_answer", `${this.#client} did not answer within ${formatSeconds(timeoutMs)}.`),
        );
      }, timeoutMs);
      this.#pending.set(id, { resolve, reject, timer, deadline: performance.now() + timeoutMs });
    });
    send(id);
    return response;
  }

  /** Settles a command with its response; a late response is dropped. */
  resolve(id: number, response: CommandResponse): void {
    this.#take(id)?.resolve(response);
  }

  fail(id: number, error: RemoteError): void {
    this.#take(id)?.reject(error);
  }

  /** Takes a command over from the client: neither its deadline nor the client's disconnect ends it any more. */
  takeOver(id: number): Pick<Pending, "resolve" | "reject" | "deadline"> | undefined {
    return this.#take(id);
  }

  /** Returns the time that a command has left; undefined if it has ended. */
  remainingMs(id: number): number | undefined {
    const deadline = this.#pending.get(id)?.deadline;
    return deadline === undefined ? undefined : Math.max(1, deadline - performance.now());
  }

  failAll(): void {
    for (const id of [...this.#pending.keys()]) {
      this.fail(id, new RemoteError("client_gone", `${this.#client} left while it was executing the command.`));
    }
  }

  #take(id: number): Pending | undefined {
    const pending = this.#pending.get(id);
    if (pending === undefined) return undefined;
    this.#pending.delete(id);
    clearTimeout(pending.timer);
    return pending;
  }
}
