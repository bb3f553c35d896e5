import { isErrorCode, RemoteError } from "../protocol/errors.ts";

interface PendingAsk {
  resolve(value: unknown): void;
  reject(error: RemoteError): void;
}

/** The client's pending requests to the relay. Each settles exactly once. */
export class PendingAsks {
  #pending = new Map<number, PendingAsk>();
  #nextId = 1;

  /** Registers a request and passes its id to `send`. */
  open(send: (id: number) => void): Promise<unknown> {
    const id = this.#nextId++;
    const answer = new Promise<unknown>((resolve, reject) => this.#pending.set(id, { resolve, reject }));
    send(id);
    return answer;
  }

  answer(id: number, value: unknown): void {
    this.#take(id)?.resolve(value);
  }

  refuse(id: number, { code, message }: { code: string; message: string }): void {
    this.#take(id)?.reject(new RemoteError(isErrorCode(code) ? code : "internal", message));
  }

  /** Rejects all pending requests with `client_gone`, after the link was lost. */
  refuseAll(message: string): void {
    for (const id of [...this.#pending.keys()]) this.refuse(id, { code: "client_gone", message });
  }

  #take(id: number): PendingAsk | undefined {
    const waiting = this.#pending.get(id);
    this.#pending.delete(id);
    return waiting;
  }
}
