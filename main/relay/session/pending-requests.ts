import { RemoteError } from "../../../core/protocol/errors.ts";
import { formatSeconds } from "../../../core/protocol/format-seconds.ts";
import type { CommandTarget } from "../../../core/protocol/ids.ts";
import type { Lifetime } from "../../../core/protocol/lifetime.ts";

export interface CommandResponse {
  readonly value: unknown;
  readonly hit: CommandTarget;
}

/**
 * How long a command may still be answered after its caller's credential has ended: its own effect may have ended it, as
 * when a program closes its own shell.
 */
const LAST_ANSWER_MS = 200;

/** Rejects when the lifetime has ended, unless the command is answered shortly after. */
export function endWith<T>(done: Promise<T>, lifetime: Lifetime): Promise<T> {
  return new Promise((resolve, reject) => {
    let late: NodeJS.Timeout | undefined;
    const release = lifetime.onEnd((reason) => {
      late = setTimeout(() => reject(reason), LAST_ANSWER_MS);
    });
    done.then(resolve, reject).finally(() => {
      release();
      clearTimeout(late);
    });
  });
}

interface Pending {
  readonly resolve: (response: CommandResponse) => void;
  readonly reject: (error: RemoteError) => void;
  timer: NodeJS.Timeout;
  /** By `performance.now()`. */
  readonly deadline: number;
  /** Stops to wait for the end of the credential. */
  readonly release: () => void;
}

/**
 * The commands that one client is executing. Each settles exactly once: by its response, its deadline, the end of its caller's credential,
 * or the client's disconnect.
 */
export class PendingRequests {
  readonly #client: string;
  readonly #pending = new Map<number, Pending>();
  #nextId = 1;

  /** `client` names the client in the errors. */
  constructor(client: string) {
    this.#client = client;
  }

  /** Registers a command with its deadline and hands its id to `send`. Rejects at once if the caller's credential has ended. */
  open(timeoutMs: number, send: (id: number) => void, lifetime?: Lifetime): Promise<CommandResponse> {
    if (lifetime?.ended !== undefined) return Promise.reject(lifetime.ended);
    const id = this.#nextId++;
    const response = new Promise<CommandResponse>((resolve, reject) => {
      const timer = setTimeout(() => {
        this.fail(
          id,
          new RemoteError("no_answer", `${this.#client} did not answer within ${formatSeconds(timeoutMs)}.`),
        );
      }, timeoutMs);
      const release = lifetime?.onEnd((reason) => this.#failSoon(id, reason)) ?? nothing;
      const deadline = performance.now() + timeoutMs;
      this.#pending.set(id, { resolve, reject, timer, deadline, release });
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

  /** Returns the time that a command has left; undefined if it has ended. */
  remainingMs(id: number): number | undefined {
    const deadline = this.#pending.get(id)?.deadline;
    return deadline === undefined ? undefined : Math.max(1, deadline - performance.now());
  }

  #failSoon(id: number, reason: RemoteError): void {
    const pending = this.#pending.get(id);
    if (pending === undefined) return;
    clearTimeout(pending.timer);
    pending.timer = setTimeout(() => this.fail(id, reason), LAST_ANSWER_MS);
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
    pending.release();
    return pending;
  }
}

function nothing(): void {}
