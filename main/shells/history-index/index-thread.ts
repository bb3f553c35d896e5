import { Worker } from "node:worker_threads";
import type { IndexAnswer, IndexRequest, IndexSetUp } from "./index-calls.ts";

interface Waiting {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/** An index in a thread of its own, which starts with the first call and is started again after it has ended. */
export class IndexThread implements AsyncDisposable {
  readonly #program: string;
  readonly #setUp: IndexSetUp;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #lastId = 0;

  /** `program`: the built file that serves the index. */
  constructor(program: string, setUp: IndexSetUp) {
    this.#program = program;
    this.#setUp = setUp;
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
      if ("failed" in answer) waiting?.reject(new Error(answer.failed));
      else waiting?.resolve(answer.result);
    });
    worker.on("error", (error) => {
      reason = String(error);
    });
    worker.once("exit", () => {
      if (this.#worker === worker) this.#worker = undefined;
      const waiting = [...this.#waiting.values()];
      this.#waiting.clear();
      for (const { reject } of waiting) reject(new Error(reason));
    });
    return worker;
  }
}
