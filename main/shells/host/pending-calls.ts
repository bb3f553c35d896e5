import type { RemoteError } from "../../../core/protocol/errors.ts";
import { monotonicMs } from "../../system/monotonic-clock.ts";

interface Pending {
  resolve(result: unknown): void;
  reject(error: Error): void;
  readonly timer: NodeJS.Timeout | undefined;
}

/** How long a call is waited for, in milliseconds; "unlimited": until the connection is down. */
export type Patience = number | "unlimited";

/** Calls that the host has not answered yet. Each settles exactly once: answer, deadline, or the connection down. */
export class PendingCalls {
  readonly #pending = new Map<number, Pending>();

  /**
   * Registers a call under an id that was never used, and hands `send` the deadline for the host. Rejects with `late`'s
   * error when the deadline passes first; an answer that comes after it is dropped.
   */
  open(
    id: number,
    {
      patience,
      send,
      late,
    }: { patience: Patience; send: (limit: { expires?: number }) => void; late: () => RemoteError },
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
