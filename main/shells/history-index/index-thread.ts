import { Worker } from "node:worker_threads";
import type { IndexAnswer, IndexRequest, IndexSetUp } from "./index-calls.ts";

interface Waiting {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/** An index in a thread of its own, which starts with the first call, and again with the first one after it has ended. */
export class IndexThread implements AsyncDisposable {
  readonly #program: string;
  readonly #setUp: IndexSetUp;
  readonly #onEnd: () => void;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #lastId = 0;

  /** `program`: the built file that serves the index. `onEnd` is called when the thread has ended. */
  constructor(program: string, setUp: IndexSetUp, onEnd: () => void = () => undefined) {
    this.#program = program;
    this.#setUp = setUp;
    this.#onEnd = onEnd;
  }

  /** Asks the index. Rejects when it fails, or the thread ends. */
  call(request: IndexRequest): Promise<unknown> {
    this.#worker ??= this.#start();
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#worker?.postMessage({ ...request, id });
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker?.terminate();
  }

  #start(): Worker {
    const worker = new Worker(this.#program, { workerData: this.#setUp });
    let reason = "the thread of the index ended";
    worker.unref();
    worker.on("message", (answer: IndexAnswer) => {
      const waiting = this.#waiting.get(answer.id);
      this.#waiting.delete(answer.id);
      if (!("failed" in answer)) return waiting?.resolve(answer.result);
      waiting?.reject(new Error(answer.failed));
      if (answer.isLast) this.#end(worker, answer.failed);
    });
    worker.on("error", (error) => {
      reason = String(error);
    });
    worker.once("exit", () => this.#end(worker, reason));
    return worker;
  }

  /** Refuses what waits for a thread that does not answer any more. */
  #end(worker: Worker, reason: string): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of waiting) reject(new Error(reason));
    this.#onEnd();
  }
}
