import { Worker } from "node:worker_threads";
import { watchProgram } from "./event-loop-watch-program.ts";

/** A time in which the event loop of this process did nothing else. */
export interface Stall {
  /** When it began, ISO 8601. */
  readonly at: string;
  readonly ms: number;
  /** What the main thread did after a second of it, innermost call first; empty where the runtime does not tell. */
  readonly stack: readonly string[];
}

export interface StallSummary {
  readonly count: number;
  /** Of the longest one; 0 without any. */
  readonly longestMs: number;
}

interface EventLoopWatchOptions {
  /** Is written while a stall lasts and at its end, so that others can read what a process that hangs is doing. */
  readonly file: string;
  /** Called at the end of each stall. */
  readonly onStall: (stall: Stall) => void;
  /** How long the event loop may take for one turn, in milliseconds. */
  readonly limitMs?: number;
}

/** A stall may begin just before a beat, so one that is this much shorter than the limit may be counted, and none is missed. */
const BEAT_MS = 250;
const LIMIT_MS = 1000;

/**
 * Watches the event loop of this process from a thread: a turn that takes more than a second holds up every client. The main
 * thread stores the time four times a second, and the thread looks once a second whether it has. While a stall lasts, the
 * thread asks the main thread's inspector for its stack.
 */
export class EventLoopWatch implements Disposable {
  readonly #beat: NodeJS.Timeout;
  readonly #worker: Worker;
  #count = 0;
  #longestMs = 0;

  constructor({ file, onStall, limitMs = LIMIT_MS }: EventLoopWatchOptions) {
    const beats = new SharedArrayBuffer(BigInt64Array.BYTES_PER_ELEMENT);
    const last = new BigInt64Array(beats);
    const beat = () => void Atomics.store(last, 0, process.hrtime.bigint());
    beat();
    this.#beat = setInterval(beat, BEAT_MS).unref();
    const workerData = { beats, limitMs, file, pid: process.pid };
    this.#worker = new Worker(watchProgram, { eval: true, workerData, resourceLimits: { maxOldGenerationSizeMb: 32 } });
    this.#worker.unref();
    // Without the thread everything works but the watch.
    this.#worker.on("error", () => clearInterval(this.#beat));
    this.#worker.on("message", (stall: Stall) => {
      this.#count += 1;
      this.#longestMs = Math.max(this.#longestMs, stall.ms);
      onStall(stall);
    });
  }

  get stalls(): StallSummary {
    return { count: this.#count, longestMs: this.#longestMs };
  }

  [Symbol.dispose](): void {
    clearInterval(this.#beat);
    void this.#worker.terminate();
  }
}
