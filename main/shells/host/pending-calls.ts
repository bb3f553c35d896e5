import type { RemoteError } from "../../../core/protocol/errors.ts";
import { monotonicMs } from "../../system/monotonic-clock.ts";

interface Pending {
  resolve(result: unknown): void;
  reject(error: Error): void;
  readonly timer: NodeJS.Timeout | undefined;
}

/** How long to wait for a result, in milliseconds; "unlimited": until the connection closes. */
export type CallTimeout = number | "unlimited";

/** Calls without a result yet. Each settles exactly once: by its result, its deadline, or the end of the connection. */
export class PendingCalls {
  readonly #pending = new Map<number, Pending>();

  /**
   * Registers a call under a new id and passes the host's deadline to `send`. Rejects with the error of `late` when the
   * deadline passes; a later result is dropped.
   */
  open(
    id: number,
    {
      patience,
      send,
      late,
    }: { patience: CallTimeout; send: (limit: { expires?: number }) => void; late: () => RemoteError },
  ): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const timer =
        patience === "unlimited" ? undefined : setTimeout(() => this.#take(id)?.reject(late()), Math.max(1, patience));
      this.#pending.set(id, { resolve, reject, timer });
      send(patience === "unlimited" ? {} : { expires: monotonicMs() + patience });
    });
  }

  resolve(id: number, result: unknown): void {
    this.#take(id)?.resolve(result);
  }

  reject(id: number, error: RemoteError): void {
    this.#take(id)?.reject(error);
  }

  rejectAll(error: () => RemoteError): void {
    for (const id of [...this.#pending.keys()]) this.#take(id)?.reject(error());
  }

  #take(id: number): Pending | undefined {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    clearTimeout(pending?.timer);
    return pending;
  }
}
