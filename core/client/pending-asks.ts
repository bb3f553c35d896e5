import { isErrorCode, RemoteError } from "../protocol/errors.ts";

interface Waiting {
  resolve(value: unknown): void;
  reject(error: RemoteError): void;
}

/** The client's open questions to the relay; each settles exactly once. */
export class PendingAsks {
  #waiting = new Map<number, Waiting>();
  #nextId = 1;

  /** Registers a question and hands its id to `send`. */
  open(send: (id: number) => void): Promise<unknown> {
    const id = this.#nextId++;
    const answer = new Promise<unknown>((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
    send(id);
    return answer;
  }

  answer(id: number, value: unknown): void {
    this.#take(id)?.resolve(value);
  }

  refuse(id: number, { code, message }: { code: string; message: string }): void {
    this.#take(id)?.reject(new RemoteError(isErrorCode(code) ? code : "internal", message));
  }

  /** The link broke: nobody will answer any more. */
  refuseAll(message: string): void {
    for (const id of [...this.#waiting.keys()]) this.refuse(id, { code: "client_gone", message });
  }

  #take(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    return waiting;
  }
}
